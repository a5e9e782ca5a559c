//! Drafting a course: its plan, for long courses the lessons unit by unit, and, if all of it is wanted, the texts.

use std::collections::BTreeMap;

use lyceum_domain::authoring::courses::{Course, Hours};
use lyceum_domain::drafting::drafts::{UnitTask, fit_lessons};
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::generations::{Generation, SyllabusContent};
use lyceum_domain::drafting::syllabus::{LessonDraft, SyllabusDraft, UnitDraft};
use lyceum_domain::ids::{CourseId, GenerationId};
use lyceum_ports::drafting::ai::AiError;
use lyceum_ports::running::jobs::QueuedJob;
use serde_json::{Value, json};

use super::course_task::CourseTask;
use super::draft_writer::{DraftWriter, MadeCounts};
use super::full_course::{self, WrittenLesson};
use super::generation::{TARGET_GONE, asked, drop_lost, end, finish, pending};
use super::proposing;
use super::quiz_check::{self, QuizReport};
use super::replace;
use super::speech::{self, Spoken};
use super::steps::{Drafted, Ended, KnownSteps, Steps, Stop, tasks};
use super::support_check::{self, SupportReport};
use super::text_check;
use crate::app::App;
use crate::authoring::lessons;
use crate::claimed::{self, Claimed};
use crate::prelude::*;

/// Most hours whose lessons a model plans in one answer; longer courses get their lessons unit by unit.
const HOURS_OF_ONE_ANSWER: i64 = 60;

/// A drafted course, before it lands.
#[derive(Debug, Clone)]
struct DraftedCourse {
    plan: Drafted<SyllabusDraft>,
    /// Which model answered which step, where it made something of its own.
    models: BTreeMap<StepKey, String>,
    quizzes: Vec<QuizReport>,
    support: Vec<SupportReport>,
    warnings: Vec<String>,
    spoken: Spoken,
}

pub async fn perform(app: &App, job: &Claimed, generation: GenerationId) -> Result<(), Error> {
    let wanted = job.clone();
    let Some((task, known)) = app
        .store
        .read(move |tx| prepare(tx, &wanted, generation))
        .await?
    else {
        return drop_lost(app, job, generation).await;
    };
    let steps = Steps::open(app, job, known, &task.brief.model);
    match draft(&steps, &task).await {
        Ok(course) => land(app, job, generation, course).await,
        Err(stop) => match steps.end(stop).await? {
            Ended::Over => Ok(()),
            // With what the provider did before it failed.
            Ended::StandIn => Box::pin(perform(app, job, generation)).await,
        },
    }
}

fn prepare(
    tx: &mut dyn Tx,
    job: &Claimed,
    id: GenerationId,
) -> Result<Option<(CourseTask, KnownSteps)>, Error> {
    let Some(generation) = pending(tx, job.workspace_id, id)? else {
        return Ok(None);
    };
    let Some(course) = course_of(tx, job, &generation)? else {
        return Ok(None);
    };
    let mut task = CourseTask::of(&generation, &course);
    if let Some(model) = job.stand_in() {
        model.clone_into(&mut task.brief.model);
    }
    Ok(Some((task, KnownSteps::of(tx, generation)?)))
}

fn course_of(
    tx: &mut dyn Tx,
    job: &QueuedJob,
    generation: &Generation,
) -> Result<Option<Course>, Error> {
    let Ok(id) = generation.target_id.parse::<CourseId>() else {
        return Ok(None);
    };
    Ok(tx.courses().find(job.workspace_id, id)?)
}

async fn draft(steps: &Steps<'_>, task: &CourseTask) -> Result<DraftedCourse, Stop> {
    let mut plan = outline(steps, task).await?;
    if is_long(steps, task) {
        plan.value.units = planned_units(steps, task, plan.value.units).await?;
    }
    let mut course = DraftedCourse {
        plan,
        models: BTreeMap::new(),
        quizzes: Vec::new(),
        support: Vec::new(),
        warnings: Vec::new(),
        spoken: Spoken::default(),
    };
    if task.content == SyllabusContent::Full {
        let plan = &course.plan.value;
        steps.plan(full_course::keys(steps, task, plan)).await?;
        let written = full_course::write(steps, task, plan).await?;
        course.take(written);
        // At the end, so that a budget that is too small goes into texts.
        let scripts = full_course::activities(&mut course.plan.value);
        course.spoken = speech::record(steps, task.brief.language.as_str(), scripts).await?;
        course.warnings.extend(course.spoken.warnings.clone());
    }
    let lost = text_check::of_units(&course.plan.value.units);
    course.warnings.extend(lost);
    Ok(course)
}

/// The built-in engine plans any length at once.
fn is_long(steps: &Steps<'_>, task: &CourseTask) -> bool {
    i64::from(task.brief.hours.get()) > HOURS_OF_ONE_ANSWER && !steps.is_built_in()
}

/// The plan, fitted to the hours. Of a long course it is asked for in the size that one answer holds, for the units
/// that it has; their lessons come later.
async fn outline(steps: &Steps<'_>, task: &CourseTask) -> Result<Drafted<SyllabusDraft>, Stop> {
    let (hours, mut brief) = (task.brief.hours, task.brief.clone());
    if is_long(steps, task) {
        brief.hours = Hours::parse(HOURS_OF_ONE_ANSWER).unwrap_or(hours);
    }
    let mut asked = tasks::syllabus(&brief);
    if let Some(members) = asked.as_object_mut() {
        members.insert("fitted_to".to_owned(), json!(hours.get()));
    }
    let ask = steps.ask(StepKey::outline(), asked, async |meter| {
        let mut answered = steps.app.ai.draft_syllabus(brief, meter).await?;
        let fitted = answered.value.fit_to(hours);
        fitted.map_err(|error| AiError::InvalidOutput(error.to_string()))?;
        Ok(answered)
    });
    ask.await
}

/// The units with lessons that were planned for each of them alone, in the minutes that it has.
async fn planned_units(
    steps: &Steps<'_>,
    task: &CourseTask,
    units: Vec<UnitDraft>,
) -> Result<Vec<UnitDraft>, Stop> {
    steps
        .plan((0..units.len()).map(StepKey::unit).collect())
        .await?;
    let all = units
        .iter()
        .enumerate()
        .map(|(at, unit)| Box::pin(lessons_of(steps, task, unit, at)));
    let lessons = steps.side_by_side(all.collect::<Vec<_>>()).await?;
    let filled = units
        .into_iter()
        .zip(lessons)
        .map(|(unit, lessons)| UnitDraft { lessons, ..unit });
    Ok(filled.collect())
}

async fn lessons_of(
    steps: &Steps<'_>,
    task: &CourseTask,
    unit: &UnitDraft,
    at: usize,
) -> Result<Vec<LessonDraft>, Stop> {
    let minutes = unit.lessons.iter().map(|lesson| lesson.minutes).sum();
    let wanted = UnitTask {
        frame: task.frame(unit, task.brief.brief.clone()),
        objectives: unit.objectives.clone(),
        lesson_names: Vec::new(),
        minutes,
    };
    let ask = steps.ask(StepKey::unit(at), tasks::unit(&wanted), async |meter| {
        let mut answered = steps.app.ai.draft_unit(wanted, meter).await?;
        let fitted = fit_lessons(&mut answered.value, minutes);
        fitted.map_err(|error| AiError::InvalidOutput(error.to_string()))?;
        Ok(answered)
    });
    Ok(ask.await?.value)
}

impl DraftedCourse {
    /// Puts written lessons into the place of planned ones.
    fn take(&mut self, written: Vec<Vec<WrittenLesson>>) {
        for (unit, lessons) in self.plan.value.units.iter_mut().zip(written) {
            unit.lessons.clear();
            for one in lessons {
                unit.lessons.push(one.lesson);
                self.models.extend(one.models);
                self.quizzes.extend(one.quizzes);
                self.support.extend(one.support);
                self.warnings.extend(one.warnings);
            }
        }
        self.warnings.extend(quiz_check::warnings(&self.quizzes));
        self.warnings.extend(support_check::warnings(&self.support));
    }

    fn result(&self, generation: &Generation, made: MadeCounts) -> Value {
        let MadeCounts {
            units,
            lessons,
            activities,
            assignments,
        } = made;
        let mut result = json!({
            "model": self.plan.model,
            "prompt_version": self.plan.prompt_version,
            "content": asked(generation, "content").unwrap_or(SyllabusContent::Outline.as_str()),
            "source_hash": asked(generation, "source_hash"),
            "summary": self.plan.value.summary,
            "assumptions": self.plan.value.assumptions,
            "units": units, "lessons": lessons, "activities": activities, "assignments": assignments,
            "quizzes": quiz_check::told(&self.quizzes),
            "warnings": self.warnings,
        });
        support_check::tell(&self.support, &mut result);
        result
    }
}

async fn land(
    app: &App,
    job: &Claimed,
    id: GenerationId,
    drafted: DraftedCourse,
) -> Result<(), Error> {
    let claimed = job.clone();
    claimed::settle(app, job, move |tx, ctx| {
        let Some(generation) = pending(tx, claimed.workspace_id, id)? else {
            return drafted.spoken.clear_up(tx, ctx, None);
        };
        let Some(course) = course_of(tx, &claimed, &generation)? else {
            drafted.spoken.clear_up(tx, ctx, None)?;
            return end(tx, ctx, generation, "target_gone", TARGET_GONE);
        };
        let replaced = match asked(&generation, "mode") {
            Some("replace") => Some(replace::make_room(tx, ctx, course.id)?),
            _ => None,
        };
        let made = DraftWriter::by(&generation, drafted.plan.model.clone());
        let mut made = made.with_models(drafted.models.clone());
        let mut pieces = None;
        if generation.is_reviewed() {
            let found = (drafted.support.as_slice(), drafted.quizzes.as_slice());
            let plan = &drafted.plan.value.units;
            pieces = Some(proposing::units(tx, ctx, &made, &course, (plan, found))?);
        } else {
            for unit in drafted.plan.value.units.iter().enumerate() {
                made.unit(tx, ctx, &course, unit)?;
            }
            lessons::recount_generated(tx, ctx, course.id)?;
        }
        let mut result = drafted.result(&generation, made.made());
        proposing::tell(pieces, &mut result);
        if let Some(replaced) = replaced {
            replaced.tell(&mut result);
        }
        finish(tx, ctx, generation, claimed.labelled(result))?;
        drafted.spoken.clear_up(tx, ctx, Some(id))
    })
    .await
}
