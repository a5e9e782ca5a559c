//! Storing what AI drafted: units, lessons, activities, assignments, each marked with where it came from.

use std::collections::BTreeMap;

use lyceum_domain::authoring::activities::{Activity, NewActivity};
use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::{Lesson, Minutes, NewLesson};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::{NewUnit, Objectives, Unit};
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::generations::Generation;
use lyceum_domain::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use lyceum_domain::ids::{ActivityId, GenerationId, LessonId};
use lyceum_domain::json::Metadata;
use lyceum_domain::points::Points;
use lyceum_domain::text::{LongText, Name};

use super::generation::asked;
use crate::prelude::*;

/// How much was made.
#[derive(Debug, Clone, Copy, Default)]
pub struct MadeCounts {
    pub units: u32,
    pub lessons: u32,
    pub activities: u32,
    pub assignments: u32,
}

/// Stores what was drafted, and remembers how much that was.
pub struct DraftWriter {
    generation: GenerationId,
    model: String,
    source_hash: Option<String>,
    models: BTreeMap<StepKey, String>,
    made: MadeCounts,
}

impl DraftWriter {
    /// Nothing so far, by this generation and model.
    pub fn by(generation: &Generation, model: String) -> Self {
        Self {
            generation: generation.id,
            model,
            source_hash: asked(generation, "source_hash").map(str::to_owned),
            models: BTreeMap::new(),
            made: MadeCounts::default(),
        }
    }

    /// The same where other models answered some of the steps.
    pub fn with_models(self, models: BTreeMap<StepKey, String>) -> Self {
        Self { models, ..self }
    }

    /// What the things made say of where they came from.
    pub fn provenance(&self) -> Provenance {
        self.provenance_by(&self.model)
    }

    /// What comes of a step says who answered it.
    fn provenance_of(&self, step: &StepKey) -> Provenance {
        self.provenance_by(self.models.get(step).unwrap_or(&self.model))
    }

    fn provenance_by(&self, model: &str) -> Provenance {
        Provenance::ai(model.to_owned(), self.generation).from_source(self.source_hash.clone())
    }

    /// How much was made.
    pub const fn made(&self) -> MadeCounts {
        self.made
    }

    /// Makes a unit and everything in it, at the end of the course; `at` is its place in the draft.
    pub fn unit(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        course: &Course,
        (at, draft): (usize, &UnitDraft),
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
        self.made.units += 1;
        for ((position, index), lesson) in (0..).zip(0..).zip(&draft.lessons) {
            let provenance = self.provenance_of(&StepKey::lesson(at, index));
            let made = self.lesson(tx, ctx, &unit, position, (lesson, provenance))?;
            for ((position, which), activity) in (0..).zip(0..).zip(&lesson.activities) {
                let provenance = self.provenance_of(&StepKey::activity(at, index, which));
                self.activity(tx, ctx, &made, position, (activity, provenance))?;
            }
        }
        for assignment in &draft.assignments {
            self.assignment(tx, ctx, course, &unit, assignment)?;
        }
        Ok(())
    }

    fn assignment(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        course: &Course,
        unit: &Unit,
        draft: &AssignmentDraft,
    ) -> Result<(), Error> {
        let new = NewAssignment {
            parent: AssignmentParent::Unit(unit.id),
            name: Name::clamp(&draft.name, "Assignment"),
            instructions: LongText::clamp(&draft.instructions),
            max_score: Points::HUNDRED,
            due_at: None,
            late_policy: None,
            max_attempts: None,
            grading: GradingChanges {
                rubric: Some(Some(draft.rubric.clone())),
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
        let made = Assignment::new(workspace, id, place, language, new, ctx.now)?;
        tx.assignments().insert(&made.drafted(self.provenance()))?;
        self.made.assignments += 1;
        Ok(())
    }

    /// Makes a lesson and its activities.
    pub fn whole_lesson(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        unit: &Unit,
        position: u32,
        draft: &LessonDraft,
    ) -> Result<LessonId, Error> {
        let made = self.lesson(tx, ctx, unit, position, (draft, self.provenance()))?;
        for (position, activity) in (0..).zip(&draft.activities) {
            self.activity(tx, ctx, &made, position, (activity, self.provenance()))?;
        }
        Ok(made.id)
    }

    fn lesson(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        unit: &Unit,
        position: u32,
        (draft, provenance): (&LessonDraft, Provenance),
    ) -> Result<Lesson, Error> {
        let new = NewLesson {
            unit_id: unit.id,
            name: Name::clamp(&draft.name, "Lesson"),
            summary: LongText::clamp(&draft.summary),
            objectives: objectives(&draft.objectives),
            content: LongText::clamp(&draft.content),
            duration: Minutes::parse(draft.minutes.into()).unwrap_or_default(),
            language: None,
            position: None,
            metadata: Metadata::default(),
        };
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
        self.made.lessons += 1;
        Ok(lesson)
    }

    /// Makes an activity.
    pub fn activity(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        lesson: &Lesson,
        position: u32,
        (draft, provenance): (&ActivityDraft, Provenance),
    ) -> Result<ActivityId, Error> {
        let new = NewActivity {
            lesson_id: lesson.id,
            name: Name::clamp(&draft.name, "Activity"),
            kind: draft.kind,
            content: draft.content.clone(),
            language: None,
            position: None,
            metadata: Metadata::default(),
        };
        let (workspace, id, course) = (ctx.workspace_id(), ctx.mint(), lesson.course_id);
        let activity = Activity::new(workspace, id, course, new, position, provenance, ctx.now);
        tx.activities().insert(&activity)?;
        self.made.activities += 1;
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
