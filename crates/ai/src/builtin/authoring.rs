//! Texts of lessons and activities, without a model: from what the brief, the lesson and the course say.
//!
//! Like the syllabus it adds no fact: key points are sentences somebody wrote, questions are made from them.

use std::collections::BTreeSet;

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask};
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft};
use lyceum_domain::text::Name;

use super::brief::{BriefSection, sections};
use super::parting::{joined_paragraphs, paragraph_starts};
use crate::language::Language;
use crate::outline::{
    Course, Labels, LessonOutline, Origin, QuizSource, cards, explainer, glossary, markdown, pairs,
    podcast, quiz_of, reflection, selection,
};
use crate::passages::{about as passages_about, passages};
use crate::quoting::shorten;
use crate::template::fill;
use crate::words::{fold, stems};

/// Version of the algorithm.
pub(crate) const VERSION: &str = "builtin-outline-2";

/// Most key points of a lesson.
const MAX_KEY_POINTS: usize = 8;
/// Most key points of a lesson that has a text.
const POINTS_OF_TEXT: usize = 5;
/// Longest summary of a lesson, in characters.
const SUMMARY_CHARS: usize = 300;
/// Most of a source that one lesson is made from, in characters.
const LESSON_SOURCE: usize = 2_700;
/// Minutes of a lesson when nobody said.
const LESSON_MINUTES: u32 = 30;
/// Minutes of an activity.
const ACTIVITY_MINUTES: u32 = 10;
/// Most questions of a quiz when nobody said.
const QUESTIONS: usize = 6;

/// The text of a lesson: its objective, key points from what was written about it, questions to think about.
pub(crate) fn lesson(task: &LessonTask) -> LessonDraft {
    let language = Language::of_tag(task.frame.language.as_str());
    let labels = Labels::of(language);
    let topic = labels.quoted(&task.name);
    let objective = task
        .objectives
        .first()
        .cloned()
        .unwrap_or_else(|| objective(labels, &topic));
    let (text, starts) = planned_text(task, labels).unwrap_or_else(|| {
        let starts = paragraph_starts(&task.frame.source_text);
        (text(task, language, labels), starts)
    });
    let key_points = if text.is_empty() {
        key_points(task, language, labels)
    } else {
        selection(&text, language, POINTS_OF_TEXT)
    };
    let outline = LessonOutline {
        topic: &task.name,
        objective: &objective,
        text: &joined_paragraphs(&text, &starts),
        key_points: &key_points,
        terms: &pairs(&text, language),
        origin: if text.is_empty() {
            Origin::Brief
        } else {
            Origin::Source
        },
    };
    let summary = text.first().map_or_else(
        || fill(labels.lesson_summary, &[("topic", &topic)]),
        |sentence| shorten(sentence, SUMMARY_CHARS).to_owned(),
    );
    LessonDraft {
        name: task.name.clone(),
        summary,
        content: markdown(labels, &outline),
        objectives: vec![objective],
        minutes: if task.minutes == 0 {
            LESSON_MINUTES
        } else {
            task.minutes
        },
        activities: Vec::new(),
    }
}

/// The sentences that a plan of ours gave the lesson already, where that plan is the brief, and those of them that
/// begin a paragraph: what else the source says was given to other lessons.
fn planned_text(task: &LessonTask, labels: &Labels) -> Option<(Vec<String>, BTreeSet<String>)> {
    let brief = &task.frame.brief;
    let planned = brief
        .contains(labels.source_mark)
        .then(|| sections(brief))?;
    let own = planned
        .into_iter()
        .find(|section| fold(&section.heading) == fold(&task.name))?;
    let starts = own.starts.into_iter().collect();
    (!own.sentences.is_empty()).then_some((own.sentences, starts))
}

/// What the source says about the lesson: the sentences of the section of its name, or else of the passages that
/// share most words with it.
fn text(task: &LessonTask, language: Language, labels: &Labels) -> Vec<String> {
    let source = &task.frame.source_text;
    let named = sections(source).into_iter().filter(|section| {
        !section.heading.is_empty() && fold(&section.heading) == fold(&task.name)
    });
    let own: Vec<String> = named
        .flat_map(|section| {
            let leads = section.leads.into_iter().flat_map(|(_, facts)| facts);
            let all = section
                .sentences
                .into_iter()
                .chain(section.items)
                .chain(leads);
            all.collect::<Vec<_>>()
        })
        .collect();
    if !own.is_empty() {
        return own;
    }
    let topic = format!(
        "{} {} {}",
        task.name,
        task.summary,
        task.objectives.join(" ")
    );
    let chosen = passages_about(passages(source), &topic, language, LESSON_SOURCE);
    let texts: Vec<&str> = chosen.iter().map(|passage| passage.text).collect();
    facts(&texts.join("\n\n"), labels)
}

fn objective(labels: &Labels, topic: &str) -> String {
    let [understand, ..] = labels.objectives;
    fill(understand, &[("topic", topic)])
}

/// What the brief says; without one, what the texts around the lesson say about it; else open points.
fn key_points(task: &LessonTask, language: Language, labels: &Labels) -> Vec<String> {
    let frame = &task.frame;
    let mut found = facts(&frame.brief, labels);
    if found.is_empty() {
        found = facts(&task.summary, labels);
        for around in [&frame.unit_description, &frame.course_description] {
            found.extend(about(&task.name, facts(around, labels), language));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|fact| seen.insert(fold(fact)));
    found.truncate(MAX_KEY_POINTS);
    if found.is_empty() {
        let values = [
            ("topic", labels.quoted(&task.name)),
            ("course", labels.quoted(&frame.course_name)),
        ];
        let values = values
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        found = labels
            .open_points
            .iter()
            .map(|point| fill(point, &values))
            .collect();
    }
    found
}

/// Those of some sentences that share a word with a topic.
fn about(topic: &str, sentences: Vec<String>, language: Language) -> Vec<String> {
    let topic = stems(topic, language);
    let shares = |sentence: &String| {
        let own = stems(sentence, language);
        own.iter()
            .any(|stem| topic.iter().any(|word| word.text == stem.text))
    };
    sentences.into_iter().filter(shares).collect()
}

/// The statements of a text in Markdown, without headings, marks of ours and questions to think about.
fn facts(text: &str, labels: &Labels) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim().starts_with('>'));
    let text = lines.collect::<Vec<_>>().join("\n");
    let read = sections(&text);
    let is_ours = |section: &&BriefSection| {
        ![
            labels.objective,
            labels.think_about,
            labels.prerequisites,
            labels.key_terms,
            labels.example,
        ]
        .contains(&section.heading.as_str())
    };
    read.iter()
        .filter(is_ours)
        .flat_map(|section| {
            let leads = section.leads.iter().flat_map(|(_, facts)| facts);
            section.sentences.iter().chain(&section.items).chain(leads)
        })
        .filter(|fact| !fact.trim().is_empty())
        .cloned()
        .collect()
}

/// Activities of one kind, each from another part of the lesson; none where it says too little.
pub(crate) fn activities(task: &ActivitiesTask) -> Vec<ActivityDraft> {
    let language = Language::of_tag(task.frame.language.as_str());
    let labels = Labels::of(language);
    let mut all = facts(&task.content, labels);
    if all.is_empty() {
        let source = passages(&task.frame.source_text);
        let topic = format!("{} {}", task.lesson_name, task.objectives.join(" "));
        for passage in passages_about(source, &topic, language, LESSON_SOURCE) {
            all.extend(facts(passage.text, labels));
        }
    }
    all.extend(facts(&task.frame.brief, labels));
    // Key points of ours are sentences of the text again.
    let mut seen = BTreeSet::new();
    all.retain(|fact| seen.insert(fold(fact)));
    let wanted = usize::try_from(task.count).unwrap_or(1).max(1);
    let chunks = parts(&all, wanted);
    let maker = Maker {
        labels,
        language,
        task,
        all: &all,
    };
    let mut names = task.names.clone();
    let mut made = Vec::new();
    for facts in chunks {
        let Some(content) = maker.content(facts) else {
            continue;
        };
        let name = unused(&maker.name(), &names);
        names.push(name.clone());
        made.push(ActivityDraft {
            kind: task.kind,
            name,
            content,
            minutes: ACTIVITY_MINUTES,
        });
    }
    made
}

/// A list in `wanted` neighbouring parts of about the same size, fewer where it is shorter; at least one.
fn parts(all: &[String], wanted: usize) -> Vec<&[String]> {
    let count = wanted.min(all.len()).max(1);
    let (size, longer) = (all.len() / count, all.len() % count);
    let mut rest = all;
    (0..count)
        .map(|index| {
            let (part, behind) = rest.split_at(size + usize::from(index < longer));
            rest = behind;
            part
        })
        .collect()
}

/// The name, or the name with the first number that makes it another one than those.
pub(crate) fn unused(name: &str, names: &[String]) -> String {
    if !names.iter().any(|known| known == name) {
        return name.to_owned();
    }
    let numbered = (2..).map(|number: u32| format!("{name} {number}"));
    numbered
        .into_iter()
        .find(|candidate| !names.contains(candidate))
        .unwrap_or_else(|| name.to_owned())
}

struct Maker<'a> {
    labels: &'static Labels,
    language: Language,
    task: &'a ActivitiesTask,
    all: &'a [String],
}

impl Maker<'_> {
    fn name(&self) -> String {
        let template = match self.task.kind {
            ActivityKind::Quiz => self.labels.quiz,
            ActivityKind::Flashcards => self.labels.flashcards,
            ActivityKind::Reflection => self.labels.reflection,
            ActivityKind::Explainer | ActivityKind::Podcast | ActivityKind::Video => "{topic}",
        };
        let name = fill(template, &[("topic", &self.task.lesson_name)]);
        // Room for a number behind it.
        let cut: String = name.chars().take(240).collect();
        Name::clamp(&cut, "Activity").as_str().to_owned()
    }

    fn content(
        &self,
        facts: &[String],
    ) -> Option<lyceum_domain::authoring::activities::ActivityContent> {
        let task = self.task;
        match task.kind {
            ActivityKind::Quiz => self.quiz(facts),
            ActivityKind::Flashcards => {
                let pairs = self.cards(facts);
                (!pairs.is_empty()).then(|| cards(&pairs)).flatten()
            }
            ActivityKind::Reflection => reflection(self.labels, &task.lesson_name),
            ActivityKind::Explainer if !facts.is_empty() => {
                explainer(self.labels, self.language, &self.outline(facts))
            }
            ActivityKind::Podcast if !facts.is_empty() => {
                podcast(self.labels, &self.outline(facts))
            }
            ActivityKind::Explainer | ActivityKind::Podcast | ActivityKind::Video => None,
        }
    }

    /// A quiz about the lesson; one that closes a unit asks about each of its lessons.
    fn quiz(
        &self,
        facts: &[String],
    ) -> Option<lyceum_domain::authoring::activities::ActivityContent> {
        let mut lessons = self.other_lessons();
        lessons.push(facts.to_vec());
        let known: Vec<String> = lessons.iter().flatten().chain(self.all).cloned().collect();
        let mut headings = self.task.siblings.clone();
        headings.push(self.task.lesson_name.clone());
        let most = self.items().unwrap_or_else(|| QUESTIONS.max(lessons.len()));
        let source = QuizSource {
            lessons: &lessons,
            course: &Course::of(&known, self.language),
            headings: &headings,
        };
        quiz_of(self.labels, &source, most).content
    }

    /// What the unit's other lessons say, as far as this engine wrote them; what a model writes after its plan is another text.
    fn other_lessons(&self) -> Vec<Vec<String>> {
        let marks = [self.labels.source_mark, self.labels.built_in_mark];
        let texts = self.task.unit_texts.iter();
        let ours = texts.filter(|text| marks.iter().any(|mark| text.contains(mark)));
        ours.map(|text| facts(text, self.labels)).collect()
    }

    /// How many questions or cards were asked for.
    fn items(&self) -> Option<usize> {
        self.task
            .items
            .and_then(|items| usize::try_from(items).ok())
    }

    /// Terms and what is said about them, in sentences or in the lesson's list of terms; or else the lesson's name
    /// with each statement.
    fn cards(&self, facts: &[String]) -> Vec<(String, String)> {
        let mut found = pairs(facts, self.language);
        // Several sets of cards share the sentences, and would all have the same list.
        let listed = if self.task.count > 1 {
            Vec::new()
        } else {
            glossary(&self.task.content)
        };
        for (term, meaning) in listed {
            if found.iter().all(|(known, _)| fold(known) != fold(&term)) {
                found.push((term, meaning));
            }
        }
        if found.is_empty() {
            let name = &self.task.lesson_name;
            let told = facts.iter().filter(|fact| !Labels::is_label(fact));
            found.extend(told.map(|fact| (name.clone(), fact.clone())));
        }
        found.truncate(self.items().unwrap_or(found.len()));
        found
    }

    fn outline<'a>(&'a self, facts: &'a [String]) -> LessonOutline<'a> {
        LessonOutline {
            topic: &self.task.lesson_name,
            objective: self.task.objectives.first().map_or("", String::as_str),
            text: &[],
            key_points: facts,
            terms: &[],
            origin: Origin::Brief,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::drafting::drafts::DraftFrame;
    use lyceum_domain::text::LanguageTag;
    use rstest::rstest;

    const TEXT: &str = "An ice bath is a sink full of ice and cold water. Food is cooled from 63 degrees to below 8 degrees \
within 90 minutes. Shallow trays are 5 cm deep. A probe thermometer is put into the thickest part.";

    fn frame(brief: &str) -> DraftFrame {
        DraftFrame {
            course_name: "Kitchen".to_owned(),
            course_description: String::new(),
            language: LanguageTag::english(),
            instructions: String::new(),
            unit_name: "Cooling".to_owned(),
            unit_description: String::new(),
            brief: brief.to_owned(),
            source_text: String::new(),
            model: String::new(),
        }
    }

    fn task(brief: &str) -> LessonTask {
        LessonTask {
            frame: frame(brief),
            name: "Trays".to_owned(),
            summary: String::new(),
            objectives: Vec::new(),
            siblings: Vec::new(),
            minutes: 0,
        }
    }

    fn of_lesson(content: &str, kind: ActivityKind, count: u32) -> ActivitiesTask {
        ActivitiesTask {
            frame: frame(""),
            lesson_name: "Trays".to_owned(),
            objectives: vec!["Use trays".to_owned()],
            content: content.to_owned(),
            siblings: vec!["Ice".to_owned(), "Logs".to_owned()],
            kind,
            count,
            items: None,
            names: Vec::new(),
            unit_texts: Vec::new(),
        }
    }

    #[test]
    fn a_lesson_holds_the_sentences_of_its_brief_and_says_who_made_it() {
        let written = lesson(&task(TEXT));
        assert!(written.content.contains("- Shallow trays are 5 cm deep."));
        assert!(written.content.contains("not by a language model"));
        assert_eq!(written.minutes, LESSON_MINUTES);
        assert_eq!(written, lesson(&task(TEXT)));
    }

    #[test]
    fn without_a_brief_a_lesson_takes_what_the_texts_around_say_about_it() {
        let mut wanted = task("");
        wanted.frame.unit_description = TEXT.to_owned();
        let content = lesson(&wanted).content;
        assert!(
            content.contains("Shallow trays") && !content.contains("ice bath"),
            "{content}"
        );
        let open = lesson(&task("")).content;
        assert!(open.contains("to be added by the teacher"), "{open}");
    }

    #[rstest]
    #[case(ActivityKind::Quiz, "questions")]
    #[case(ActivityKind::Flashcards, "cards")]
    #[case(ActivityKind::Explainer, "sections")]
    #[case(ActivityKind::Podcast, "segments")]
    #[case(ActivityKind::Reflection, "prompt")]
    fn every_kind_is_made_from_the_lesson(#[case] kind: ActivityKind, #[case] member: &str) {
        let made = activities(&of_lesson(TEXT, kind, 1));
        assert_eq!(made.len(), 1);
        assert!(made[0].content.as_map().contains_key(member), "{made:?}");
        assert_eq!(made, activities(&of_lesson(TEXT, kind, 1)));
    }

    #[test]
    fn several_activities_are_about_several_parts_under_several_names() {
        let made = activities(&of_lesson(TEXT, ActivityKind::Explainer, 3));
        let names: Vec<&str> = made.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Trays", "Trays 2", "Trays 3"]);
        let points = |one: &ActivityDraft| one.content.as_map().get("key_points").cloned();
        assert_ne!(points(&made[0]), points(&made[1]));
        assert_eq!(
            activities(&of_lesson(TEXT, ActivityKind::Podcast, 10)).len(),
            4
        );
    }

    #[test]
    fn a_lesson_of_ours_is_not_asked_about_its_own_prompts() {
        let outline = lesson(&task(TEXT)).content;
        let made = activities(&of_lesson(&outline, ActivityKind::Explainer, 1));
        let told = format!("{made:?}");
        assert!(told.contains("ice bath"));
        assert!(
            !told.contains("somebody new") && !told.contains("language model"),
            "{told}"
        );
    }

    #[rstest]
    #[case(ActivityKind::Quiz)]
    #[case(ActivityKind::Flashcards)]
    #[case(ActivityKind::Explainer)]
    #[case(ActivityKind::Podcast)]
    #[case(ActivityKind::Video)]
    fn nothing_is_made_of_nothing(#[case] kind: ActivityKind) {
        assert_eq!(activities(&of_lesson(" ", kind, 2)), []);
    }
}
