//! Quizzes from the lessons' own sentences: blanks, choices, true or false.
//!
//! A wrong option is a thing of the same kind from elsewhere in the course; no term is made up. Every lesson is asked about
//! before any is asked about twice, and where nothing is worth asking nothing is asked.

mod choices;
mod course;
mod difficulty;
mod forms;
mod items;
mod kinship;
mod variants;

use std::collections::BTreeSet;

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use serde_json::{Value, json};

use self::forms::Asking;
use self::items::{AskedFor, Form, Item, items};
use super::{Labels, content};
use crate::words::fold;

pub(crate) use course::Course;

/// Most questions of a quiz about few lessons; about more lessons there is one for each.
const MAX_QUESTIONS: usize = 6;

/// What a quiz is made from.
pub(crate) struct QuizSource<'a> {
    /// The sentences asked about, lesson by lesson.
    pub(crate) lessons: &'a [Vec<String>],
    /// All sentences of the course, for wrong options and for what is rare.
    pub(crate) course: &'a Course,
    /// Names of lessons and topics, which are headings.
    pub(crate) headings: &'a [String],
}

/// A quiz, and what it does not ask about.
pub(crate) struct QuizMade {
    /// `None` if nothing is worth asking.
    pub(crate) content: Option<ActivityContent>,
    /// The lessons, by their place, that say something and are not asked about.
    pub(crate) left_out: Vec<usize>,
}

/// A quiz of up to six questions, or as many as there are lessons.
pub(crate) fn quiz(labels: &'static Labels, source: &QuizSource<'_>) -> QuizMade {
    quiz_of(labels, source, MAX_QUESTIONS.max(source.lessons.len()))
}

/// A quiz of up to so many questions.
pub(crate) fn quiz_of(labels: &'static Labels, source: &QuizSource<'_>, most: usize) -> QuizMade {
    let chosen = chosen(labels, source, most);
    let asked: BTreeSet<usize> = chosen.iter().map(|item| item.lesson).collect();
    let lessons = source.lessons.iter().enumerate();
    let left_out = lessons
        .filter(|(at, facts)| !facts.is_empty() && !asked.contains(at))
        .map(|(at, _)| at)
        .collect();
    QuizMade {
        content: document(questions(labels, source, &chosen)),
        left_out,
    }
}

fn document(mut questions: Vec<Value>) -> Option<ActivityContent> {
    if questions.is_empty() {
        return None;
    }
    for (number, question) in (1..).zip(&mut questions) {
        if let Value::Object(question) = question {
            question.insert("id".to_owned(), json!(format!("q{number}")));
        }
    }
    content(
        ActivityKind::Quiz,
        json!({"questions": questions, "shuffle": true, "passing_percent": 70, "show_answers": "after_submit"}),
    )
}

/// The best items, in turn one of every lesson, until there are enough; none that another shows the answer of.
fn chosen(labels: &'static Labels, source: &QuizSource<'_>, most: usize) -> Vec<Item> {
    let lessons = source.lessons.iter().enumerate();
    let mut waiting: Vec<Vec<Item>> = lessons
        .map(|(at, facts)| {
            let mut of_lesson = items(source.course, at, facts, source.headings);
            of_lesson.reverse();
            of_lesson
        })
        .collect();
    let mut chosen: Vec<Item> = Vec::new();
    while chosen.len() < most && waiting.iter().any(|items| !items.is_empty()) {
        for items in &mut waiting {
            if chosen.len() < most {
                chosen.extend(next(items, &chosen, labels, source));
            }
        }
    }
    chosen.sort_by_key(|item| (item.lesson, item.at));
    chosen
}

/// The best of the waiting items that goes with those chosen; what does not is dropped.
fn next(
    waiting: &mut Vec<Item>,
    chosen: &[Item],
    labels: &'static Labels,
    source: &QuizSource<'_>,
) -> Option<Item> {
    while let Some(item) = waiting.pop() {
        let of_lesson = chosen
            .iter()
            .filter(|other| other.lesson == item.lesson)
            .count();
        // A name is asked for only where a lesson has nothing better.
        let wanted = item.kind != AskedFor::Name || of_lesson == 0;
        let can_be_asked = Asking::of(labels, source.course, &item)
            .is_some_and(|asking| !asking.forms().is_empty());
        if wanted
            && can_be_asked
            && chosen
                .iter()
                .all(|other| go_together(&item, other, source.course))
        {
            return Some(item);
        }
    }
    None
}

/// Whether neither item shows what the other asks for.
fn go_together(one: &Item, other: &Item, course: &Course) -> bool {
    let sentence = |item: &Item| {
        course
            .sentences
            .get(item.at)
            .map_or("", |sentence| sentence.text.as_str())
    };
    let shows = |shown: &Item, asked: &Item| {
        let text = course::whole_words(&shown.text(sentence(shown)));
        text.contains(&course::whole_words(&asked.answer))
    };
    one.at != other.at
        && fold(&one.answer) != fold(&other.answer)
        && !shows(one, other)
        && !shows(other, one)
}

/// The items as questions, in forms that take turns.
fn questions(labels: &'static Labels, source: &QuizSource<'_>, chosen: &[Item]) -> Vec<Value> {
    let (mut terms, mut numbers, mut truths) = (0_usize, 0_usize, 0_usize);
    let mut made = Vec::new();
    for item in chosen {
        let Some(asking) = Asking::of(labels, source.course, item) else {
            continue;
        };
        let (turn, preferred) = match item.kind {
            // One statement to judge is enough for a quiz.
            AskedFor::Number(_) => (&mut numbers, (truths == 0).then_some(Form::TrueOrFalse)),
            // The name of a lesson stands above the quiz; what it means does not.
            AskedFor::Defined | AskedFor::Term | AskedFor::Name => (
                &mut terms,
                is_heading(&item.answer, source).then_some(Form::Meanings),
            ),
        };
        let mut forms = asking.forms();
        let Some(form) = preferred.filter(|form| forms.contains(form)).or_else(|| {
            forms.retain(|form| *form != Form::TrueOrFalse);
            forms.get(*turn % forms.len().max(1)).copied()
        }) else {
            continue;
        };
        *turn += 1;
        truths += usize::from(form == Form::TrueOrFalse);
        made.push(asking.question(form));
    }
    made
}

fn is_heading(answer: &str, source: &QuizSource<'_>) -> bool {
    let mut headings = source.headings.iter();
    headings.any(|heading| fold(heading) == fold(answer))
}
