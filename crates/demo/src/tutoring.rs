//! Talks with the tutor: a question about a lesson, and one that asks for the answer of a quiz.

use anyhow::{Context, ensure};
use lyceum_client::Client;
use lyceum_domain::drafting::tutor::GuardedItem;
use lyceum_wire::drafting::tutor::{AskTutor, TutorReplyView};

use super::authoring::{LessonOutline, UnitOutline};
use super::progress::Done;

/// Most questions that are asked until one is answered from the course.
const TRIES: usize = 12;

/// A question with its reply.
pub struct Talk {
    /// The lesson that it was about.
    pub lesson: String,
    /// Both, as the service keeps them.
    pub turn: TutorReplyView,
}

/// A question about a lesson.
struct Question<'a> {
    lesson: &'a LessonOutline,
    text: String,
}

/// Asks something that a lesson says, and then for the answer of a quiz.
pub async fn talk(client: &Client, outline: &[UnitOutline]) -> anyhow::Result<Done<Vec<Talk>>> {
    let lessons: Vec<&LessonOutline> = outline.iter().flat_map(|unit| &unit.lessons).collect();
    let first = answered(client, &lessons).await?;
    let items = lessons
        .iter()
        .flat_map(|lesson| quiz_items(lesson).map(move |item| (*lesson, item)));
    // Best one whose answer stands in the lesson, where a search would find it.
    let (told, other): (Vec<_>, Vec<_>) = items
        .partition(|(lesson, item)| item.is_given_away_by(&lesson.lesson.content, &item.prompt));
    let (quizzed, item) = told
        .into_iter()
        .chain(other)
        .next()
        .context("no lesson has a quiz with an answer to hold back")?;
    let answer = Question {
        lesson: quizzed,
        text: item.prompt.chars().take(2_000).collect(),
    };
    let second = ask(client, answer).await?;
    ensure!(
        !item.is_given_away_by(&second.turn.message, &item.prompt),
        "the tutor gave the answer of a quiz away"
    );
    let result = format!(
        "a {} with {} citations; for a quiz's answer a {}",
        first.turn.act,
        first.turn.citations.len(),
        second.turn.act
    );
    let id = first.turn.thread_id.clone();
    Ok(Done::new(vec![first, second], id, result))
}

async fn ask(client: &Client, question: Question<'_>) -> anyhow::Result<Talk> {
    let path = format!("/v1/lessons/{}/tutor", question.lesson.lesson.id);
    let ask = AskTutor {
        message: question.text,
        thread_id: None,
    };
    let turn: TutorReplyView = client.post(&path, &ask).await?;
    ensure!(!turn.message.trim().is_empty(), "an empty reply");
    for citation in &turn.citations {
        ensure!(!citation.quote.trim().is_empty(), "an empty citation");
    }
    Ok(Talk {
        lesson: question.lesson.lesson.name.clone(),
        turn,
    })
}

/// The first question about a key point that is answered from the course: some points are what a quiz asks for.
async fn answered(client: &Client, lessons: &[&LessonOutline]) -> anyhow::Result<Talk> {
    let mut last = None;
    for question in lessons
        .iter()
        .filter_map(|lesson| about(lesson))
        .take(TRIES)
    {
        let talk = ask(client, question).await?;
        if !talk.turn.citations.is_empty() {
            return Ok(talk);
        }
        last = Some(talk);
    }
    last.context("no lesson has a key point to ask about")
}

/// A question about the last key point of a lesson: its beginning.
fn about(lesson: &LessonOutline) -> Option<Question<'_>> {
    let points = lesson.lesson.content.lines();
    let points = points.filter_map(|line| line.strip_prefix("- "));
    let point = points.rev().find(|point| !point.ends_with('?'))?;
    let words: Vec<&str> = point.split_whitespace().take(7).collect();
    Some(Question {
        lesson,
        text: format!("{} …?", words.join(" ")),
    })
}

/// The questions of a lesson's quizzes that have an answer to hold back.
fn quiz_items(lesson: &LessonOutline) -> impl Iterator<Item = GuardedItem> {
    let quizzes = lesson.activities.iter().filter(|one| one.kind == "quiz");
    quizzes
        .flat_map(|quiz| GuardedItem::of_quiz(&quiz.content.0))
        .filter(|item| !item.answers.is_empty())
}
