//! Accepting pieces of generations: what a person wants, changed or as it is, lands as what lands by itself does.
//!
//! What a piece is in is accepted with it. Over what changed since the piece was made nothing lands, unless whoever accepts it
//! has seen the change; over what learners have used, by force.

use std::collections::HashSet;

use lyceum_domain::authoring::activities::ActivityChanges;
use lyceum_domain::authoring::assignments::AssignmentChanges;
use lyceum_domain::authoring::lessons::{Lesson, LessonChanges};
use lyceum_domain::authoring::units::{Unit, UnitChanges};
use lyceum_domain::drafting::pieces::{
    Beside, Piece, PieceDraft, PieceEdits, PieceKind, PiecePlace, PieceState, PieceStatus,
    PieceTarget, PieceTexts, above, below, beside,
};
use lyceum_domain::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use lyceum_domain::ids::{ActivityId, CourseId, LessonId, PieceId};
use lyceum_domain::running::in_use::Subject;
use lyceum_wire::authoring::activities::ActivityView;
use lyceum_wire::authoring::assignments::AssignmentView;
use lyceum_wire::authoring::lessons::LessonView;
use lyceum_wire::authoring::units::UnitView;
use lyceum_wire::drafting::pieces::{AcceptRequest, PieceView, below as in_member};

use super::drafts::{self, Draft};
use super::pieces::{decided, hold, of, view, whoever_decides};
use crate::authoring::siblings::Parent;
use crate::authoring::{lessons, versions};
use crate::models;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::in_use;

/// Accepts one, with what it is in; on request with what is in it. Once more, and as it is, changes nothing.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for changes that its thing would not take, [`Error::Overtaken`] where somebody has
/// decided already, or what it takes the place of is not what it was, [`Conflict::InUse`], [`Conflict::NotEditable`] where what it
/// comes below is gone.
pub fn accept(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: PieceId,
    request: AcceptRequest,
    force: bool,
) -> Result<PieceView, Error> {
    let pieces = hold(tx, ctx, id)?;
    let piece = of(&pieces, id)?;
    refuse_other_kind(piece.kind, request.edits.as_ref())?;
    let is_again = piece.state.status() == PieceStatus::Accepted && request.edits.is_none();
    if !piece.is_open() && !is_again {
        return Err(decided(tx, ctx, piece, "be accepted"));
    }
    let (around, inside) = (above(&pieces, id), below(&pieces, id));
    let mut landing = Acceptance {
        pieces,
        fresh: HashSet::new(),
        course: None,
        seen: request.seen,
        force,
    };
    for parent in around {
        landing.refuse_discarded(tx, ctx, parent)?;
        landing.land(tx, ctx, parent, None)?;
    }
    landing.land(tx, ctx, id, request.edits)?;
    if request.below {
        for piece in inside {
            landing.land(tx, ctx, piece, None)?;
        }
    }
    if let Some(course) = landing.course {
        lessons::recount_generated(tx, ctx, course)?;
    }
    view(tx, ctx, of(&landing.pieces, id)?)
}

fn refuse_other_kind(kind: PieceKind, edits: Option<&PieceEdits>) -> Result<(), Error> {
    match edits.map(PieceEdits::kind) {
        Some(other) if other != kind => {
            let problem = format!("is not what this piece is to become, which is the {kind}");
            Err(Invalid::new(other.as_str(), problem).into())
        }
        Some(_) | None => Ok(()),
    }
}

/// What lands in one transaction.
struct Acceptance {
    pieces: Vec<Piece>,
    /// What was made here: nobody else knows it yet, so nobody stands in line for it.
    fresh: HashSet<String>,
    /// The course in which a lesson came to be.
    course: Option<CourseId>,
    seen: Option<Timestamp>,
    force: bool,
}

impl Acceptance {
    fn refuse_discarded(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        parent: PieceId,
    ) -> Result<(), Error> {
        let parent = of(&self.pieces, parent)?;
        match parent.state {
            PieceState::Discarded(_) => Err(decided(tx, ctx, parent, "be accepted")),
            PieceState::Proposed | PieceState::Accepted(..) => Ok(()),
        }
    }

    /// Lands one that nobody has decided about.
    fn land(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        id: PieceId,
        edits: Option<PieceEdits>,
    ) -> Result<(), Error> {
        let mut piece = of(&self.pieces, id)?.clone();
        if !piece.is_open() {
            return Ok(());
        }
        let texts = tx.pieces().texts(ctx.workspace_id(), id)?;
        let texts = found(texts, "generation piece")?;
        let kind = piece.kind;
        let result = match piece.target() {
            Some(target) => self.rewrite(tx, ctx, (&piece, target), &texts, edits),
            None => self.make(tx, ctx, &piece, &texts.draft, edits),
        };
        let result = result.map_err(|error| in_edits(kind, error))?;
        piece.accept(whoever_decides(ctx), result, ctx.now)?;
        tx.pieces().update(&piece)?;
        if let Some(place) = self.pieces.iter_mut().find(|one| one.id == id) {
            *place = piece;
        }
        Ok(())
    }

    /// Puts it into the place of what is there.
    fn rewrite(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        (piece, target): (&Piece, PieceTarget),
        texts: &PieceTexts,
        edits: Option<PieceEdits>,
    ) -> Result<String, Error> {
        match (&texts.draft, target) {
            (PieceDraft::Lesson(draft), PieceTarget::Lesson(id)) => {
                let drafted = draft_of(draft, piece, edits, of_lesson);
                self.rewrite_lesson(tx, ctx, id, texts, drafted)?;
                Ok(id.to_string())
            }
            (PieceDraft::Activity(draft), PieceTarget::Activity(id)) => {
                let drafted = draft_of(draft, piece, edits, of_activity);
                self.rewrite_activity(tx, ctx, id, texts, drafted)?;
                Ok(id.to_string())
            }
            (
                PieceDraft::Unit(_)
                | PieceDraft::Lesson(_)
                | PieceDraft::Activity(_)
                | PieceDraft::Assignment(_),
                PieceTarget::Lesson(_) | PieceTarget::Activity(_),
            ) => Err(Error::Internal("a piece of another kind".into())),
        }
    }

    fn rewrite_lesson(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        id: LessonId,
        texts: &PieceTexts,
        drafted: Draft<'_, LessonDraft, LessonChanges>,
    ) -> Result<(), Error> {
        let lesson = found(tx.lessons().find(ctx.workspace_id(), id)?, "lesson")?;
        let is_same = texts.before == Some(versions::of_lesson(&lesson)?);
        if !is_same && self.seen != Some(lesson.stamp.updated_at) {
            return Err(changed(tx, ctx, &id.to_string()));
        }
        if !lesson.content.is_blank() {
            in_use::refuse_replacing(tx, ctx, Subject::Lesson(id), self.force)?;
        }
        drafts::rewrite_lesson(tx, ctx, &lesson, drafted)
    }

    fn rewrite_activity(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        id: ActivityId,
        texts: &PieceTexts,
        drafted: Draft<'_, ActivityDraft, ActivityChanges>,
    ) -> Result<(), Error> {
        let activity = found(tx.activities().find(ctx.workspace_id(), id)?, "activity")?;
        let is_same = texts.before == Some(versions::of_activity(&activity)?);
        if !is_same && self.seen != Some(activity.stamp.updated_at) {
            return Err(changed(tx, ctx, &id.to_string()));
        }
        if !activity.content.as_map().is_empty() {
            in_use::refuse_replacing(tx, ctx, Subject::Activity(id), self.force)?;
        }
        drafts::rewrite_activity(tx, ctx, &activity, drafted)
    }

    /// Makes something new of it.
    fn make(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        piece: &Piece,
        draft: &PieceDraft,
        edits: Option<PieceEdits>,
    ) -> Result<String, Error> {
        let id = match draft {
            PieceDraft::Unit(draft) => self.make_unit(tx, ctx, piece, draft, edits)?,
            PieceDraft::Lesson(draft) => self.make_lesson(tx, ctx, piece, draft, edits)?,
            PieceDraft::Activity(draft) => self.make_activity(tx, ctx, piece, draft, edits)?,
            PieceDraft::Assignment(draft) => self.make_assignment(tx, ctx, piece, draft, edits)?,
        };
        self.fresh.insert(id.clone());
        Ok(id)
    }

    fn make_unit(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        piece: &Piece,
        draft: &UnitDraft,
        edits: Option<PieceEdits>,
    ) -> Result<String, Error> {
        let PiecePlace::Course(course) = piece.place else {
            return Err(gone("course"));
        };
        let there = tx.units().of_courses(ctx.workspace_id(), &[course])?;
        let there: Vec<_> = there
            .iter()
            .map(|unit| (unit.id.to_string(), unit.position))
            .collect();
        let position = Parent::Course(course).make_room(tx, ctx, self.place_of(piece, &there))?;
        let drafted = draft_of(draft, piece, edits, of_unit);
        let unit = drafts::unit(tx, ctx, course, position, drafted)?;
        events::record(tx, ctx, EventType::UnitCreated, &UnitView::new(&unit, 0))?;
        Ok(unit.id.to_string())
    }

    fn make_lesson(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        piece: &Piece,
        draft: &LessonDraft,
        edits: Option<PieceEdits>,
    ) -> Result<String, Error> {
        let unit = self.unit_of(tx, ctx, piece)?;
        let position = if self.fresh.contains(&unit.id.to_string()) {
            tx.lessons().count(ctx.workspace_id(), unit.id)?
        } else {
            let there = tx.lessons().of_units(ctx.workspace_id(), &[unit.id])?;
            let there: Vec<_> = there
                .iter()
                .map(|lesson| (lesson.id.to_string(), lesson.position))
                .collect();
            Parent::Unit(unit.id).make_room(tx, ctx, self.place_of(piece, &there))?
        };
        let drafted = draft_of(draft, piece, edits, of_lesson);
        let lesson = drafts::lesson(tx, ctx, &unit, position, drafted)?;
        events::record(tx, ctx, EventType::LessonCreated, &LessonView::new(&lesson))?;
        self.course = Some(lesson.course_id);
        Ok(lesson.id.to_string())
    }

    fn make_activity(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        piece: &Piece,
        draft: &ActivityDraft,
        edits: Option<PieceEdits>,
    ) -> Result<String, Error> {
        let lesson = self.lesson_of(tx, ctx, piece)?;
        let position = if self.fresh.contains(&lesson.id.to_string()) {
            tx.activities().count(ctx.workspace_id(), lesson.id)?
        } else {
            let there = tx
                .activities()
                .of_lessons(ctx.workspace_id(), &[lesson.id])?;
            let there: Vec<_> = there
                .iter()
                .map(|activity| (activity.id.to_string(), activity.position))
                .collect();
            Parent::Lesson(lesson.id).make_room(tx, ctx, self.place_of(piece, &there))?
        };
        let drafted = draft_of(draft, piece, edits, of_activity);
        let activity = drafts::activity(tx, ctx, &lesson, position, drafted)?;
        let view = ActivityView::new(&activity);
        events::record(tx, ctx, EventType::ActivityCreated, &view)?;
        Ok(activity.id.to_string())
    }

    fn make_assignment(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        piece: &Piece,
        draft: &AssignmentDraft,
        edits: Option<PieceEdits>,
    ) -> Result<String, Error> {
        let unit = self.unit_of(tx, ctx, piece)?;
        let course = tx.courses().find(ctx.workspace_id(), unit.course_id)?;
        let drafted = draft_of(draft, piece, edits, of_assignment);
        if let Some(edits) = &drafted.edits {
            let model = edits.grading.ai_model.as_deref().unwrap_or_default();
            models::refuse_unknown(ctx, model, "ai_evaluator.model")?;
        }
        let course = found(course, "course")?;
        let made = drafts::assignment(tx, ctx, &course, unit.id, drafted)?;
        let view = AssignmentView::new(&made);
        events::record(tx, ctx, EventType::AssignmentCreated, &view)?;
        Ok(made.id.to_string())
    }

    /// The unit that something comes to be in.
    fn unit_of(&self, tx: &mut dyn Tx, ctx: &Context, piece: &Piece) -> Result<Unit, Error> {
        let id = match (self.result_above(piece)?, piece.place) {
            (Some(result), _) => result.parse().ok(),
            (None, PiecePlace::Unit(id)) => Some(id),
            (None, PiecePlace::Course(_) | PiecePlace::Lesson(_) | PiecePlace::Activity(_)) => None,
        };
        let unit = match id {
            Some(id) => tx.units().find(ctx.workspace_id(), id)?,
            None => None,
        };
        unit.ok_or_else(|| gone("unit"))
    }

    /// The lesson that something comes to be in.
    fn lesson_of(&self, tx: &mut dyn Tx, ctx: &Context, piece: &Piece) -> Result<Lesson, Error> {
        let id = match (self.result_above(piece)?, piece.place) {
            (Some(result), _) => result.parse().ok(),
            (None, PiecePlace::Lesson(id)) => Some(id),
            (None, PiecePlace::Course(_) | PiecePlace::Unit(_) | PiecePlace::Activity(_)) => None,
        };
        let lesson = match id {
            Some(id) => tx.lessons().find(ctx.workspace_id(), id)?,
            None => None,
        };
        lesson.ok_or_else(|| gone("lesson"))
    }

    /// The id of what the piece became that this one is in, if it is in one.
    fn result_above(&self, piece: &Piece) -> Result<Option<&str>, Error> {
        match piece.parent_id {
            Some(parent) => Ok(of(&self.pieces, parent)?.state.result()),
            None => Ok(None),
        }
    }

    /// Where it comes among those that are there, each with its place; none for the end.
    fn place_of(&self, piece: &Piece, there: &[(String, u32)]) -> Option<u32> {
        let at = |id: &str| there.iter().find(|(other, _)| other == id);
        let siblings = self
            .pieces
            .iter()
            .filter(|other| other.parent_id == piece.parent_id && other.kind == piece.kind);
        let landed: Vec<(u32, String)> = siblings
            .filter_map(|other| Some((other.position, other.state.result()?.to_owned())))
            .filter(|(_, id)| at(id).is_some())
            .collect();
        let after = piece.after_id.as_deref().filter(|id| at(id).is_some());
        match beside(piece.position, &landed, after) {
            Beside::After(id) => at(id).map(|(_, position)| position.saturating_add(1)),
            Beside::Before(id) => at(id).map(|(_, position)| *position),
            Beside::Last => None,
        }
    }
}

/// What a piece becomes, with what a person changes of it.
fn draft_of<'a, D, C>(
    draft: &'a D,
    piece: &Piece,
    edits: Option<PieceEdits>,
    own: impl FnOnce(PieceEdits) -> Option<C>,
) -> Draft<'a, D, C> {
    Draft {
        made: draft,
        provenance: piece.provenance(),
        edits: edits.and_then(own),
    }
}

fn of_unit(edits: PieceEdits) -> Option<UnitChanges> {
    match edits {
        PieceEdits::Unit(changes) => Some(changes),
        PieceEdits::Lesson(_) | PieceEdits::Activity(_) | PieceEdits::Assignment(_) => None,
    }
}

fn of_lesson(edits: PieceEdits) -> Option<LessonChanges> {
    match edits {
        PieceEdits::Lesson(changes) => Some(changes),
        PieceEdits::Unit(_) | PieceEdits::Activity(_) | PieceEdits::Assignment(_) => None,
    }
}

fn of_activity(edits: PieceEdits) -> Option<ActivityChanges> {
    match edits {
        PieceEdits::Activity(changes) => Some(changes),
        PieceEdits::Unit(_) | PieceEdits::Lesson(_) | PieceEdits::Assignment(_) => None,
    }
}

fn of_assignment(edits: PieceEdits) -> Option<AssignmentChanges> {
    match edits {
        PieceEdits::Assignment(changes) => Some(*changes),
        PieceEdits::Unit(_) | PieceEdits::Lesson(_) | PieceEdits::Activity(_) => None,
    }
}

/// The same, with fields named as they stand in the request.
fn in_edits(kind: PieceKind, error: Error) -> Error {
    let Error::Invalid(problems) = error else {
        return error;
    };
    let problems = problems.into_iter();
    Error::Invalid(
        problems
            .map(|problem| in_member(kind.as_str(), problem))
            .collect(),
    )
}

/// What is said where what a piece takes the place of is not what it was: who changed it, and when.
fn changed(tx: &mut dyn Tx, ctx: &Context, id: &str) -> Error {
    match events::last_change(tx, ctx, id) {
        Ok(Some(last)) => Error::Overtaken {
            refused: Box::new(Error::PreconditionFailed),
            last: Box::new(last),
        },
        Ok(None) => Error::PreconditionFailed,
        Err(failed) => failed,
    }
}

fn gone(parent: &str) -> Error {
    let text = format!(
        "the {parent} that it comes below is no longer there; bring it back from the trash first"
    );
    Conflict::NotEditable(text).into()
}
