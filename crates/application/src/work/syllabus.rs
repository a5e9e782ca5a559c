//! Drafting a course's syllabus.

use lyceum_domain::activities::{Activity, NewActivity};
use lyceum_domain::assignments::{
    Assignment, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::courses::{Course, CourseId, Hours};
use lyceum_domain::events::EventType;
use lyceum_domain::generations::{Generation, GenerationId, GenerationState};
use lyceum_domain::json::Metadata;
use lyceum_domain::lessons::{Lesson, Minutes, NewLesson};
use lyceum_domain::points::Points;
use lyceum_domain::provenance::Provenance;
use lyceum_domain::syllabus::{LessonDraft, SyllabusBrief, SyllabusDraft, UnitDraft};
use lyceum_domain::text::{LongText, Name};
use lyceum_domain::units::{NewUnit, Objectives, Unit};
use lyceum_ports::ai::Answered;
use lyceum_ports::jobs::Job;
use lyceum_ports::store::Tx;
use lyceum_wire::generations::GenerationView;
use serde_json::{Value, json};

use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::events;

pub async fn perform(app: &App, job: &Job) -> Result<(), Error> {
    let wanted = job.clone();
    let Some(brief) = app.store.read(move |tx| prepare(tx, &wanted)).await? else {
        // It was called off, or the course is gone.
        return super::settle(app, job, |_, _| Ok(())).await;
    };
    let hours = brief.hours;
    match app.ai.draft_syllabus(brief).await {
        Ok(mut answered) => match answered.value.fit_to(hours) {
            Ok(()) => land(app, job, answered).await,
            Err(error) => super::give_up(app, job, "ai_output_invalid", &error.to_string()).await,
        },
        Err(error) => super::retry_or_give_up(app, job, &error).await,
    }
}

fn prepare(tx: &mut dyn Tx, job: &Job) -> Result<Option<SyllabusBrief>, Error> {
    let Some((generation, course)) = pending(tx, job)? else {
        return Ok(None);
    };
    let text = |name: &str| generation.request.get(name).and_then(Value::as_str);
    let hours = generation.request.get("hours").and_then(Value::as_i64);
    let model = course
        .ai
        .evaluator
        .get("model")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Ok(Some(SyllabusBrief {
        course_name: course.name.to_string(),
        language: course.language.clone(),
        brief: text("brief")
            .unwrap_or(course.description.as_str())
            .to_owned(),
        hours: hours
            .and_then(|hours| Hours::parse(hours).ok())
            .unwrap_or(course.hours),
        instructions: course.ai.instructions.to_string(),
        model: text("model").unwrap_or(model).to_owned(),
    }))
}

/// Generation and course, if the generation still waits.
fn pending(tx: &mut dyn Tx, job: &Job) -> Result<Option<(Generation, Course)>, Error> {
    let Ok(id) = job.subject_id.parse::<GenerationId>() else {
        return Ok(None);
    };
    let Some(generation) = tx.generations().find(job.workspace_id, id)? else {
        return Ok(None);
    };
    let is_pending = matches!(generation.state, GenerationState::Pending { .. });
    let Ok(course) = generation.target_id.parse::<CourseId>() else {
        return Ok(None);
    };
    let course = tx.courses().find(job.workspace_id, course)?;
    Ok(course
        .filter(|_| is_pending)
        .map(|course| (generation, course)))
}

async fn land(app: &App, job: &Job, answered: Answered<SyllabusDraft>) -> Result<(), Error> {
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| {
        let Some((mut generation, mut course)) = pending(tx, &claimed)? else {
            return Ok(());
        };
        if generation.request.get("mode").and_then(Value::as_str) == Some("replace") {
            for unit in tx.units().of_courses(ctx.workspace_id(), &[course.id])? {
                tx.units().delete(ctx.workspace_id(), unit.id)?;
            }
        }
        let mut made = Made {
            generation: generation.id,
            model: answered.model.clone(),
            counts: [0; 4],
        };
        for unit in &answered.value.units {
            made.unit(tx, ctx, &course, unit)?;
        }
        let minutes = tx
            .lessons()
            .generated_minutes(ctx.workspace_id(), course.id)?;
        course.note_generated(minutes, ctx.now);
        tx.courses().update(&course)?;
        generation.tokens_in = answered.usage.tokens_in;
        generation.tokens_out = answered.usage.tokens_out;
        generation.finish(made.result(&answered), ctx.now)?;
        tx.generations().update(&generation)?;
        events::record(
            tx,
            ctx,
            EventType::GenerationReady,
            &GenerationView::new(&generation),
        )
    })
    .await
}

pub async fn fail(app: &App, job: &Job, code: &str, message: &str) -> Result<(), Error> {
    let (claimed, code, message) = (job.clone(), code.to_owned(), message.to_owned());
    super::settle(app, job, move |tx, ctx| {
        let Some((mut generation, _)) = pending(tx, &claimed)? else {
            return Ok(());
        };
        generation.fail(&code, &message, ctx.now)?;
        tx.generations().update(&generation)?;
        events::record(
            tx,
            ctx,
            EventType::GenerationFailed,
            &GenerationView::new(&generation),
        )
    })
    .await
}

/// What has been made so far: units, lessons, activities, assignments.
struct Made {
    generation: GenerationId,
    model: String,
    counts: [u32; 4],
}

impl Made {
    fn provenance(&self) -> Provenance {
        Provenance::ai(self.model.clone(), self.generation)
    }

    fn count(&mut self, kind: usize) {
        if let Some(count) = self.counts.get_mut(kind) {
            *count += 1;
        }
    }

    fn result(&self, answered: &Answered<SyllabusDraft>) -> Value {
        let [units, lessons, activities, assignments] = self.counts;
        json!({
            "model": self.model,
            "prompt_version": answered.prompt_version,
            "summary": answered.value.summary,
            "assumptions": answered.value.assumptions,
            "units": units, "lessons": lessons, "activities": activities, "assignments": assignments,
        })
    }

    fn unit(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        course: &Course,
        draft: &UnitDraft,
    ) -> Result<(), Error> {
        let new = NewUnit {
            course_id: course.id,
            name: Name::clamp(&draft.name, "Unit"),
            description: LongText::clamp(&draft.description),
            objectives: objectives(&draft.objectives),
            position: None,
            metadata: Metadata::default(),
        };
        let position = tx.units().count(ctx.workspace_id(), course.id)?;
        let provenance = self.provenance();
        let unit = Unit::new(
            ctx.workspace_id(),
            ctx.mint(),
            new,
            position,
            provenance,
            ctx.now,
        );
        tx.units().insert(&unit)?;
        self.count(0);
        for (position, lesson) in (0..).zip(&draft.lessons) {
            self.lesson(tx, ctx, &unit, position, lesson)?;
        }
        for assignment in &draft.assignments {
            let new = NewAssignment {
                parent: AssignmentParent::Unit(unit.id),
                name: Name::clamp(&assignment.name, "Assignment"),
                instructions: LongText::clamp(&assignment.instructions),
                max_score: Points::HUNDRED,
                due_at: None,
                max_attempts: None,
                grading: GradingChanges {
                    rubric: Some(Some(assignment.rubric.clone())),
                    ..GradingChanges::default()
                },
                metadata: Metadata::default(),
            };
            let place = AssignmentPlace {
                course_id: course.id,
                unit_id: Some(unit.id),
                lesson_id: None,
            };
            let language = course.language.clone();
            let (workspace, id) = (ctx.workspace_id(), ctx.mint());
            tx.assignments().insert(&Assignment::new(
                workspace, id, place, language, new, ctx.now,
            )?)?;
            self.count(3);
        }
        Ok(())
    }

    fn lesson(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        unit: &Unit,
        position: u32,
        draft: &LessonDraft,
    ) -> Result<(), Error> {
        let new = NewLesson {
            unit_id: unit.id,
            name: Name::clamp(&draft.name, "Lesson"),
            summary: LongText::clamp(&draft.summary),
            objectives: objectives(&draft.objectives),
            content: LongText::clamp(&draft.content),
            duration: Minutes::parse(draft.minutes.into()).unwrap_or_default(),
            position: None,
            metadata: Metadata::default(),
        };
        let provenance = self.provenance();
        let (workspace, id) = (ctx.workspace_id(), ctx.mint());
        let lesson = Lesson::new(
            workspace,
            id,
            unit.course_id,
            new,
            position,
            provenance,
            ctx.now,
        );
        tx.lessons().insert(&lesson)?;
        self.count(1);
        for (position, activity) in (0..).zip(&draft.activities) {
            let new = NewActivity {
                lesson_id: lesson.id,
                name: Name::clamp(&activity.name, "Activity"),
                kind: activity.kind,
                content: activity.content.clone(),
                position: None,
                metadata: Metadata::default(),
            };
            let provenance = self.provenance();
            let (workspace, id, course) = (ctx.workspace_id(), ctx.mint(), unit.course_id);
            let activity = Activity::new(workspace, id, course, new, position, provenance, ctx.now);
            tx.activities().insert(&activity)?;
            self.count(2);
        }
        Ok(())
    }
}

fn objectives(sentences: &[String]) -> Objectives {
    let fitting = sentences
        .iter()
        .take(50)
        .map(|text| text.chars().take(1_000).collect());
    Objectives::parse(fitting.collect()).unwrap_or_default()
}
