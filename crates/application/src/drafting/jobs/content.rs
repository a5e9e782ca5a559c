//! Drafting inside a course: lessons of a unit, the text of a lesson, activities.

use lyceum_domain::authoring::activities::{Activity, ActivityKind};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::drafting::drafts::{
    ActivitiesTask, DraftFrame, LessonTask, UnitTask, activity_is_open, fit_lessons,
    lesson_is_open, share_of_unit,
};
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::generations::{Generation, GenerationKind};
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft};
use lyceum_domain::ids::{ActivityId, GenerationId, LessonId, UnitId};
use lyceum_domain::running::in_use::Subject;
use lyceum_ports::drafting::ai::AiError;
use lyceum_ports::running::jobs::QueuedJob;
use serde_json::{Value, json};

use super::activities_steps::{self, DraftedActivities};
use super::draft_writer::{DraftWriter, MadeCounts};
use super::generation::{TARGET_GONE, asked, drop_lost, end, finish, model_of, pending};
use super::lesson_steps::{self, DraftedLesson};
use super::proposing;
use super::quiz_check;
use super::speech::Spoken;
use super::steps::{Drafted, Ended, KnownSteps, Steps, Stop, tasks};
use super::support_check;
use super::text_check;
use crate::app::App;
use crate::authoring::lessons;
use crate::claimed::{self, Claimed};
use crate::drafting::drafts::{self, Draft};
use crate::prelude::*;

/// What AI is asked for.
enum ContentTask {
    Unit(UnitTask),
    Lesson(LessonTask),
    Activities(ActivitiesTask),
}

impl ContentTask {
    const fn frame(&self) -> &DraftFrame {
        match self {
            Self::Unit(task) => &task.frame,
            Self::Lesson(task) => &task.frame,
            Self::Activities(task) => &task.frame,
        }
    }

    const fn frame_mut(&mut self) -> &mut DraftFrame {
        match self {
            Self::Unit(task) => &mut task.frame,
            Self::Lesson(task) => &mut task.frame,
            Self::Activities(task) => &mut task.frame,
        }
    }
}

/// Why what was drafted is not stored although it was asked for.
const WRITTEN_MEANWHILE: &str = "A person wrote something there meanwhile, and it stays.";
const USED_MEANWHILE: &str = "Learners have used it meanwhile, and it stays as they know it.";

pub async fn perform(app: &App, job: &Claimed, generation: GenerationId) -> Result<(), Error> {
    let wanted = job.clone();
    let Some((wanted, known)) = app
        .store
        .read(move |tx| prepare(tx, &wanted, generation))
        .await?
    else {
        return drop_lost(app, job, generation).await;
    };
    let steps = Steps::open(app, job, known, &wanted.frame().model);
    match wanted {
        ContentTask::Unit(task) => match draft_lessons(&steps, task).await {
            Ok(drafted) => {
                land(
                    app,
                    job,
                    generation,
                    drafted,
                    land_lessons,
                    Spoken::default(),
                )
                .await
            }
            Err(stop) => again(app, job, generation, steps.end(stop).await?).await,
        },
        ContentTask::Lesson(task) => match lesson_steps::draft(&steps, task).await {
            Ok(drafted) => {
                land(
                    app,
                    job,
                    generation,
                    drafted,
                    land_lesson,
                    Spoken::default(),
                )
                .await
            }
            Err(stop) => again(app, job, generation, steps.end(stop).await?).await,
        },
        ContentTask::Activities(task) => match activities_steps::draft(&steps, task).await {
            Ok(drafted) => {
                let spoken = drafted.value.spoken.clone();
                land(app, job, generation, drafted, land_activities, spoken).await
            }
            Err(stop) => again(app, job, generation, steps.end(stop).await?).await,
        },
    }
}

/// Once more where the built-in engine stands in for a provider that failed.
async fn again(
    app: &App,
    job: &Claimed,
    generation: GenerationId,
    ended: Ended,
) -> Result<(), Error> {
    match ended {
        Ended::Over => Ok(()),
        Ended::StandIn => Box::pin(perform(app, job, generation)).await,
    }
}

async fn draft_lessons(
    steps: &Steps<'_>,
    task: UnitTask,
) -> Result<Drafted<Vec<LessonDraft>>, Stop> {
    let (minutes, asked) = (task.minutes, tasks::unit(&task));
    let ask = steps.ask(StepKey::lessons(), asked, async |meter| {
        let mut answered = steps.app.ai.draft_unit(task, meter).await?;
        let fitted = fit_lessons(&mut answered.value, minutes);
        fitted.map_err(|error| AiError::InvalidOutput(error.to_string()))?;
        Ok(answered)
    });
    ask.await
}

/// Where something is drafted.
struct UnitContext {
    course: Course,
    unit: Unit,
    lessons: Vec<Lesson>,
}

impl UnitContext {
    fn of(tx: &mut dyn Tx, job: &QueuedJob, unit: UnitId) -> Result<Option<Self>, Error> {
        let Some(unit) = tx.units().find(job.workspace_id, unit)? else {
            return Ok(None);
        };
        let lessons = tx.lessons().of_units(job.workspace_id, &[unit.id])?;
        let course = tx.courses().find(job.workspace_id, unit.course_id)?;
        Ok(course.map(|course| Self {
            course,
            unit,
            lessons,
        }))
    }

    fn frame(&self, generation: &Generation) -> DraftFrame {
        DraftFrame {
            course_name: self.course.name.to_string(),
            course_description: self.course.description.to_string(),
            language: self.course.language.clone(),
            instructions: self.course.ai.instructions.to_string(),
            unit_name: self.unit.name.to_string(),
            unit_description: self.unit.description.to_string(),
            brief: asked(generation, "brief").unwrap_or_default().to_owned(),
            source_text: asked(generation, "source_text")
                .unwrap_or_default()
                .to_owned(),
            model: model_of(generation, &self.course).to_owned(),
        }
    }

    /// The same about one of its lessons, in the language that it has.
    fn frame_of(&self, generation: &Generation, lesson: &Lesson) -> DraftFrame {
        let mut frame = self.frame(generation);
        if let Some(language) = &lesson.language {
            frame.language = language.clone();
        }
        frame
    }

    fn siblings(&self, lesson: LessonId) -> Vec<String> {
        let others = self.lessons.iter().filter(|other| other.id != lesson);
        others.map(|other| other.name.to_string()).collect()
    }
}

fn prepare(
    tx: &mut dyn Tx,
    job: &Claimed,
    id: GenerationId,
) -> Result<Option<(ContentTask, KnownSteps)>, Error> {
    let Some(generation) = pending(tx, job.workspace_id, id)? else {
        return Ok(None);
    };
    let Some(mut wanted) = wanted_of(tx, job, &generation)? else {
        return Ok(None);
    };
    if let Some(model) = job.stand_in() {
        model.clone_into(&mut wanted.frame_mut().model);
    }
    Ok(Some((wanted, KnownSteps::of(tx, generation)?)))
}

fn wanted_of(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
) -> Result<Option<ContentTask>, Error> {
    match generation.kind {
        GenerationKind::Unit => prepare_unit(tx, job, generation),
        GenerationKind::Lesson => prepare_lesson(tx, job, generation),
        GenerationKind::Activities => {
            let Some(lesson) = lesson_of(tx, job, generation)? else {
                return Ok(None);
            };
            let kind = asked(generation, "kind").map(ActivityKind::parse);
            let Some(Ok(kind)) = kind else {
                return Ok(None);
            };
            let count = generation.request.get("count").and_then(Value::as_u64);
            let count = count.and_then(|count| u32::try_from(count).ok());
            prepare_activities(tx, job, generation, &lesson, kind, count.unwrap_or(1))
        }
        GenerationKind::Activity => {
            let Some(activity) = activity_of(tx, job, generation)? else {
                return Ok(None);
            };
            let Some(lesson) = tx.lessons().find(job.workspace_id, activity.lesson_id)? else {
                return Ok(None);
            };
            prepare_activities(tx, job, generation, &lesson, activity.kind, 1)
        }
        GenerationKind::Syllabus => Ok(None),
    }
}

fn prepare_unit(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
) -> Result<Option<ContentTask>, Error> {
    let Ok(unit) = generation.target_id.parse() else {
        return Ok(None);
    };
    let Some(place) = UnitContext::of(tx, job, unit)? else {
        return Ok(None);
    };
    let units = tx.units().count(job.workspace_id, place.course.id)?;
    let share = share_of_unit(place.course.hours.minutes(), units);
    let taken: u32 = place
        .lessons
        .iter()
        .map(|lesson| lesson.duration.get())
        .sum();
    Ok(Some(ContentTask::Unit(UnitTask {
        frame: place.frame(generation),
        objectives: place.unit.objectives.as_slice().to_vec(),
        lesson_names: place
            .lessons
            .iter()
            .map(|lesson| lesson.name.to_string())
            .collect(),
        minutes: share.saturating_sub(taken).max(LEAST_MINUTES),
    })))
}

/// Minutes that new lessons get when those that are there take the whole share of the unit.
const LEAST_MINUTES: u32 = 30;

fn prepare_lesson(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
) -> Result<Option<ContentTask>, Error> {
    let Some(lesson) = lesson_of(tx, job, generation)? else {
        return Ok(None);
    };
    let Some(place) = UnitContext::of(tx, job, lesson.unit_id)? else {
        return Ok(None);
    };
    Ok(Some(ContentTask::Lesson(LessonTask {
        frame: place.frame_of(generation, &lesson),
        siblings: place.siblings(lesson.id),
        name: lesson.name.to_string(),
        summary: lesson.summary.to_string(),
        objectives: lesson.objectives.as_slice().to_vec(),
        minutes: lesson.duration.get(),
    })))
}

fn prepare_activities(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
    lesson: &Lesson,
    kind: ActivityKind,
    count: u32,
) -> Result<Option<ContentTask>, Error> {
    let items = generation.request.get("items").and_then(Value::as_u64);
    let Some(place) = UnitContext::of(tx, job, lesson.unit_id)? else {
        return Ok(None);
    };
    let there = tx.activities().of_lessons(job.workspace_id, &[lesson.id])?;
    Ok(Some(ContentTask::Activities(ActivitiesTask {
        frame: place.frame_of(generation, lesson),
        lesson_name: lesson.name.to_string(),
        objectives: lesson.objectives.as_slice().to_vec(),
        content: lesson.content.to_string(),
        siblings: place.siblings(lesson.id),
        kind,
        count,
        items: items.and_then(|items| u32::try_from(items).ok()),
        names: there.iter().map(|one| one.name.to_string()).collect(),
        unit_texts: Vec::new(),
    })))
}

fn lesson_of(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
) -> Result<Option<Lesson>, Error> {
    let Ok(id) = generation.target_id.parse::<LessonId>() else {
        return Ok(None);
    };
    Ok(tx.lessons().find(job.workspace_id, id)?)
}

fn activity_of(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
) -> Result<Option<Activity>, Error> {
    let Ok(id) = generation.target_id.parse::<ActivityId>() else {
        return Ok(None);
    };
    Ok(tx.activities().find(job.workspace_id, id)?)
}

/// How drafts of a sort are stored, and the generation ended.
type Landing<T> = fn(&mut dyn Tx, &Context, &Claimed, Generation, &Drafted<T>) -> Result<(), Error>;

async fn land<T: Send + Sync + 'static>(
    app: &App,
    job: &Claimed,
    id: GenerationId,
    drafted: Drafted<T>,
    landing: Landing<T>,
    spoken: Spoken,
) -> Result<(), Error> {
    let claimed = job.clone();
    claimed::settle(app, job, move |tx, ctx| {
        let generation = pending(tx, claimed.workspace_id, id)?;
        let landed = generation.as_ref().map(|generation| generation.id);
        if let Some(generation) = generation {
            landing(tx, ctx, &claimed, generation, &drafted)?;
        }
        spoken.clear_up(tx, ctx, landed)
    })
    .await
}

fn land_lessons(
    tx: &mut dyn Tx,
    ctx: &Context,
    job: &Claimed,
    generation: Generation,
    drafted: &Drafted<Vec<LessonDraft>>,
) -> Result<(), Error> {
    let unit = match generation.target_id.parse() {
        Ok(id) => tx.units().find(job.workspace_id, id)?,
        Err(_) => None,
    };
    let Some(unit) = unit else {
        return end(tx, ctx, generation, "target_gone", TARGET_GONE);
    };
    let mut made = DraftWriter::by(&generation, drafted.model.clone());
    let (mut ids, mut pieces) = (Vec::new(), None);
    if generation.is_reviewed() {
        pieces = Some(proposing::lessons(tx, ctx, &made, &unit, &drafted.value)?);
    } else {
        let first = tx.lessons().count(ctx.workspace_id(), unit.id)?;
        for (position, draft) in (first..).zip(&drafted.value) {
            let id = made.whole_lesson(tx, ctx, &unit, position, draft)?;
            ids.push(id.to_string());
        }
        lessons::recount_generated(tx, ctx, unit.course_id)?;
    }
    let MadeCounts {
        lessons,
        activities,
        ..
    } = made.made();
    let mut result = json!({
        "model": drafted.model, "prompt_version": drafted.prompt_version,
        "source_hash": asked(&generation, "source_hash"),
        "lessons": lessons, "activities": activities, "lesson_ids": ids,
    });
    proposing::tell(pieces, &mut result);
    finish(tx, ctx, generation, job.labelled(result))
}

fn land_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    job: &Claimed,
    generation: Generation,
    drafted: &Drafted<DraftedLesson>,
) -> Result<(), Error> {
    let Some(lesson) = lesson_of(tx, job, &generation)? else {
        return end(tx, ctx, generation, "target_gone", TARGET_GONE);
    };
    let made = DraftWriter::by(&generation, drafted.model.clone());
    let (draft, support) = (&drafted.value.draft, &drafted.value.support);
    let (mut ids, mut pieces) = (Vec::new(), None);
    if generation.is_reviewed() {
        pieces = Some(proposing::lesson(tx, ctx, &made, &lesson, &drafted.value)?);
    } else if !lesson_is_open(&lesson) {
        return end(tx, ctx, generation, "not_editable", WRITTEN_MEANWHILE);
    } else if !lesson.content.is_blank() && is_used(tx, &generation, Subject::Lesson(lesson.id))? {
        return end(tx, ctx, generation, "in_use", USED_MEANWHILE);
    } else {
        let drafted = Draft::unchanged(draft, made.provenance());
        drafts::rewrite_lesson(tx, ctx, &lesson, drafted)?;
        ids.push(lesson.id.to_string());
    }
    let mut result = json!({
        "model": drafted.model, "prompt_version": drafted.prompt_version,
        "source_hash": asked(&generation, "source_hash"),
        "lessons": ids.len(), "lesson_ids": ids,
        "warnings": support_check::warnings(support).chain(text_check::of_lesson(draft)).collect::<Vec<_>>(),
    });
    support_check::tell(support, &mut result);
    proposing::tell(pieces, &mut result);
    finish(tx, ctx, generation, job.labelled(result))
}

/// Whether learners used it while it was drafted, and nobody said that it is to be written anew all the same.
fn is_used(tx: &mut dyn Tx, generation: &Generation, subject: Subject) -> Result<bool, Error> {
    let by_force = generation.request.get("force").and_then(Value::as_bool);
    if by_force.unwrap_or(false) {
        return Ok(false);
    }
    let uses = tx.in_use().uses(generation.workspace_id, subject, 1)?;
    Ok(!uses.is_none())
}

fn land_activities(
    tx: &mut dyn Tx,
    ctx: &Context,
    job: &Claimed,
    generation: Generation,
    drafted: &Drafted<DraftedActivities>,
) -> Result<(), Error> {
    let mut made = DraftWriter::by(&generation, drafted.model.clone());
    let (mut ids, mut pieces) = (Vec::new(), None);
    if generation.kind == GenerationKind::Activity {
        let Some(activity) = activity_of(tx, job, &generation)? else {
            return end(tx, ctx, generation, "target_gone", TARGET_GONE);
        };
        let (value, reviewed) = (&drafted.value, generation.is_reviewed());
        let found = value.drafts.iter().find(|one| one.kind == activity.kind);
        let is_open = reviewed || activity_is_open(&activity);
        let Some(draft) = found.filter(|_| is_open) else {
            return end(tx, ctx, generation, "not_editable", WRITTEN_MEANWHILE);
        };
        let has_content = !activity.content.as_map().is_empty();
        if reviewed {
            pieces = Some(proposing::activity(
                tx,
                ctx,
                &made,
                &activity,
                (draft, value),
            )?);
        } else if has_content && is_used(tx, &generation, Subject::Activity(activity.id))? {
            return end(tx, ctx, generation, "in_use", USED_MEANWHILE);
        } else {
            let drafted = Draft::unchanged(draft, made.provenance());
            drafts::rewrite_activity(tx, ctx, &activity, drafted)?;
            ids.push(activity.id.to_string());
        }
    } else {
        let Some(lesson) = lesson_of(tx, job, &generation)? else {
            return end(tx, ctx, generation, "target_gone", TARGET_GONE);
        };
        if generation.is_reviewed() {
            pieces = Some(proposing::activities(
                tx,
                ctx,
                &made,
                &lesson,
                &drafted.value,
            )?);
        } else {
            ids = put_activities(tx, ctx, &mut made, &lesson, &drafted.value.drafts)?;
        }
    }
    let mut result = activities_result(&generation, drafted, &ids);
    proposing::tell(pieces, &mut result);
    finish(tx, ctx, generation, job.labelled(result))
}

/// Makes activities behind those that a lesson has; their ids.
fn put_activities(
    tx: &mut dyn Tx,
    ctx: &Context,
    made: &mut DraftWriter,
    lesson: &Lesson,
    drafts: &[ActivityDraft],
) -> Result<Vec<String>, Error> {
    let first = tx.activities().count(ctx.workspace_id(), lesson.id)?;
    let mut ids = Vec::new();
    for (position, draft) in (first..).zip(drafts) {
        let drafted = (draft, made.provenance());
        let id = made.activity(tx, ctx, lesson, position, drafted)?;
        ids.push(id.to_string());
    }
    Ok(ids)
}

fn activities_result(
    generation: &Generation,
    drafted: &Drafted<DraftedActivities>,
    ids: &[String],
) -> Value {
    let value = &drafted.value;
    let told = value.spoken.warnings.iter().cloned();
    let lost = value.drafts.iter().flat_map(text_check::of_activity);
    let warnings = quiz_check::warnings(&value.quizzes).chain(told).chain(lost);
    json!({
        "model": drafted.model, "prompt_version": drafted.prompt_version,
        "source_hash": asked(generation, "source_hash"),
        "activities": ids.len(), "activity_ids": ids,
        "quizzes": quiz_check::told(&value.quizzes),
        "warnings": warnings.collect::<Vec<_>>(),
    })
}
