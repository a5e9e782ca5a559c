//! Lessons and activities from a model: checked, and turned into content of ours.
//!
//! Nothing is taken over that does not fit its kind; what breaks a rule is named, so that the model can repair it.

use lyceum_domain::activities::{ActivityContent, ActivityKind};
use lyceum_domain::drafts::{ActivitiesTask, DraftFrame, LessonTask, UnitTask};
use lyceum_domain::syllabus::{ActivityDraft, LessonDraft};
use lyceum_domain::text::Name;
use serde::Deserialize;
use serde_json::{Value, json};

use super::syllabus::{PlannedActivity, PlannedLesson, lessons_of_unit};
use crate::builtin::unused;

/// Schemas of the answers.
pub(super) const UNIT: &str = include_str!("../../schemas/unit.json");
pub(super) const LESSON: &str = include_str!("../../schemas/lesson.json");
const QUIZ: &str = include_str!("../../schemas/quiz.json");
const FLASHCARDS: &str = include_str!("../../schemas/flashcards.json");
const EXPLAINER: &str = include_str!("../../schemas/explainer.json");
const PODCAST: &str = include_str!("../../schemas/podcast.json");
const REFLECTION: &str = include_str!("../../schemas/reflection.json");

/// Most lessons that a plan of one unit may have.
const MAX_LESSONS: usize = 20;
/// Fewest words of a lesson.
const MIN_WORDS: usize = 60;
/// Minutes of an activity.
const ACTIVITY_MINUTES: u32 = 10;

/// Schema of activities of a kind; none for kinds that no model is asked for.
pub(super) const fn schema_of(kind: ActivityKind) -> Option<&'static str> {
    match kind {
        ActivityKind::Quiz => Some(QUIZ),
        ActivityKind::Flashcards => Some(FLASHCARDS),
        ActivityKind::Explainer => Some(EXPLAINER),
        ActivityKind::Podcast => Some(PODCAST),
        ActivityKind::Reflection => Some(REFLECTION),
        ActivityKind::Video => None,
    }
}

#[derive(Deserialize)]
struct UnitPlan {
    language: String,
    lessons: Vec<PlannedLesson>,
    activities: Vec<PlannedActivity>,
}

/// Reads the lessons of a unit; the rules they break otherwise.
pub(super) fn read_unit(
    document: &Value,
    task: &UnitTask,
) -> Result<Vec<LessonDraft>, Vec<String>> {
    let plan: UnitPlan = parsed(document)?;
    let mut broken = wrong_language(&plan.language, &task.frame);
    if !(1..=MAX_LESSONS).contains(&plan.lessons.len()) {
        broken.push("there must be 1 to 8 lessons".to_owned());
    }
    broken.extend(plan.lessons.iter().filter_map(PlannedLesson::broken_rule));
    if !broken.is_empty() {
        return Err(broken);
    }
    Ok(lessons_of_unit(
        &task.frame.unit_name,
        plan.lessons,
        plan.activities,
        task.frame.language.as_str(),
    ))
}

#[derive(Deserialize)]
struct WrittenLesson {
    language: String,
    summary: String,
    objectives: Vec<String>,
    minutes: i64,
    sections: Vec<Section>,
    key_terms: Vec<Term>,
    common_misconceptions: Vec<Misconception>,
}

#[derive(Deserialize)]
struct Section {
    heading: String,
    kind: String,
    markdown: String,
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

/// Reads the text of a lesson; the rules it breaks otherwise.
pub(super) fn read_lesson(document: &Value, task: &LessonTask) -> Result<LessonDraft, Vec<String>> {
    let written: WrittenLesson = parsed(document)?;
    let mut broken = wrong_language(&written.language, &task.frame);
    for kind in ["concept", "example", "check"] {
        if !written.sections.iter().any(|section| section.kind == kind) {
            broken.push(format!("there must be a section of kind {kind}"));
        }
    }
    let words: usize = written
        .sections
        .iter()
        .map(|section| section.markdown.split_whitespace().count())
        .sum();
    if words < MIN_WORDS {
        broken.push(format!(
            "the sections must have at least {MIN_WORDS} words together, not {words}"
        ));
    }
    for section in &written.sections {
        broken.extend(unsafe_markdown(&section.markdown));
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    Ok(LessonDraft {
        name: task.name.clone(),
        content: markdown(&written),
        summary: written.summary,
        objectives: written.objectives,
        minutes: u32::try_from(written.minutes.clamp(5, 240)).unwrap_or(30),
        activities: Vec::new(),
    })
}

fn markdown(lesson: &WrittenLesson) -> String {
    let mut parts: Vec<String> = lesson
        .sections
        .iter()
        .map(|section| {
            format!(
                "## {}\n\n{}",
                line(&section.heading),
                section.markdown.trim()
            )
        })
        .collect();
    let terms = lesson.key_terms.iter();
    let terms: Vec<String> = terms
        .map(|term| format!("- **{}**: {}", line(&term.term), line(&term.definition)))
        .collect();
    let wrong = lesson.common_misconceptions.iter();
    let wrong: Vec<String> = wrong
        .map(|one| format!("- *{}* {}", line(&one.belief), line(&one.correction)))
        .collect();
    // Set apart by a line, because we know no heading in every language.
    let lists = [terms, wrong].into_iter().filter(|list| !list.is_empty());
    parts.extend(lists.map(|list| format!("---\n\n{}", list.join("\n"))));
    parts.join("\n\n")
}

/// One line that Markdown does not read as HTML.
fn line(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    one_line.replace('<', "&lt;")
}

/// What a learner's browser would load or run. Code may show anything.
fn unsafe_markdown(text: &str) -> Option<String> {
    let prose: Vec<&str> = text.split('`').step_by(2).collect();
    let has_tag = |part: &&str| {
        part.split('<')
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'))
    };
    if prose.iter().any(has_tag) {
        return Some("Markdown must hold no raw HTML".to_owned());
    }
    let links = prose
        .iter()
        .any(|part| part.contains("](") || part.contains("]:"));
    links.then(|| "Markdown must hold no links and no images".to_owned())
}

#[derive(Deserialize)]
struct WrittenActivities {
    language: String,
    activities: Vec<Value>,
}

/// Reads activities of the task's kind; the rules they break otherwise.
pub(super) fn read_activities(
    document: &Value,
    task: &ActivitiesTask,
) -> Result<Vec<ActivityDraft>, Vec<String>> {
    let written: WrittenActivities = parsed(document)?;
    let mut broken = wrong_language(&written.language, &task.frame);
    if written.activities.is_empty() {
        broken.push(format!("there must be {} activities", task.count));
    }
    let mut names = task.names.clone();
    let mut made = Vec::new();
    let wanted = usize::try_from(task.count).unwrap_or(1);
    for one in written.activities.iter().take(wanted) {
        match content(one, task) {
            Ok(content) => {
                let title = one.get("title").and_then(Value::as_str).unwrap_or_default();
                let name = unused(Name::clamp(title, &task.lesson_name).as_str(), &names);
                names.push(name.clone());
                made.push(ActivityDraft {
                    kind: task.kind,
                    name,
                    content,
                    minutes: ACTIVITY_MINUTES,
                });
            }
            Err(rules) => broken.extend(rules),
        }
    }
    if broken.is_empty() {
        Ok(made)
    } else {
        Err(broken)
    }
}

fn content(one: &Value, task: &ActivitiesTask) -> Result<ActivityContent, Vec<String>> {
    let document = match task.kind {
        ActivityKind::Quiz => quiz(one, &task.content)?,
        ActivityKind::Flashcards => flashcards(one)?,
        ActivityKind::Explainer => explainer(one)?,
        ActivityKind::Podcast => podcast(one, task)?,
        ActivityKind::Reflection => json!({"prompt": one.get("prompt")}),
        ActivityKind::Video => json!({}),
    };
    let Value::Object(document) = document else {
        return Err(vec!["an activity must be an object".to_owned()]);
    };
    ActivityContent::parse(task.kind, document)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[derive(Deserialize)]
struct Quiz {
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    #[serde(rename = "type")]
    kind: String,
    prompt: String,
    source_quote: String,
    options: Vec<Choice>,
    answer: Option<bool>,
    accepted_answers: Vec<String>,
    explanation: String,
}

#[derive(Deserialize)]
struct Choice {
    text: String,
    correct: bool,
}

fn quiz(one: &Value, lesson: &str) -> Result<Value, Vec<String>> {
    let quiz: Quiz = parsed(one)?;
    let mut broken: Vec<String> = quiz.questions.iter().filter_map(broken_question).collect();
    if quiz.questions.is_empty() {
        broken.push("a quiz needs questions".to_owned());
    }
    let text = folded(lesson);
    let invented = quiz
        .questions
        .iter()
        .filter(|question| !text.contains(&folded(&question.source_quote)));
    // A third may be off, as with the quotes of a grade.
    if !text.is_empty() && invented.count() * 3 > quiz.questions.len() {
        broken.push("source_quote must stand in the lesson, word for word".to_owned());
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let questions: Vec<Value> = (1..)
        .zip(&quiz.questions)
        .map(|(number, question): (usize, _)| written(number, question))
        .collect();
    Ok(json!({
        "questions": questions, "shuffle": true, "passing_percent": 70, "show_answers": "after_submit",
    }))
}

fn folded(text: &str) -> String {
    let plain = text.replace(['*', '`', '_', '#'], "").to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn broken_question(question: &Question) -> Option<String> {
    let right = question.options.iter().filter(|one| one.correct).count();
    let wrong = question.options.len() - right;
    let mut texts: Vec<String> = question
        .options
        .iter()
        .map(|one| folded(&one.text))
        .collect();
    texts.sort();
    texts.dedup();
    let rule = match question.kind.as_str() {
        "single_choice" if right != 1 || wrong == 0 => {
            "a single_choice has exactly one correct option and at least one other"
        }
        "multiple_choice" if right < 2 || wrong == 0 => {
            "a multiple_choice has at least two correct options and a wrong one"
        }
        "true_false" if question.answer.is_none() => "a true_false needs an answer",
        "short_text"
            if question
                .accepted_answers
                .iter()
                .all(|a| a.trim().is_empty()) =>
        {
            "a short_text needs accepted_answers"
        }
        _ if texts.len() < question.options.len() => "options must differ",
        _ if texts.iter().any(String::is_empty) => "options must not be blank",
        _ if question.prompt.trim().is_empty() => "a question needs a prompt",
        _ => return None,
    };
    Some(rule.to_owned())
}

fn written(number: usize, question: &Question) -> Value {
    let mut document = json!({
        "id": format!("q{number}"),
        "type": question.kind,
        "prompt": question.prompt,
        "explanation": question.explanation,
    });
    let (member, value) = match question.kind.as_str() {
        "true_false" => ("answer", json!(question.answer)),
        "short_text" => ("accepted_answers", json!(question.accepted_answers)),
        _ => {
            let options: Vec<Value> = ('a'..='z')
                .zip(&question.options)
                .map(|(id, one)| json!({"id": id.to_string(), "text": one.text, "correct": one.correct}))
                .collect();
            ("options", json!(options))
        }
    };
    if let Value::Object(members) = &mut document {
        members.insert(member.to_owned(), value);
    }
    document
}

#[derive(Deserialize)]
struct Flashcards {
    cards: Vec<Card>,
}

#[derive(Deserialize)]
struct Card {
    front: String,
    back: String,
    hint: Option<String>,
}

fn flashcards(one: &Value) -> Result<Value, Vec<String>> {
    let written: Flashcards = parsed(one)?;
    let mut fronts: Vec<String> = written.cards.iter().map(|c| folded(&c.front)).collect();
    fronts.sort();
    fronts.dedup();
    if fronts.len() != written.cards.len() || written.cards.is_empty() {
        return Err(vec![
            "cards must be there, each with a front of its own".to_owned(),
        ]);
    }
    let cards: Vec<Value> = (1..)
        .zip(&written.cards)
        .map(|(number, card): (usize, _)| {
            let mut document =
                json!({"id": format!("f{number}"), "front": card.front, "back": card.back});
            if let (Some(hint), Value::Object(members)) = (&card.hint, &mut document) {
                members.insert("hint".to_owned(), json!(hint));
            }
            document
        })
        .collect();
    Ok(json!({ "cards": cards }))
}

#[derive(Deserialize)]
struct Explainer {
    sections: Vec<Part>,
    key_points: Vec<String>,
    glossary: Vec<Value>,
}

#[derive(Deserialize)]
struct Part {
    heading: String,
    body: String,
}

fn explainer(one: &Value) -> Result<Value, Vec<String>> {
    let written: Explainer = parsed(one)?;
    let mut broken: Vec<String> = written
        .sections
        .iter()
        .filter_map(|section| unsafe_markdown(&section.body))
        .collect();
    if written.sections.is_empty() {
        broken.push("an explainer needs sections".to_owned());
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let sections: Vec<Value> = (1..)
        .zip(&written.sections)
        .map(|(number, part): (usize, _)| {
            json!({"id": format!("s{number}"), "heading": part.heading, "body": part.body})
        })
        .collect();
    Ok(json!({
        "sections": sections, "key_points": written.key_points, "glossary": written.glossary,
    }))
}

#[derive(Deserialize)]
struct Podcast {
    speakers: Vec<Value>,
    segments: Vec<Value>,
}

fn podcast(one: &Value, task: &ActivitiesTask) -> Result<Value, Vec<String>> {
    let written: Podcast = parsed(one)?;
    let ids: Vec<&Value> = written
        .speakers
        .iter()
        .filter_map(|s| s.get("id"))
        .collect();
    let turns = written
        .segments
        .iter()
        .filter_map(|segment| segment.get("turns")?.as_array())
        .flatten();
    let strangers = turns
        .clone()
        .any(|turn| turn.get("speaker_id").is_none_or(|id| !ids.contains(&id)));
    if strangers || turns.count() == 0 {
        return Err(vec![
            "every turn must be spoken by one of the speakers".to_owned(),
        ]);
    }
    Ok(json!({
        "language": task.frame.language.as_str(),
        "speakers": written.speakers,
        "segments": written.segments,
        "audio": {"status": "none"},
    }))
}

fn parsed<'de, T: Deserialize<'de>>(document: &'de Value) -> Result<T, Vec<String>> {
    T::deserialize(document).map_err(|error| vec![error.to_string()])
}

fn wrong_language(given: &str, frame: &DraftFrame) -> Vec<String> {
    let wanted = frame.language.primary();
    let given = given.split('-').next().unwrap_or_default();
    if given.eq_ignore_ascii_case(wanted) {
        return Vec::new();
    }
    vec![format!(
        "everything must be written in the language {wanted}"
    )]
}
