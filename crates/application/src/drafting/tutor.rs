//! What callers ask the tutor of a lesson.
//!
//! Three steps, because somebody remote answers and the caller waits: read what the tutor is told (a transaction),
//! ask (outside any), keep the turn and show the reply (a transaction). What the tutor is told is what any reader
//! of the course sees. Keys of open tasks are looked up for one purpose: a reply that gives one away is not shown.

use std::collections::HashSet;
use std::sync::Arc;

use lyceum_domain::authoring::activities::quiz::Quiz;
use lyceum_domain::authoring::activities::{Activity, ActivityKind};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::drafting::tutor::{
    GuardedItem, TutorProposal, TutorRequest, TutorSettings, TutorSource, TutorTask, TutorTurn,
    checked,
};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::identity::users::User;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::ActivityId;
use lyceum_domain::ids::LessonId;
use lyceum_domain::ids::ThreadId;
use lyceum_ports::drafting::ai::{AiError, Answered};
use lyceum_ports::drafting::ai_calls::{Allowance, Meter};
use lyceum_ports::traces::TraceParent;
use lyceum_wire::drafting::tutor::TutorReplyView;

use crate::app::App;
use crate::authoring::texts;
use crate::authoring::versions::pinning;
use crate::drafting::ai_calls;
use crate::drafting::ai_reservations::BudgetReservation;
use crate::identity::visibility::{self, Sight};
use crate::prelude::*;

/// Which part of a talk is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TutorFilter {
    /// One conversation.
    pub thread_id: Option<ThreadId>,
}

/// A message that is ready to be put to the tutor.
#[derive(Debug, Clone)]
pub struct Question {
    workspace_id: WorkspaceId,
    allowance: Allowance,
    spender: Spender,
    workspace: Arc<Workspace>,
    lesson_id: LessonId,
    thread_id: Option<ThreadId>,
    trace: Option<TraceParent>,
    task: TutorTask,
}

/// A message and what the tutor proposes to say.
#[derive(Debug, Clone)]
pub struct TutorAnswer {
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
    let (lesson, sight) = visible(tx, ctx, id)?;
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
    let settings = TutorSettings::of(&course);
    settings.check()?;
    let mut task = TutorTask::new(&course, &lesson, earlier, &request.message);
    task.private = names_of(&ctx.member()?.user);
    let lessons = lessons_of(tx, &sight, &course)?;
    if settings.guards_tasks {
        task.guarded = open_tasks(tx, ctx, (&course, &sight), &lessons)?;
    }
    if settings.reads_course {
        let others = lessons.iter().filter(|other| other.id != id);
        task.others = others.map(source).collect();
    }
    ai_calls::check_budget(tx, ctx, &task.model)?;
    let spender = ctx.spender();
    let payer = (spender, ctx.now);
    Ok(Question {
        workspace_id: workspace,
        allowance: ai_calls::meter_for(tx, &ctx.workspace, &ctx.settings.spending, payer)?,
        spender,
        workspace: Arc::clone(&ctx.workspace),
        lesson_id: id,
        thread_id: request.thread_id,
        trace: ctx.trace,
        task,
    })
}

/// What names a person, wherever it stands in a text.
fn names_of(user: &User) -> Vec<String> {
    let name = user.name.as_ref().map(ToString::to_string);
    let told = [
        name,
        Some(user.email.to_string()),
        Some(user.id.to_string()),
        user.external_id.clone(),
    ];
    told.into_iter().flatten().collect()
}

/// The lessons of a course in its order.
fn lessons_of(tx: &mut dyn Tx, sight: &Sight, course: &Course) -> Result<Vec<Lesson>, Error> {
    let units = tx.units().of_courses(course.workspace_id, &[course.id])?;
    let ids: Vec<_> = units.iter().map(|unit| unit.id).collect();
    let mut lessons = tx.lessons().of_units(course.workspace_id, &ids)?;
    let place = |lesson: &Lesson| ids.iter().position(|unit| *unit == lesson.unit_id);
    lessons.sort_by_key(|lesson| (place(lesson), lesson.position));
    pinning::as_seen(tx, sight, &mut lessons)?;
    Ok(lessons)
}

fn source(lesson: &Lesson) -> TutorSource {
    TutorSource {
        lesson_id: lesson.id,
        name: lesson.name.to_string(),
        content: lesson.content.to_string(),
    }
}

/// The tasks of the course whose answers the caller is not to hear: assignments, and quizzes whose answers they have
/// not been shown yet.
fn open_tasks(
    tx: &mut dyn Tx,
    ctx: &Context,
    (course, sight): (&Course, &Sight),
    lessons: &[Lesson],
) -> Result<Vec<GuardedItem>, Error> {
    let (workspace, user) = (course.workspace_id, ctx.member()?.user.id);
    let ids: Vec<LessonId> = lessons.iter().map(|lesson| lesson.id).collect();
    let mut activities = tx.activities().of_lessons(workspace, &ids)?;
    pinning::as_seen(tx, sight, &mut activities)?;
    let tried = tx.attempts().best(workspace, &[user], &[course.id])?;
    let tried: HashSet<ActivityId> = tried.iter().map(|best| best.activity_id).collect();
    let is_open = |quiz: &&Activity| {
        !(tried.contains(&quiz.id) && Quiz::of(quiz.content.as_map()).shows_answers)
    };
    let quizzes = activities
        .iter()
        .filter(|activity| activity.kind == ActivityKind::Quiz)
        .filter(is_open);
    let mut guarded: Vec<GuardedItem> = quizzes
        .flat_map(|quiz| GuardedItem::of_quiz(quiz.content.as_map()))
        .collect();
    let mut assignments = tx.assignments().of_course(workspace, course.id)?;
    pinning::as_seen(tx, sight, &mut assignments)?;
    for assignment in assignments {
        let rubric = assignment.grading.rubric.as_ref();
        guarded.push(GuardedItem::of_assignment(
            assignment.instructions.as_str(),
            rubric,
        ));
    }
    guarded.retain(|item| !item.is_empty());
    Ok(guarded)
}

/// Asks the tutor.
///
/// # Errors
/// [`Error::Ai`]
pub async fn ask(app: App, question: Question) -> Result<TutorAnswer, Error> {
    let shared = BudgetReservation::of(&app, &question.workspace, question.spender);
    let meter = Meter::new(question.allowance)
        .on_behalf_of(question.workspace_id)
        .sharing(shared)
        .watched(app.tracing.calls(question.trace));
    let answered = app.ai.tutor(question.task.clone(), &meter).await;
    let (workspace, lesson) = (question.workspace_id, question.lesson_id.to_string());
    ai_calls::book(&app, workspace, (&lesson, question.spender), &meter).await?;
    let answered = answered?;
    if question.task.is_given_away_by(&answered.value.message) {
        // Whoever answered should have seen it; nobody else is to.
        let sentence = "the reply gives an open task away";
        return Err(AiError::InvalidOutput(sentence.to_owned()).into());
    }
    Ok(TutorAnswer { question, answered })
}

/// Keeps the turn, forgets those that are too old, and shows the reply.
///
/// # Errors
/// [`Error::NotFound`] if the lesson went away meanwhile
pub fn settle(tx: &mut dyn Tx, ctx: &Context, told: &TutorAnswer) -> Result<TutorReplyView, Error> {
    let TutorAnswer { question, answered } = told;
    let (lesson, sight) = visible(tx, ctx, question.lesson_id)?;
    let user_id = ctx.member()?.user.id;
    let workspace = ctx.workspace_id();
    // What the tutor was told may have changed since; citations are of what stands there now.
    let sources = sources_now(tx, &sight, &lesson, question)?;
    let turn = TutorTurn {
        workspace_id: workspace,
        id: ctx.mint(),
        thread_id: question.thread_id.unwrap_or_else(|| ctx.mint()),
        lesson_id: lesson.id,
        user_id,
        message: question.task.message.clone(),
        reply: checked(&sources, &answered.value),
        hint_level: question.task.hint_level,
        model: answered.model.clone(),
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
    Ok(view(&turn, &question.task.language))
}

/// Shows a page of the caller's own talk about a lesson, newest first: all of it, or one conversation.
///
/// # Errors
/// [`Error::NotFound`] for a lesson that the caller does not see
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: LessonId,
    filter: &TutorFilter,
    page: &PageRequest,
) -> Result<Page<TutorReplyView>, Error> {
    let (lesson, _) = visible(tx, ctx, id)?;
    let (workspace, user) = (ctx.workspace_id(), ctx.member()?.user.id);
    let talk = tx
        .tutor()
        .page(workspace, user, id, filter.thread_id, page)?;
    let language = match lesson.language {
        Some(language) => language,
        None => found(tx.courses().find(workspace, lesson.course_id)?, "lesson")?.language,
    };
    Ok(talk.map(|turn| view(&turn, language.as_str())))
}

fn view(turn: &TutorTurn, language: &str) -> TutorReplyView {
    TutorReplyView::new(turn, texts::html_of_reply(&turn.reply.message, language))
}

/// The texts that a reply may cite, as they stand now: the lesson's, then the others' in the order of the task.
fn sources_now(
    tx: &mut dyn Tx,
    sight: &Sight,
    lesson: &Lesson,
    question: &Question,
) -> Result<Vec<(LessonId, String)>, Error> {
    let ids: Vec<LessonId> = question
        .task
        .others
        .iter()
        .map(|other| other.lesson_id)
        .collect();
    let mut there = tx.lessons().with_ids(lesson.workspace_id, &ids)?;
    pinning::as_seen(tx, sight, &mut there)?;
    let text = |id: &LessonId| {
        let found = there.iter().find(|lesson| lesson.id == *id);
        found.map_or_else(String::new, |lesson| lesson.content.to_string())
    };
    let others = ids.iter().map(|id| (*id, text(id)));
    let own = (lesson.id, lesson.content.to_string());
    Ok(std::iter::once(own).chain(others).collect())
}

/// A lesson as the caller sees it, and what else they see.
fn visible(tx: &mut dyn Tx, ctx: &Context, id: LessonId) -> Result<(Lesson, Sight), Error> {
    let mut lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
    let sight = visibility::sight(tx, ctx)?;
    sight.refuse_hidden(lesson.course_id, "lesson")?;
    pinning::as_seen(tx, &sight, std::slice::from_mut(&mut lesson))?;
    Ok((lesson, sight))
}

#[cfg(test)]
mod tests {
    use lyceum_domain::drafting::tutor::TutorMove;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_ports::drafting::ai::Usage;
    use lyceum_ports::mocks::MockTx;

    use super::*;
    use crate::identity::visibility::tests::{context, id};

    fn told() -> TutorAnswer {
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
            others: Vec::new(),
            guarded: Vec::new(),
            hint_level: 1,
            message: "Why?".to_owned(),
            private: Vec::new(),
            model: String::new(),
        };
        let value = TutorProposal {
            message: "So.".to_owned(),
            act: TutorMove::Hint,
            quotes: Vec::new(),
            handoff_to_teacher: false,
        };
        TutorAnswer {
            question: Question {
                workspace_id: id(1),
                spender: Spender::Learners,
                workspace: context(Role::Student, KeyKind::Session).workspace,
                allowance: Allowance::default(),
                lesson_id: id(5),
                thread_id: None,
                trace: None,
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
