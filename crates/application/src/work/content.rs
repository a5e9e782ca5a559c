//! Drafting inside a course: lessons of a unit, the text of a lesson, activities.

use lyceum_domain::activities::{Activity, ActivityId, ActivityKind};
use lyceum_domain::courses::Course;
use lyceum_domain::drafts::{
    ActivitiesTask, DraftFrame, LessonTask, UnitTask, activity_is_open, fit_lessons,
    lesson_is_open, rewrite_activity, share_of_unit,
};
use lyceum_domain::events::EventType;
use lyceum_domain::generations::{Generation, GenerationKind};
use lyceum_domain::lessons::{Lesson, LessonId, Minutes};
use lyceum_domain::syllabus::{ActivityDraft, LessonDraft};
use lyceum_domain::text::LongText;
use lyceum_domain::units::{Unit, UnitId};
use lyceum_ports::ai::Answered;
use lyceum_ports::jobs::Job;
use lyceum_ports::store::Tx;
use serde_json::{Value, json};

use super::claimed::Claimed;
use super::generation::{TARGET_GONE, asked, drop_lost, end, finish, pending};
use super::made::{Made, objectives};
use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::{activities, events, lessons};

/// What AI is asked for.
enum Wanted {
    Unit(UnitTask),
    Lesson(LessonTask),
    Activities(ActivitiesTask),
}

/// Why what was drafted is not stored although it was asked for.
const WRITTEN_MEANWHILE: &str = "A person wrote something there meanwhile, and it stays.";

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    let wanted = job.clone();
    let Some(wanted) = app.store.read(move |tx| prepare(tx, &wanted)).await? else {
        return drop_lost(app, job).await;
    };
    match wanted {
        Wanted::Unit(task) => {
            let minutes = task.minutes;
            match job
                .ask(app, &task.frame.model, |model| {
                    app.ai.draft_unit(
                        UnitTask {
                            frame: DraftFrame {
                                model,
                                ..task.frame.clone()
                            },
                            ..task.clone()
                        },
                        &job.meter,
                    )
                })
                .await
            {
                Ok(mut answered) => match fit_lessons(&mut answered.value, minutes) {
                    Ok(()) => land(app, job, answered, land_lessons).await,
                    Err(error) => {
                        let said = error.to_string();
                        super::give_up(app, job, "ai_output_invalid", &said).await
                    }
                },
                Err(error) => super::retry_or_give_up(app, job, &error).await,
            }
        }
        Wanted::Lesson(task) => match job
            .ask(app, &task.frame.model, |model| {
                app.ai.draft_lesson(
                    LessonTask {
                        frame: DraftFrame {
                            model,
                            ..task.frame.clone()
                        },
                        ..task.clone()
                    },
                    &job.meter,
                )
            })
            .await
        {
            Ok(answered) => land(app, job, answered, land_lesson).await,
            Err(error) => super::retry_or_give_up(app, job, &error).await,
        },
        Wanted::Activities(task) => match job
            .ask(app, &task.frame.model, |model| {
                app.ai.draft_activities(
                    ActivitiesTask {
                        frame: DraftFrame {
                            model,
                            ..task.frame.clone()
                        },
                        ..task.clone()
                    },
                    &job.meter,
                )
            })
            .await
        {
            Ok(answered) => land(app, job, answered, land_activities).await,
            Err(error) => super::retry_or_give_up(app, job, &error).await,
        },
    }
}

/// Where something is drafted.
struct Place {
    course: Course,
    unit: Unit,
    lessons: Vec<Lesson>,
}

impl Place {
    fn of(tx: &mut dyn Tx, job: &Job, unit: UnitId) -> Result<Option<Self>, Error> {
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
        let model = self.course.ai.evaluator.get("model");
        DraftFrame {
            course_name: self.course.name.to_string(),
            course_description: self.course.description.to_string(),
            language: self.course.language.clone(),
            instructions: self.course.ai.instructions.to_string(),
            unit_name: self.unit.name.to_string(),
            unit_description: self.unit.description.to_string(),
            brief: asked(generation, "brief").unwrap_or_default().to_owned(),
            source_text: String::new(),
            model: model.and_then(Value::as_str).unwrap_or_default().to_owned(),
        }
    }

    fn siblings(&self, lesson: LessonId) -> Vec<String> {
        let others = self.lessons.iter().filter(|other| other.id != lesson);
        others.map(|other| other.name.to_string()).collect()
    }
}

fn prepare(tx: &mut dyn Tx, job: &Job) -> Result<Option<Wanted>, Error> {
    let Some(generation) = pending(tx, job)? else {
        return Ok(None);
    };
    match generation.kind {
        GenerationKind::Unit => prepare_unit(tx, job, &generation),
        GenerationKind::Lesson => prepare_lesson(tx, job, &generation),
        GenerationKind::Activities => {
            let Some(lesson) = lesson_of(tx, job, &generation)? else {
                return Ok(None);
            };
            let kind = asked(&generation, "kind").map(ActivityKind::parse);
            let Some(Ok(kind)) = kind else {
                return Ok(None);
            };
            let count = generation.request.get("count").and_then(Value::as_u64);
            let count = count.and_then(|count| u32::try_from(count).ok());
            prepare_activities(tx, job, &generation, &lesson, kind, count.unwrap_or(1))
        }
        GenerationKind::Activity => {
            let Some(activity) = activity_of(tx, job, &generation)? else {
                return Ok(None);
            };
            let Some(lesson) = tx.lessons().find(job.workspace_id, activity.lesson_id)? else {
                return Ok(None);
            };
            prepare_activities(tx, job, &generation, &lesson, activity.kind, 1)
        }
        GenerationKind::Syllabus => Ok(None),
    }
}

fn prepare_unit(
    tx: &mut dyn Tx,
    job: &Job,
    generation: &Generation,
) -> Result<Option<Wanted>, Error> {
    let Ok(unit) = generation.target_id.parse() else {
        return Ok(None);
    };
    let Some(place) = Place::of(tx, job, unit)? else {
        return Ok(None);
    };
    let units = tx.units().count(job.workspace_id, place.course.id)?;
    let share = share_of_unit(place.course.hours.minutes(), units);
    let taken: u32 = place
        .lessons
        .iter()
        .map(|lesson| lesson.duration.get())
        .sum();
    Ok(Some(Wanted::Unit(UnitTask {
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
    job: &Job,
    generation: &Generation,
) -> Result<Option<Wanted>, Error> {
    let Some(lesson) = lesson_of(tx, job, generation)? else {
        return Ok(None);
    };
    let Some(place) = Place::of(tx, job, lesson.unit_id)? else {
        return Ok(None);
    };
    Ok(Some(Wanted::Lesson(LessonTask {
        frame: place.frame(generation),
        siblings: place.siblings(lesson.id),
        name: lesson.name.to_string(),
        summary: lesson.summary.to_string(),
        objectives: lesson.objectives.as_slice().to_vec(),
        minutes: lesson.duration.get(),
    })))
}

fn prepare_activities(
    tx: &mut dyn Tx,
    job: &Job,
    generation: &Generation,
    lesson: &Lesson,
    kind: ActivityKind,
    count: u32,
) -> Result<Option<Wanted>, Error> {
    let Some(place) = Place::of(tx, job, lesson.unit_id)? else {
        return Ok(None);
    };
    let there = tx.activities().of_lessons(job.workspace_id, &[lesson.id])?;
    Ok(Some(Wanted::Activities(ActivitiesTask {
        frame: place.frame(generation),
        lesson_name: lesson.name.to_string(),
        objectives: lesson.objectives.as_slice().to_vec(),
        content: lesson.content.to_string(),
        siblings: place.siblings(lesson.id),
        kind,
        count,
        names: there.iter().map(|one| one.name.to_string()).collect(),
    })))
}

fn lesson_of(tx: &mut dyn Tx, job: &Job, generation: &Generation) -> Result<Option<Lesson>, Error> {
    let Ok(id) = generation.target_id.parse::<LessonId>() else {
        return Ok(None);
    };
    Ok(tx.lessons().find(job.workspace_id, id)?)
}

fn activity_of(
    tx: &mut dyn Tx,
    job: &Job,
    generation: &Generation,
) -> Result<Option<Activity>, Error> {
    let Ok(id) = generation.target_id.parse::<ActivityId>() else {
        return Ok(None);
    };
    Ok(tx.activities().find(job.workspace_id, id)?)
}

/// How drafts of a sort are stored, and the generation ended.
type Landing<T> =
    fn(&mut dyn Tx, &Context, &Claimed, Generation, &Answered<T>) -> Result<(), Error>;

async fn land<T: Send + Sync + 'static>(
    app: &App,
    job: &Claimed,
    answered: Answered<T>,
    landing: Landing<T>,
) -> Result<(), Error> {
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| match pending(tx, &claimed)? {
        Some(generation) => landing(tx, ctx, &claimed, generation, &answered),
        None => Ok(()),
    })
    .await
}

fn land_lessons(
    tx: &mut dyn Tx,
    ctx: &Context,
    job: &Claimed,
    generation: Generation,
    answered: &Answered<Vec<LessonDraft>>,
) -> Result<(), Error> {
    let unit = match generation.target_id.parse() {
        Ok(id) => tx.units().find(job.workspace_id, id)?,
        Err(_) => None,
    };
    let Some(unit) = unit else {
        return end(tx, ctx, generation, "target_gone", TARGET_GONE);
    };
    let mut made = Made::by(generation.id, answered.model.clone());
    let first = tx.lessons().count(ctx.workspace_id(), unit.id)?;
    let mut ids = Vec::new();
    for (position, draft) in (first..).zip(&answered.value) {
        ids.push(made.lesson(tx, ctx, &unit, position, draft)?.to_string());
    }
    lessons::recount_generated(tx, ctx, unit.course_id)?;
    let [_, lessons, activities, _] = made.counts();
    let result = json!({
        "model": answered.model, "prompt_version": answered.prompt_version,
        "lessons": lessons, "activities": activities, "lesson_ids": ids,
    });
    finish(tx, ctx, generation, answered.usage, job.labelled(result))
}

fn land_lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    job: &Claimed,
    generation: Generation,
    answered: &Answered<LessonDraft>,
) -> Result<(), Error> {
    let Some(mut lesson) = lesson_of(tx, job, &generation)? else {
        return end(tx, ctx, generation, "target_gone", TARGET_GONE);
    };
    if !lesson_is_open(&lesson) {
        return end(tx, ctx, generation, "not_editable", WRITTEN_MEANWHILE);
    }
    let before = lessons::view(ctx, &lesson);
    let made = Made::by(generation.id, answered.model.clone());
    let draft = &answered.value;
    lesson.draft(
        LongText::clamp(&draft.content),
        LongText::clamp(&draft.summary),
        objectives(&draft.objectives),
        Minutes::parse(draft.minutes.into()).unwrap_or_default(),
        made.provenance(),
        ctx.now,
    );
    tx.lessons().update(&lesson)?;
    let after = lessons::view(ctx, &lesson);
    events::record_change(tx, ctx, EventType::LessonUpdated, &before, &after)?;
    lessons::recount_generated(tx, ctx, lesson.course_id)?;
    let result = json!({
        "model": answered.model, "prompt_version": answered.prompt_version,
        "lessons": 1, "lesson_ids": [lesson.id.to_string()],
    });
    finish(tx, ctx, generation, answered.usage, job.labelled(result))
}

fn land_activities(
    tx: &mut dyn Tx,
    ctx: &Context,
    job: &Claimed,
    generation: Generation,
    answered: &Answered<Vec<ActivityDraft>>,
) -> Result<(), Error> {
    let mut made = Made::by(generation.id, answered.model.clone());
    let ids = if generation.kind == GenerationKind::Activity {
        let Some(activity) = activity_of(tx, job, &generation)? else {
            return end(tx, ctx, generation, "target_gone", TARGET_GONE);
        };
        let drafted = answered.value.iter().find(|one| one.kind == activity.kind);
        let Some(draft) = drafted.filter(|_| activity_is_open(&activity)) else {
            return end(tx, ctx, generation, "not_editable", WRITTEN_MEANWHILE);
        };
        vec![rewrite(tx, ctx, &made, activity, draft)?]
    } else {
        let Some(lesson) = lesson_of(tx, job, &generation)? else {
            return end(tx, ctx, generation, "target_gone", TARGET_GONE);
        };
        let first = tx.activities().count(ctx.workspace_id(), lesson.id)?;
        let mut ids = Vec::new();
        for (position, draft) in (first..).zip(&answered.value) {
            ids.push(
                made.activity(tx, ctx, &lesson, position, draft)?
                    .to_string(),
            );
        }
        ids
    };
    let result = json!({
        "model": answered.model, "prompt_version": answered.prompt_version,
        "activities": ids.len(), "activity_ids": ids,
    });
    finish(tx, ctx, generation, answered.usage, job.labelled(result))
}

/// Puts drafted content into an activity; its name stays.
fn rewrite(
    tx: &mut dyn Tx,
    ctx: &Context,
    made: &Made,
    mut activity: Activity,
    draft: &ActivityDraft,
) -> Result<String, Error> {
    let before = activities::view(ctx, &activity);
    rewrite_activity(
        &mut activity,
        draft.content.clone(),
        made.provenance(),
        ctx.now,
    );
    tx.activities().update(&activity)?;
    let after = activities::view(ctx, &activity);
    events::record_change(tx, ctx, EventType::ActivityUpdated, &before, &after)?;
    Ok(activity.id.to_string())
}
