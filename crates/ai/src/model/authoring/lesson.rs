//! The text of a lesson from a model: its rules, and the Markdown that is made of it.

use lyceum_domain::drafting::drafts::LessonTask;
use lyceum_domain::drafting::syllabus::LessonDraft;
use serde::Deserialize;
use serde_json::Value;

use super::texts::{
    all_stems, foreign_address, stands_in, unsafe_markdown, word_count, wrong_language,
};
use super::{Broken, parsed, unless_broken};
use crate::language::Language;
use crate::outline::Labels;
use crate::passages::passages;
use crate::verbs::vague_verb;

/// Words per minute of a lesson's text: slower than reading, because it is worked through.
const WORDS_PER_MINUTE: std::ops::RangeInclusive<usize> = 90..=160;
/// Most minutes of text that one answer is asked for.
pub(in crate::model) const MOST_MINUTES: u32 = 30;
/// Fewest minutes of a text.
const LEAST_MINUTES: u32 = 3;
/// Kinds of sections that every lesson has.
const NEEDED: [&str; 3] = ["concept", "example", "check"];
/// Content words that a section shares with the passages it says it is from.
const SHARED_STEMS: usize = 3;

#[derive(Deserialize)]
struct WrittenLesson {
    language: String,
    summary: String,
    objectives: Vec<String>,
    prerequisites: Vec<String>,
    minutes: i64,
    sections: Vec<LessonSection>,
    key_terms: Vec<Term>,
    common_misconceptions: Vec<Misconception>,
}

#[derive(Deserialize)]
struct LessonSection {
    heading: String,
    kind: String,
    markdown: String,
    source_ids: Vec<String>,
}

#[derive(Deserialize)]
struct Term {
    term: String,
    definition: String,
}

#[derive(Deserialize)]
struct Misconception {
    belief: String,
    correction: String,
}

/// The minutes of text that a lesson of so many planned minutes has: a third to all of them, the rest being
/// spent on activities and tasks.
pub(in crate::model) fn text_minutes(planned: u32) -> std::ops::RangeInclusive<u32> {
    if planned == 0 {
        return LEAST_MINUTES..=MOST_MINUTES;
    }
    let most = planned.clamp(LEAST_MINUTES, MOST_MINUTES);
    (planned / 3).clamp(LEAST_MINUTES, most)..=most
}

/// Reads the text of a lesson; the rules it breaks otherwise.
pub(in crate::model) fn read(document: &Value, task: &LessonTask) -> Result<LessonDraft, Broken> {
    let lesson: WrittenLesson = parsed(document)?;
    unless_broken(broken_rules(&lesson, task), || ())?;
    let written = u32::try_from(lesson.minutes).unwrap_or(MOST_MINUTES);
    let language = Language::of_tag(task.frame.language.as_str());
    Ok(LessonDraft {
        name: task.name.clone(),
        content: markdown(&lesson, Labels::known(language)),
        minutes: if task.minutes == 0 {
            written
        } else {
            task.minutes
        },
        summary: lesson.summary,
        objectives: lesson.objectives,
        activities: Vec::new(),
    })
}

fn broken_rules(lesson: &WrittenLesson, task: &LessonTask) -> Broken {
    let mut broken = Broken::new();
    let text = whole_text(lesson);
    broken.extend(wrong_language(
        &lesson.language,
        &text,
        &task.frame.language,
    ));
    for kind in NEEDED {
        if !lesson.sections.iter().any(|section| section.kind == kind) {
            broken.push(format!("there must be a section of kind {kind}"));
        }
    }
    broken.extend(wrong_length(lesson, &text, task.minutes));
    let sources = format!("{}\n{}", task.frame.source_text, task.frame.brief);
    for section in &lesson.sections {
        broken.extend(broken_section(section, task));
        broken.extend(foreign_address(&section.markdown, &sources));
    }
    for term in &lesson.key_terms {
        if !stands_in(&term.term, &text) {
            broken.push(format!(
                "the key term {:?} must stand in the text of a section",
                term.term
            ));
        }
    }
    broken.extend(broken_objectives(lesson, task));
    broken
}

fn broken_objectives(lesson: &WrittenLesson, task: &LessonTask) -> Broken {
    let language = Language::of_tag(task.frame.language.as_str());
    let mut broken: Broken = lesson
        .objectives
        .iter()
        .filter_map(|objective| vague_verb(objective, language))
        .collect();
    if lesson.objectives.iter().all(|text| text.trim().is_empty()) {
        broken.push("a lesson needs an objective".to_owned());
    }
    broken
}

fn wrong_length(lesson: &WrittenLesson, text: &str, planned: u32) -> Option<String> {
    let allowed = text_minutes(planned);
    let minutes = u32::try_from(lesson.minutes).unwrap_or(0);
    if !allowed.contains(&minutes) {
        let (least, most) = (allowed.start(), allowed.end());
        return Some(format!(
            "minutes, the time for the text itself, must be {least} to {most}"
        ));
    }
    let minutes = usize::try_from(minutes).unwrap_or(0);
    let least = minutes * WORDS_PER_MINUTE.start();
    let most = minutes * WORDS_PER_MINUTE.end();
    let words = word_count(text);
    (!(least..=most).contains(&words)).then(|| {
        format!("a text of {minutes} minutes must have {least} to {most} words, not {words}")
    })
}

fn broken_section(section: &LessonSection, task: &LessonTask) -> Broken {
    let mut broken: Broken = unsafe_markdown(&section.markdown).into_iter().collect();
    let name = &section.heading;
    if name.trim().is_empty() || section.markdown.trim().is_empty() {
        broken.push("every section needs a heading and a text".to_owned());
    }
    let too_high = section
        .markdown
        .lines()
        .any(|line| line.starts_with("# ") || line.starts_with("## "));
    if too_high {
        broken.push(format!(
            "headings inside section {name:?} must start at level 3"
        ));
    }
    broken.extend(broken_sources(section, task));
    broken
}

/// A section names passages that were sent, shares words with them, and explains nothing without one.
fn broken_sources(section: &LessonSection, task: &LessonTask) -> Option<String> {
    let name = &section.heading;
    let known = passages(&task.frame.source_text);
    let cited: Vec<&str> = known
        .iter()
        .filter(|passage| section.source_ids.contains(&passage.id))
        .map(|passage| passage.text)
        .collect();
    let named: std::collections::BTreeSet<&String> = section.source_ids.iter().collect();
    if cited.len() < named.len() {
        return Some(format!(
            "section {name:?} names source_ids that do not exist"
        ));
    }
    if cited.is_empty() {
        let needed = !known.is_empty() && section.kind == "concept";
        return needed
            .then(|| format!("section {name:?} must name the source passages it is written from"));
    }
    let language = Language::of_tag(task.frame.language.as_str());
    let own = all_stems(&section.markdown, language);
    let shared = own
        .intersection(&all_stems(&cited.join("\n"), language))
        .count();
    (shared < SHARED_STEMS)
        .then(|| format!("section {name:?} says nothing of the source passages it names"))
}

fn whole_text(lesson: &WrittenLesson) -> String {
    let sections = lesson.sections.iter();
    let texts: Vec<&str> = sections.map(|section| section.markdown.as_str()).collect();
    texts.join("\n\n")
}

/// The lesson as Markdown; the lists are set apart by a line where we know no heading for them.
fn markdown(lesson: &WrittenLesson, labels: Option<&Labels>) -> String {
    let headed = |heading: Option<&str>, entries: &[String]| {
        let list = entries.join("\n");
        let above = heading.map_or_else(|| "---".to_owned(), |heading| format!("## {heading}"));
        (!entries.is_empty()).then(|| format!("{above}\n\n{list}"))
    };
    let prerequisites = lesson.prerequisites.iter();
    let prerequisites: Vec<String> = prerequisites
        .filter(|one| !one.trim().is_empty())
        .map(|one| format!("- {}", line(one)))
        .collect();
    let terms = lesson.key_terms.iter();
    let terms: Vec<String> = terms
        .map(|term| format!("- **{}**: {}", line(&term.term), line(&term.definition)))
        .collect();
    let wrong = lesson.common_misconceptions.iter();
    let wrong: Vec<String> = wrong
        .map(|one| format!("- *{}* {}", line(&one.belief), line(&one.correction)))
        .collect();
    let sections = lesson.sections.iter();
    let sections = sections.map(|section| {
        format!(
            "## {}\n\n{}",
            line(&section.heading),
            section.markdown.trim()
        )
    });
    headed(labels.map(|labels| labels.prerequisites), &prerequisites)
        .into_iter()
        .chain(sections)
        .chain(headed(labels.map(|labels| labels.key_terms), &terms))
        .chain(headed(labels.map(|labels| labels.misconceptions), &wrong))
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// One line that Markdown does not read as HTML or as a link.
pub(super) fn line(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    one_line.replace('<', "&lt;").replace("](", "] (")
}
