//! Storing what AI drafted: units, lessons, activities, assignments, each marked with where it came from.

use lyceum_domain::activities::{Activity, ActivityId, NewActivity};
use lyceum_domain::assignments::{
    Assignment, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::courses::Course;
use lyceum_domain::generations::GenerationId;
use lyceum_domain::json::Metadata;
use lyceum_domain::lessons::{Lesson, LessonId, Minutes, NewLesson};
use lyceum_domain::points::Points;
use lyceum_domain::provenance::Provenance;
use lyceum_domain::syllabus::{ActivityDraft, LessonDraft, UnitDraft};
use lyceum_domain::text::{LongText, Name};
use lyceum_domain::units::{NewUnit, Objectives, Unit};
use lyceum_ports::store::Tx;

use crate::context::Context;
use crate::error::Error;

/// What has been made so far: units, lessons, activities, assignments.
pub struct Made {
    generation: GenerationId,
    model: String,
    counts: [u32; 4],
}

impl Made {
    /// Nothing so far, by this generation and model.
    pub const fn by(generation: GenerationId, model: String) -> Self {
        Self {
            generation,
            model,
            counts: [0; 4],
        }
    }

    /// What the things made say of where they came from.
    pub fn provenance(&self) -> Provenance {
        Provenance::ai(self.model.clone(), self.generation)
    }

    fn count(&mut self, kind: usize) {
        if let Some(count) = self.counts.get_mut(kind) {
            *count += 1;
        }
    }

    /// Units, lessons, activities and assignments made.
    pub const fn counts(&self) -> [u32; 4] {
        self.counts
    }

    /// Makes a unit and everything in it, at the end of the course.
    pub fn unit(
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

    /// Makes a lesson and its activities.
    pub fn lesson(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        unit: &Unit,
        position: u32,
        draft: &LessonDraft,
    ) -> Result<LessonId, Error> {
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
            self.activity(tx, ctx, &lesson, position, activity)?;
        }
        Ok(lesson.id)
    }

    /// Makes an activity.
    pub fn activity(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        lesson: &Lesson,
        position: u32,
        draft: &ActivityDraft,
    ) -> Result<ActivityId, Error> {
        let new = NewActivity {
            lesson_id: lesson.id,
            name: Name::clamp(&draft.name, "Activity"),
            kind: draft.kind,
            content: draft.content.clone(),
            position: None,
            metadata: Metadata::default(),
        };
        let provenance = self.provenance();
        let (workspace, id, course) = (ctx.workspace_id(), ctx.mint(), lesson.course_id);
        let activity = Activity::new(workspace, id, course, new, position, provenance, ctx.now);
        tx.activities().insert(&activity)?;
        self.count(2);
        Ok(activity.id)
    }
}

/// Objectives as they fit.
pub fn objectives(sentences: &[String]) -> Objectives {
    let fitting = sentences
        .iter()
        .take(50)
        .map(|text| text.chars().take(1_000).collect());
    Objectives::parse(fitting.collect()).unwrap_or_default()
}
