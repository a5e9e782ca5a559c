//! Drafting a course's syllabus.

use lyceum_domain::courses::{Course, CourseId, Hours};
use lyceum_domain::generations::Generation;
use lyceum_domain::syllabus::{SyllabusBrief, SyllabusDraft};
use lyceum_ports::ai::Answered;
use lyceum_ports::jobs::Job;
use lyceum_ports::store::Tx;
use serde_json::{Value, json};

use super::claimed::Claimed;
use super::generation::{TARGET_GONE, asked, drop_lost, end, finish, pending};
use super::made::Made;
use crate::app::App;
use crate::error::Error;

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    let wanted = job.clone();
    let Some(brief) = app.store.read(move |tx| prepare(tx, &wanted)).await? else {
        return drop_lost(app, job).await;
    };
    let hours = brief.hours;
    let ask = |model| {
        app.ai.draft_syllabus(
            SyllabusBrief {
                model,
                ..brief.clone()
            },
            &job.meter,
        )
    };
    match job.ask(app, &brief.model, ask).await {
        Ok(mut answered) => match answered.value.fit_to(hours) {
            Ok(()) => land(app, job, answered).await,
            Err(error) => super::give_up(app, job, "ai_output_invalid", &error.to_string()).await,
        },
        Err(error) => super::retry_or_give_up(app, job, &error).await,
    }
}

fn prepare(tx: &mut dyn Tx, job: &Job) -> Result<Option<SyllabusBrief>, Error> {
    let Some(generation) = pending(tx, job)? else {
        return Ok(None);
    };
    let Some(course) = course_of(tx, job, &generation)? else {
        return Ok(None);
    };
    let hours = generation.request.get("hours").and_then(Value::as_i64);
    let model = course
        .ai
        .evaluator
        .get("model")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let brief = asked(&generation, "brief").unwrap_or(course.description.as_str());
    Ok(Some(SyllabusBrief {
        course_name: course.name.to_string(),
        language: course.language.clone(),
        brief: brief.to_owned(),
        hours: hours
            .and_then(|hours| Hours::parse(hours).ok())
            .unwrap_or(course.hours),
        instructions: course.ai.instructions.to_string(),
        source_text: String::new(),
        model: asked(&generation, "model").unwrap_or(model).to_owned(),
    }))
}

fn course_of(tx: &mut dyn Tx, job: &Job, generation: &Generation) -> Result<Option<Course>, Error> {
    let Ok(id) = generation.target_id.parse::<CourseId>() else {
        return Ok(None);
    };
    Ok(tx.courses().find(job.workspace_id, id)?)
}

async fn land(app: &App, job: &Claimed, answered: Answered<SyllabusDraft>) -> Result<(), Error> {
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| {
        let Some(generation) = pending(tx, &claimed)? else {
            return Ok(());
        };
        let Some(mut course) = course_of(tx, &claimed, &generation)? else {
            return end(tx, ctx, generation, "target_gone", TARGET_GONE);
        };
        if asked(&generation, "mode") == Some("replace") {
            for unit in tx.units().of_courses(ctx.workspace_id(), &[course.id])? {
                tx.units().delete(ctx.workspace_id(), unit.id)?;
            }
        }
        let mut made = Made::by(generation.id, answered.model.clone());
        for unit in &answered.value.units {
            made.unit(tx, ctx, &course, unit)?;
        }
        let minutes = tx
            .lessons()
            .generated_minutes(ctx.workspace_id(), course.id)?;
        course.note_generated(minutes, ctx.now);
        tx.courses().update(&course)?;
        let [units, lessons, activities, assignments] = made.counts();
        let result = json!({
            "model": answered.model,
            "prompt_version": answered.prompt_version,
            "summary": answered.value.summary,
            "assumptions": answered.value.assumptions,
            "units": units, "lessons": lessons, "activities": activities, "assignments": assignments,
        });
        finish(tx, ctx, generation, answered.usage, claimed.labelled(result))
    })
    .await
}
