//! Storing what AI drafted: units, lessons, activities, assignments, each marked with where it came from.

use std::collections::BTreeMap;

use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::generations::Generation;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, UnitDraft};
use lyceum_domain::ids::{ActivityId, GenerationId, LessonId};

use super::generation::asked;
use crate::drafting::drafts::{self, Draft};
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

    /// What makes it.
    pub const fn generation(&self) -> GenerationId {
        self.generation
    }

    /// What the things made say of where they came from.
    pub fn provenance(&self) -> Provenance {
        self.provenance_by(&self.model)
    }

    /// What comes of a step says who answered it.
    pub fn provenance_of(&self, step: &StepKey) -> Provenance {
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
        let position = tx.units().count(ctx.workspace_id(), course.id)?;
        let drafted = Draft::unchanged(draft, self.provenance());
        let unit = drafts::unit(tx, ctx, course.id, position, drafted)?;
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
            let drafted = Draft::unchanged(assignment, self.provenance());
            drafts::assignment(tx, ctx, course, unit.id, drafted)?;
            self.made.assignments += 1;
        }
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
        let drafted = Draft::unchanged(draft, provenance);
        let lesson = drafts::lesson(tx, ctx, unit, position, drafted)?;
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
        let drafted = Draft::unchanged(draft, provenance);
        let activity = drafts::activity(tx, ctx, lesson, position, drafted)?;
        self.made.activities += 1;
        Ok(activity.id)
    }
}
