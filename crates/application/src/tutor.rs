//! What callers ask the tutor of a lesson.
//!
//! Three steps, because somebody remote answers and the caller waits: read what the tutor is told (a transaction),
//! ask (outside any), keep the turn and show the reply (a transaction). What the tutor is told is what any reader
//! of the lesson sees; activities and assignments are not looked up.

use lyceum_domain::lessons::{Lesson, LessonId};
use lyceum_domain::tutor::{
    ThreadId, TutorProposal, TutorRequest, TutorSettings, TutorTask, TutorTurn, checked,
};
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::ai::Answered;
use lyceum_ports::ai_calls::{Allowance, Meter};
use lyceum_ports::store::Tx;
use lyceum_wire::tutor::TutorReplyView;

use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::lookup::{found, referenced};
use crate::{ai_calls, visibility};

/// A message that is ready to be put to the tutor.
#[derive(Debug, Clone)]
pub struct Question {
    workspace_id: WorkspaceId,
    allowance: Allowance,
    lesson_id: LessonId,
    thread_id: Option<ThreadId>,
    task: TutorTask,
}

/// A message and what the tutor proposes to say.
#[derive(Debug, Clone)]
pub struct Told {
    question: Question,
    answered: Answered<TutorProposal>,
}

/// Reads what the tutor is told.
///
/// # Errors
/// [`Error::NotFound`] for a lesson that the caller does not see, [`Error::Reference`] for a conversation that is not
/// theirs or not about this lesson, [`Error::Conflict`] where the tutor is switched off
pub fn prepare(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    request: &TutorRequest,
) -> Result<Question, Error> {
    let lesson = visible(tx, ctx, id)?;
    let workspace = ctx.workspace_id();
    let course = found(tx.courses().find(workspace, lesson.course_id)?, "lesson")?;
    let earlier = match request.thread_id {
        None => Vec::new(),
        Some(thread) => {
            let user = ctx.member()?.user.id;
            let turns = tx.tutor().newest(workspace, user, id, thread)?;
            let known = (!turns.is_empty()).then_some(turns);
            referenced(known, "thread_id", "thread")?
        }
    };
    TutorSettings::of(&course).check()?;
    let task = TutorTask::new(&course, &lesson, earlier, &request.message);
    ai_calls::check_budget(tx, ctx, &task.model)?;
    Ok(Question {
        workspace_id: workspace,
        allowance: ai_calls::meter_for(tx, &ctx.workspace, ctx.now, Allowance::default())?,
        lesson_id: id,
        thread_id: request.thread_id,
        task,
    })
}

/// Asks the tutor.
///
/// # Errors
/// [`Error::Ai`]
pub async fn ask(app: App, question: Question) -> Result<Told, Error> {
    let meter = Meter::new(question.allowance);
    let answered = app.ai.tutor(question.task.clone(), &meter).await;
    let (workspace, lesson) = (question.workspace_id, question.lesson_id.to_string());
    ai_calls::book(&app, workspace, &lesson, &meter).await?;
    let answered = answered?;
    Ok(Told { question, answered })
}

/// Keeps the turn, forgets those that are too old, and shows the reply.
///
/// # Errors
/// [`Error::NotFound`] if the lesson went away meanwhile
pub fn settle(tx: &mut dyn Tx, ctx: &Context, told: &Told) -> Result<TutorReplyView, Error> {
    let Told { question, answered } = told;
    let lesson = visible(tx, ctx, question.lesson_id)?;
    let user_id = ctx.member()?.user.id;
    let workspace = ctx.workspace_id();
    // What the tutor was told may have changed since; citations are of what stands there now.
    let reply = checked(lesson.content.as_str(), &answered.value);
    let turn = TutorTurn {
        workspace_id: workspace,
        id: ctx.mint(),
        thread_id: question.thread_id.unwrap_or_else(|| ctx.mint()),
        lesson_id: lesson.id,
        user_id,
        message: question.task.message.clone(),
        reply: reply.message.clone(),
        created_at: ctx.now,
    };
    tx.tutor().insert(&turn)?;
    let newest = tx
        .tutor()
        .newest(workspace, user_id, lesson.id, turn.thread_id)?;
    if let Some(oldest) = newest.first() {
        tx.tutor()
            .forget_before(workspace, turn.thread_id, oldest.id)?;
    }
    Ok(TutorReplyView::new(&turn, &reply, &answered.model))
}

fn visible(tx: &mut dyn Tx, ctx: &Context, id: LessonId) -> Result<Lesson, Error> {
    let lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
    visibility::refuse_hidden(tx, ctx, lesson.course_id, "lesson")?;
    Ok(lesson)
}

#[cfg(test)]
mod tests {
    use lyceum_domain::keys::KeyKind;
    use lyceum_domain::users::Role;
    use lyceum_ports::ai::Usage;
    use lyceum_ports::mocks::MockTx;

    use super::*;
    use crate::visibility::tests::{context, id};

    fn told() -> Told {
        let task = TutorTask {
            course_name: String::new(),
            language: "en".to_owned(),
            course_instructions: String::new(),
            tutor_instructions: String::new(),
            lesson_name: String::new(),
            summary: String::new(),
            objectives: Vec::new(),
            content: String::new(),
            earlier: Vec::new(),
            message: "Why?".to_owned(),
            private: Vec::new(),
            model: String::new(),
        };
        let value = TutorProposal {
            message: "So.".to_owned(),
            quotes: Vec::new(),
        };
        Told {
            question: Question {
                workspace_id: id(1),
                allowance: Allowance::default(),
                lesson_id: id(5),
                thread_id: None,
                task,
            },
            answered: Answered {
                value,
                model_asked: "m".to_owned(),
                model: "m".to_owned(),
                prompt_version: String::new(),
                raw: String::new(),
                usage: Usage::default(),
                cost: None,
                latency: std::time::Duration::ZERO,
            },
        }
    }

    #[test]
    fn of_a_lesson_that_went_away_while_the_tutor_spoke_nothing_is_kept() {
        let mut tx = MockTx::default();
        tx.lessons.expect_find().returning(|_, _| Ok(None));
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let gone = settle(&mut tx, &ctx, &told());
        assert!(matches!(gone, Err(Error::NotFound("lesson"))));
    }
}
