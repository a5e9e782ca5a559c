//! A talk with the tutor: a question about a lesson, and one that asks for the answer of a quiz.

use anyhow::{Context, ensure};
use lyceum_client::Client;
use lyceum_domain::tutor::GuardedItem;
use lyceum_wire::tutor::{AskTutor, TutorReplyView};

use super::authoring::{LessonOutline, UnitOutline};
use super::progress::Done;

/// What was said, in order.
pub struct Talk {
    /// The lesson that it was about.
    pub lesson: String,
    /// Questions with their replies.
    pub turns: Vec<TutorReplyView>,
}

/// Asks about the first lesson with a quiz, and then for the answer of its first question.
pub async fn talk(client: &Client, outline: &[UnitOutline]) -> anyhow::Result<Done<Talk>> {
    let mut lessons = outline.iter().flat_map(|unit| &unit.lessons);
    let found = lessons.find_map(|lesson| Some((lesson, quiz_item(lesson)?)));
    let (lesson, item) = found.context("no lesson has a quiz with an answer to hold back")?;
    let path = format!("/v1/lessons/{}/tutor", lesson.lesson.id);
    let mut turns: Vec<TutorReplyView> = Vec::new();
    for question in [lesson.lesson.name.clone(), item.prompt.clone()] {
        let ask = AskTutor {
            message: question.chars().take(2_000).collect(),
            thread_id: turns.last().map(|turn| turn.thread_id.clone()),
        };
        turns.push(client.post(&path, &ask).await?);
    }
    let [about, answer] = turns.as_slice() else {
        anyhow::bail!("two replies were expected");
    };
    for citation in turns.iter().flat_map(|turn| &turn.citations) {
        ensure!(!citation.quote.trim().is_empty(), "an empty citation");
    }
    ensure!(!about.message.trim().is_empty(), "an empty reply");
    ensure!(
        !item.is_given_away_by(&answer.message, &item.prompt),
        "the tutor gave the answer of a quiz away"
    );
    let result = format!(
        "a {} with {} citations; the quiz's answer: {}",
        about.act,
        about.citations.len(),
        answer.act
    );
    let id = about.thread_id.clone();
    let talk = Talk {
        lesson: lesson.lesson.name.clone(),
        turns,
    };
    Ok(Done::new(talk, id, result))
}

/// The first question of the lesson's quizzes that has something to hold back.
fn quiz_item(lesson: &LessonOutline) -> Option<GuardedItem> {
    let mut quizzes = lesson.activities.iter().filter(|one| one.kind == "quiz");
    quizzes.find_map(|quiz| {
        let items = GuardedItem::of_quiz(&quiz.content.0);
        items.into_iter().find(|item| !item.answers.is_empty())
    })
}
