//! What a course is about, read from its brief: topics in order, and the facts and goals that go with each.
//!
//! Only words of the brief and of the course's name may come out of here.

use super::brief::{BriefSection, sections};
use super::naming::{folded, telling_phrase, without_course_words};
use crate::language::Language;
use crate::numbers::count;
use crate::outline::phrases::phrases;
use crate::passages::passages;
use crate::quoting::shorten;
use crate::words::{Stem, fold, stems, tokens};

/// Longest name of a topic, in characters.
const MAX_NAME: usize = 90;

/// A thing to be taught.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Topic {
    pub(crate) name: String,
    /// Sentences of the brief about it.
    pub(crate) facts: Vec<String>,
    /// What learners are to be able to do, where the brief says so.
    pub(crate) goals: Vec<String>,
}

/// What a heading says its section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The list of what is taught.
    Topics,
    /// What learners can do afterwards.
    Goals,
    /// About the course, not of it: audience, tone, format.
    Frame,
    /// Anything else: material.
    Material,
}

const TOPIC_WORDS: &str = "topics topic content contents syllabus modules module themes curriculum chapters units subjects outline agenda \
temas tema contenidos contenido módulos temario programa conteúdos conteúdo tópicos assuntos sujets thèmes contenu contenus \
chapitres programme themen thema inhalte inhalt module kapitel argomenti contenuti temi moduli capitoli";
const GOAL_WORDS: &str = "able outcomes outcome objectives objective goals goal learn afterwards aims objetivos metas resultados objectifs \
compétences lernziele ziele können kompetenzen obiettivi competenze competências aprender";
const FRAME_WORDS: &str = "who audience why background tone style taught teach teaching format assessment about duration schedule \
constraints course language notes context learners participants público para quién quien tono estilo formato contexto duración evaluación \
públic ton style public pour durée contexte évaluation format für zielgruppe stil dauer hintergrund rahmen publikum destinatari tono \
stile durata contesto tom estilo duração avaliação quem";
/// The topics of a brief, or of a source text where there is one, in their own order, with what is said about each;
/// never empty. What learners are to be able to do comes from the brief, what they are taught from the source.
pub(crate) fn topics(
    brief: &str,
    source: &str,
    course: &str,
    language: Language,
    wanted: usize,
) -> Vec<Topic> {
    let (taught, asked) = (sections(source), sections(brief));
    let mut roles_asked = roles(&asked);
    if !source.trim().is_empty() {
        for (section, role) in asked.iter().zip(&mut roles_asked) {
            let lists = section.items.len().max(section.leads.len()) >= 2;
            // What the brief says around its lists is not what is taught.
            if *role == Role::Material && !lists {
                *role = Role::Frame;
            }
        }
    }
    let parts: Vec<(&BriefSection, Role)> = taught
        .iter()
        .zip(roles(&taught).into_iter().map(taught_role))
        .chain(asked.iter().zip(roles_asked))
        .collect();
    if let Some(mut topics) = of_prose(source, &parts, language, wanted) {
        tidy(&mut topics, course);
        return topics;
    }
    let mut topics = listed(&parts)
        .or_else(|| leads(&parts))
        .or_else(|| headed(&parts))
        .or_else(|| labelled(&parts))
        .or_else(|| items(&parts))
        .unwrap_or_default();
    let free = topics.is_empty();
    if free {
        topics = from_phrases(&parts, course, language, wanted);
    }
    tidy(&mut topics, course);
    add_material(&mut topics, &parts, language, free);
    topics
}

/// Nothing of a source is mere frame: "Why food makes people ill" is taught.
const fn taught_role(role: Role) -> Role {
    match role {
        Role::Frame => Role::Material,
        Role::Topics | Role::Goals | Role::Material => role,
    }
}

/// Topics of a source text that has no headings or lists to go by: neighbouring passages, so that no sentence is
/// lost and none leaves its place.
fn of_prose(
    source: &str,
    parts: &[(&BriefSection, Role)],
    language: Language,
    wanted: usize,
) -> Option<Vec<Topic>> {
    let structured = listed(parts)
        .or_else(|| leads(parts))
        .or_else(|| headed(parts));
    let passages = passages(source);
    if structured.is_some() || passages.is_empty() {
        return None;
    }
    let size = passages.len().div_ceil(wanted.max(1)).max(1);
    let all: Vec<String> = sections(source)
        .into_iter()
        .flat_map(|section| [section.sentences, section.items].concat())
        .collect();
    let whole = folded(&all);
    let mut topics: Vec<Topic> = Vec::new();
    for group in passages.chunks(size) {
        let text: Vec<&str> = group.iter().map(|passage| passage.text).collect();
        let read = sections(&text.join("\n\n"));
        let facts: Vec<String> = read
            .iter()
            .flat_map(|section| [section.sentences.clone(), section.items.clone()].concat())
            .collect();
        let taken: Vec<String> = topics.iter().map(|topic| fold(&topic.name)).collect();
        let name = telling_phrase(&facts, &whole, language, &taken);
        let number = topics.len() + 1;
        topics.push(Topic {
            name: name.unwrap_or_else(|| number.to_string()),
            facts,
            goals: Vec::new(),
        });
    }
    Some(topics)
}

fn roles(sections: &[BriefSection]) -> Vec<Role> {
    let mut under_topics = None;
    sections
        .iter()
        .map(|section| {
            let own = role(&section.heading);
            // A heading below "Topics" is one of them, whatever its words.
            if under_topics.is_some_and(|level| section.level > level && section.level < 6) {
                return Role::Material;
            }
            under_topics = (own == Role::Topics).then_some(section.level);
            own
        })
        .collect()
}

fn role(heading: &str) -> Role {
    let words = tokens(&fold(heading), Language::Other);
    let any = |list: &str| {
        list.split_ascii_whitespace()
            .any(|known| words.iter().any(|word| word == known))
    };
    let is_frame = any(FRAME_WORDS);
    if any(GOAL_WORDS) {
        Role::Goals
    } else if any(TOPIC_WORDS) && words.len() <= 4 {
        Role::Topics
    } else if is_frame && words.len() <= 8 {
        Role::Frame
    } else {
        Role::Material
    }
}

/// The section that says it lists the topics.
fn listed(parts: &[(&BriefSection, Role)]) -> Option<Vec<Topic>> {
    let at = parts.iter().position(|(_, role)| *role == Role::Topics)?;
    let (section, _) = parts.get(at)?;
    if section.leads.len() >= 2 {
        return Some(of_leads(section));
    }
    if section.items.len() >= 2 {
        return Some(section.items.iter().map(|item| of_item(item)).collect());
    }
    let below: Vec<Topic> = parts
        .iter()
        .skip(at + 1)
        .take_while(|(below, _)| below.level > section.level)
        .map(|(below, _)| of_section(below))
        .collect();
    (below.len() >= 2).then_some(below)
}

fn leads(parts: &[(&BriefSection, Role)]) -> Option<Vec<Topic>> {
    let most = material(parts).max_by_key(|section| section.leads.len())?;
    (most.leads.len() >= 3).then(|| of_leads(most))
}

/// Headings with something below them; a single top heading is the title of the brief.
fn headed(parts: &[(&BriefSection, Role)]) -> Option<Vec<Topic>> {
    let headed: Vec<Topic> = material(parts)
        .filter(|section| section.level > 0)
        .filter(|section| !section.items.is_empty() || !section.sentences.is_empty())
        .map(of_section)
        .collect();
    (headed.len() >= 2).then_some(headed)
}

/// Sentences of a paragraph that each begin with their topic: `Allergens: the fourteen, what to tell a guest.`
fn labelled(parts: &[(&BriefSection, Role)]) -> Option<Vec<Topic>> {
    let section = material(parts).max_by_key(|section| section.sentences.len())?;
    let mut topics: Vec<Topic> = Vec::new();
    for sentence in &section.sentences {
        match label(sentence) {
            Some(name) => topics.push(Topic {
                name: name.to_owned(),
                facts: vec![sentence.clone()],
                goals: Vec::new(),
            }),
            None => topics.last_mut()?.facts.push(sentence.clone()),
        }
    }
    (topics.len() >= 3).then_some(topics)
}

/// The few words before a sentence's colon.
fn label(sentence: &str) -> Option<&str> {
    let (name, rest) = sentence.split_once(": ")?;
    let short = (1..=5).contains(&name.split_whitespace().count());
    let whole = name.starts_with(char::is_uppercase) && !name.contains([',', ';', '(', '"']);
    (short && whole && !rest.trim().is_empty()).then_some(name)
}

fn items(parts: &[(&BriefSection, Role)]) -> Option<Vec<Topic>> {
    let longest = |role: Role| {
        parts
            .iter()
            .filter(|(_, own)| *own == role)
            .map(|(section, _)| *section)
            .max_by_key(|section| section.items.len())
            .filter(|section| section.items.len() >= 2)
    };
    let section = longest(Role::Material).or_else(|| longest(Role::Goals))?;
    Some(section.items.iter().map(|item| of_item(item)).collect())
}

fn material<'a>(parts: &'a [(&'a BriefSection, Role)]) -> impl Iterator<Item = &'a BriefSection> {
    parts
        .iter()
        .filter(|(_, role)| *role == Role::Material)
        .map(|(section, _)| *section)
}

fn of_leads(section: &BriefSection) -> Vec<Topic> {
    let topics = section.leads.iter().map(|(name, facts)| Topic {
        name: name.clone(),
        facts: facts.clone(),
        goals: Vec::new(),
    });
    topics.collect()
}

fn of_section(section: &BriefSection) -> Topic {
    let lead_facts = section.leads.iter().flat_map(|(_, facts)| facts);
    Topic {
        name: section.heading.clone(),
        facts: section
            .sentences
            .iter()
            .chain(&section.items)
            .chain(lead_facts)
            .cloned()
            .collect(),
        goals: Vec::new(),
    }
}

/// `Name: what about it`, or the item's first words.
fn of_item(item: &str) -> Topic {
    let split = [": ", " – ", " — ", " - ", " (", ". "]
        .iter()
        .filter_map(|mark| item.split_once(mark))
        .filter(|(name, _)| name.split_whitespace().count() <= 8)
        .min_by_key(|(name, _)| name.len());
    match split {
        Some((name, _)) => Topic {
            name: name.to_owned(),
            facts: vec![item.to_owned()],
            goals: Vec::new(),
        },
        None => Topic {
            name: item.to_owned(),
            ..Topic::default()
        },
    }
}

/// The heaviest phrases of the running text, in its order.
fn from_phrases(
    parts: &[(&BriefSection, Role)],
    course: &str,
    language: Language,
    wanted: usize,
) -> Vec<Topic> {
    let texts = parts
        .iter()
        .filter(|(_, role)| *role != Role::Frame)
        .flat_map(|(section, _)| section.sentences.iter().chain(&section.items));
    let mut found: Vec<(usize, f64, String)> = phrases(texts.map(String::as_str), language)
        .into_iter()
        .filter_map(|phrase| Some((without_course_words(&phrase.text)?, phrase.score)))
        .enumerate()
        .map(|(at, (text, score))| (at, score, text))
        .collect();
    let own = |text: &str| {
        let course = stems(course, language);
        stems(text, language)
            .iter()
            .all(|stem| course.iter().any(|word| word.text == stem.text))
    };
    // Repeating the course's name says nothing, unless there is nothing else to say.
    if found.iter().filter(|(_, _, text)| !own(text)).count() >= 3 {
        found.retain(|(_, _, text)| !own(text));
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(wanted);
    found.sort_by_key(|(at, _, _)| *at);
    found
        .into_iter()
        .map(|(_, _, name)| Topic {
            name,
            ..Topic::default()
        })
        .collect()
}

/// Short names with a capital, none twice, at least one.
fn tidy(topics: &mut Vec<Topic>, course: &str) {
    for topic in topics.iter_mut() {
        topic.name = name(&topic.name);
    }
    let mut seen = std::collections::BTreeSet::new();
    topics.retain(|topic| !topic.name.is_empty() && seen.insert(fold(&topic.name)));
    if topics.is_empty() {
        let fallback = name(course);
        topics.push(Topic {
            name: if fallback.is_empty() {
                "…".to_owned()
            } else {
                fallback
            },
            ..Topic::default()
        });
    }
}

/// A text as a name: short, with a capital, without marks at its ends.
pub(crate) fn name(text: &str) -> String {
    let mark =
        |c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '-' | '–' | '—' | '#');
    let short = shorten(text.trim_matches(mark), MAX_NAME).trim_end_matches(mark);
    let mut chars = short.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Gives every goal and every loose sentence of the material to the topic whose words it shares.
fn add_material(
    topics: &mut [Topic],
    parts: &[(&BriefSection, Role)],
    language: Language,
    all_sentences: bool,
) {
    let words: Vec<Vec<Stem>> = topics
        .iter()
        .map(|topic| {
            stems(
                &format!("{} {}", topic.name, topic.facts.join(" ")),
                language,
            )
        })
        .collect();
    for (section, role) in parts {
        let texts: &[String] = match role {
            Role::Frame | Role::Topics => &[],
            Role::Material if all_sentences || section.items.is_empty() => &section.sentences,
            Role::Goals | Role::Material => &section.items,
        };
        for text in texts {
            let known = topics
                .iter()
                .any(|topic| topic.facts.contains(text) || topic.name == name(text));
            let Some(topic) = (!known)
                .then(|| nearest(text, &words, language))
                .flatten()
                .and_then(|at| topics.get_mut(at))
            else {
                continue;
            };
            if *role == Role::Goals {
                topic.goals.push(text.clone());
            } else {
                topic.facts.push(text.clone());
            }
        }
    }
}

/// The topic that shares most with a text; words that many topics have count little.
fn nearest(text: &str, topics: &[Vec<Stem>], language: Language) -> Option<usize> {
    // Numbers and units of measurement stand everywhere.
    let mut own = stems(text, language);
    own.retain(|stem| !stem.number && stem.text.chars().count() >= 3);
    let mut best: Option<(f64, usize)> = None;
    for (at, words) in topics.iter().enumerate() {
        let has = |words: &[Stem], stem: &Stem| words.iter().any(|word| word.text == stem.text);
        let shared: f64 = own
            .iter()
            .filter(|stem| has(words, stem))
            .map(|stem| {
                1.0 / count(
                    topics
                        .iter()
                        .filter(|other| has(other, stem))
                        .count()
                        .max(1),
                )
            })
            .sum();
        // A long text shares something with everything.
        let share = shared / (2.0 + count(words.len())).ln();
        if shared >= 0.5 && best.is_none_or(|(so_far, _)| share > so_far) {
            best = Some((share, at));
        }
    }
    best.map(|(_, at)| at)
}
