//! Pieces: what a generation made that waits for a person, thing by thing.
//!
//! A generation that is reviewed changes nothing: what came of it lies here until somebody accepts it, changed or as it is, or
//! discards it. What is accepted lands as what lands by itself does.

use crate::authoring::activities::ActivityChanges;
use crate::authoring::assignments::AssignmentChanges;
use crate::authoring::lessons::LessonChanges;
use crate::authoring::provenance::Provenance;
use crate::authoring::units::UnitChanges;
use crate::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use crate::ids::{
    ActivityId, CourseId, GenerationId, LessonId, PieceId, UnitId, UserId, WorkspaceId,
};
use crate::json::JsonObject;
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{Stamp, Timestamp};

words!(
    /// What a piece is to become.
    PieceKind {
        /// A unit, without what is in it.
        Unit = "unit",
        /// A lesson, without what is in it.
        Lesson = "lesson",
        /// An activity.
        Activity = "activity",
        /// An assignment with its rubric.
        Assignment = "assignment",
    }
);

words!(
    /// What became of a piece.
    PieceStatus {
        /// Nobody has decided.
        Proposed = "proposed",
        /// It landed.
        Accepted = "accepted",
        /// It is not wanted.
        Discarded = "discarded",
    }
);

/// What AI drafted for a piece. What is in a unit or a lesson are pieces of their own.
#[derive(Debug, Clone, PartialEq)]
pub enum PieceDraft {
    /// A unit.
    Unit(UnitDraft),
    /// A lesson.
    Lesson(LessonDraft),
    /// An activity.
    Activity(ActivityDraft),
    /// An assignment.
    Assignment(AssignmentDraft),
}

impl PieceDraft {
    /// What it is to become.
    pub const fn kind(&self) -> PieceKind {
        match self {
            Self::Unit(_) => PieceKind::Unit,
            Self::Lesson(_) => PieceKind::Lesson,
            Self::Activity(_) => PieceKind::Activity,
            Self::Assignment(_) => PieceKind::Assignment,
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Unit(draft) => &draft.name,
            Self::Lesson(draft) => &draft.name,
            Self::Activity(draft) => &draft.name,
            Self::Assignment(draft) => &draft.name,
        }
    }
}

/// What a person changes of a piece as they accept it: what they could change of the thing once it is there.
#[derive(Debug, Clone, PartialEq)]
pub enum PieceEdits {
    /// Of a unit.
    Unit(UnitChanges),
    /// Of a lesson.
    Lesson(LessonChanges),
    /// Of an activity.
    Activity(ActivityChanges),
    /// Of an assignment.
    Assignment(Box<AssignmentChanges>),
}

impl PieceEdits {
    /// Of what.
    pub const fn kind(&self) -> PieceKind {
        match self {
            Self::Unit(_) => PieceKind::Unit,
            Self::Lesson(_) => PieceKind::Lesson,
            Self::Activity(_) => PieceKind::Activity,
            Self::Assignment(_) => PieceKind::Assignment,
        }
    }
}

/// What the generation was asked for: pieces come below it, or take its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PiecePlace {
    /// A course, which gets units.
    Course(CourseId),
    /// A unit, which gets lessons.
    Unit(UnitId),
    /// A lesson, which gets activities or another text.
    Lesson(LessonId),
    /// An activity, which gets another content.
    Activity(ActivityId),
}

/// What stands there and is to be another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceTarget {
    /// The text of a lesson.
    Lesson(LessonId),
    /// The content of an activity.
    Activity(ActivityId),
}

/// Who decided, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceDecision {
    /// The member; none where it was none.
    pub by: Option<UserId>,
    /// When.
    pub at: Timestamp,
}

/// Where a piece is: proposed → accepted | discarded; discarded → proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceState {
    /// Nobody has decided.
    Proposed,
    /// It landed, as the thing with this id.
    Accepted(PieceDecision, String),
    /// It is not wanted.
    Discarded(PieceDecision),
}

impl PieceState {
    /// The state in a word.
    pub const fn status(&self) -> PieceStatus {
        match self {
            Self::Proposed => PieceStatus::Proposed,
            Self::Accepted(..) => PieceStatus::Accepted,
            Self::Discarded(_) => PieceStatus::Discarded,
        }
    }

    /// Who decided, and when, once somebody has.
    pub const fn decision(&self) -> Option<PieceDecision> {
        match self {
            Self::Proposed => None,
            Self::Accepted(decision, _) | Self::Discarded(decision) => Some(*decision),
        }
    }

    /// The id of what it became.
    pub fn result(&self) -> Option<&str> {
        match self {
            Self::Accepted(_, result) => Some(result),
            Self::Proposed | Self::Discarded(_) => None,
        }
    }
}

/// A piece without its texts: what lists show, and what changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: PieceId,
    /// What made it.
    pub generation_id: GenerationId,
    /// Its place among the pieces of the generation, in the order of the outline.
    pub position: u32,
    /// The piece that it is in.
    pub parent_id: Option<PieceId>,
    /// What it is to become.
    pub kind: PieceKind,
    /// What it is called.
    pub name: String,
    /// What the generation was asked for.
    pub place: PiecePlace,
    /// Behind which sibling it comes, of those that stood there when it was made.
    pub after_id: Option<String>,
    /// The model that made it.
    pub model: String,
    /// SHA-256 of the text that it was drafted from, if one was given.
    pub source_hash: Option<String>,
    /// Where it is.
    pub state: PieceState,
    /// When it was made and changed.
    pub stamp: Stamp,
}

/// What a piece says, and what it would take the place of.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceTexts {
    /// What AI drafted.
    pub draft: PieceDraft,
    /// What stood there when it was made, as a change takes it; none of what is new.
    pub before: Option<JsonObject>,
    /// What a person should look at: sentences without support in the source, disputed questions, what texts lose.
    pub checks: JsonObject,
}

impl Piece {
    /// What it takes the place of; none of what is new.
    pub const fn target(&self) -> Option<PieceTarget> {
        match (self.kind, self.place) {
            (PieceKind::Lesson, PiecePlace::Lesson(id)) => Some(PieceTarget::Lesson(id)),
            (PieceKind::Activity, PiecePlace::Activity(id)) => Some(PieceTarget::Activity(id)),
            (
                PieceKind::Unit | PieceKind::Lesson | PieceKind::Activity | PieceKind::Assignment,
                _,
            ) => None,
        }
    }

    /// Where it comes from, unless a person changes it.
    pub fn provenance(&self) -> Provenance {
        Provenance::ai(self.model.clone(), self.generation_id).from_source(self.source_hash.clone())
    }

    /// Whether nobody has decided about it.
    pub const fn is_open(&self) -> bool {
        matches!(self.state, PieceState::Proposed)
    }

    /// proposed → accepted
    ///
    /// # Errors
    /// [`InvalidTransition`]
    pub fn accept(
        &mut self,
        by: Option<UserId>,
        result: String,
        now: Timestamp,
    ) -> Result<(), InvalidTransition> {
        self.refuse_decided("be accepted")?;
        self.state = PieceState::Accepted(PieceDecision { by, at: now }, result);
        self.stamp.touch(now);
        Ok(())
    }

    /// proposed → discarded
    ///
    /// # Errors
    /// [`InvalidTransition`]
    pub fn discard(&mut self, by: Option<UserId>, now: Timestamp) -> Result<(), InvalidTransition> {
        self.refuse_decided("be discarded")?;
        self.state = PieceState::Discarded(PieceDecision { by, at: now });
        self.stamp.touch(now);
        Ok(())
    }

    /// discarded → proposed
    ///
    /// # Errors
    /// [`InvalidTransition`]
    pub fn reopen(&mut self, now: Timestamp) -> Result<(), InvalidTransition> {
        match self.state {
            PieceState::Discarded(_) => self.state = PieceState::Proposed,
            PieceState::Proposed | PieceState::Accepted(..) => {
                return Err(self.cannot("be proposed again"));
            }
        }
        self.stamp.touch(now);
        Ok(())
    }

    /// Refuses what only those can do that nobody has decided about.
    ///
    /// # Errors
    /// [`InvalidTransition`]
    pub const fn refuse_decided(&self, action: &'static str) -> Result<(), InvalidTransition> {
        match self.state {
            PieceState::Proposed => Ok(()),
            PieceState::Accepted(..) | PieceState::Discarded(_) => Err(self.cannot(action)),
        }
    }

    const fn cannot(&self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "generation piece",
            from: self.state.status().as_str(),
            action,
        }
    }
}

/// What a piece is in, outermost first.
pub fn above(pieces: &[Piece], id: PieceId) -> Vec<PieceId> {
    let parent_of = |id: &PieceId| pieces.iter().find(|piece| piece.id == *id)?.parent_id;
    let mut chain: Vec<PieceId> = std::iter::successors(parent_of(&id), parent_of)
        .take(pieces.len())
        .collect();
    chain.reverse();
    chain
}

/// What is in a piece, and in that again, in order.
pub fn below(pieces: &[Piece], id: PieceId) -> Vec<PieceId> {
    let others = pieces.iter().filter(|piece| piece.id != id);
    let inside = others.filter(|piece| above(pieces, piece.id).contains(&id));
    inside.map(|piece| piece.id).collect()
}

/// Where a new thing stands among those below its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside<'a> {
    /// Right behind this one.
    After(&'a str),
    /// Right before this one.
    Before(&'a str),
    /// Behind all.
    Last,
}

/// Where what a piece becomes stands, given the pieces of its parent that have landed already, each with its place among the
/// pieces and the id of what it became: in whichever order they are accepted, they come to stand as they were drafted.
pub fn beside<'a>(
    position: u32,
    landed: &'a [(u32, String)],
    after: Option<&'a str>,
) -> Beside<'a> {
    let before = landed.iter().filter(|(other, _)| *other < position);
    if let Some((_, id)) = before.max_by_key(|(other, _)| *other) {
        return Beside::After(id);
    }
    let behind = landed.iter().filter(|(other, _)| *other > position);
    if let Some((_, id)) = behind.min_by_key(|(other, _)| *other) {
        return Beside::Before(id);
    }
    after.map_or(Beside::Last, Beside::After)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use uuid::Uuid;

    fn piece(kind: PieceKind, place: PiecePlace) -> Piece {
        let now = Timestamp::from_unix_millis(0);
        Piece {
            workspace_id: Id::from_uuid(Uuid::nil()),
            id: Id::from_uuid(Uuid::nil()),
            generation_id: Id::from_uuid(Uuid::nil()),
            position: 0,
            parent_id: None,
            kind,
            name: "Cooling".to_owned(),
            place,
            after_id: None,
            model: "m".to_owned(),
            source_hash: None,
            state: PieceState::Proposed,
            stamp: Stamp::new(now),
        }
    }

    fn lesson() -> PiecePlace {
        PiecePlace::Lesson(Id::from_uuid(Uuid::nil()))
    }

    #[test]
    fn what_is_of_the_kind_that_was_asked_for_takes_its_place() {
        let id = Id::from_uuid(Uuid::nil());
        let same = piece(PieceKind::Lesson, lesson());
        assert_eq!(same.target(), Some(PieceTarget::Lesson(id)));
        assert_eq!(piece(PieceKind::Activity, lesson()).target(), None);
        let unit = PiecePlace::Unit(Id::from_uuid(Uuid::nil()));
        assert_eq!(piece(PieceKind::Lesson, unit).target(), None);
    }

    #[test]
    fn a_piece_is_decided_once_and_only_discarding_is_taken_back() {
        let now = Timestamp::from_unix_millis(7);
        let mut one = piece(PieceKind::Lesson, lesson());
        assert!(one.reopen(now).is_err());
        one.discard(None, now).unwrap();
        assert!(one.clone().accept(None, "les".to_owned(), now).is_err());
        one.reopen(now).unwrap();
        one.accept(None, "les".to_owned(), now).unwrap();
        assert_eq!(one.state.result(), Some("les"));
        assert_eq!(one.state.decision().map(|it| it.at), Some(now));
        assert!(one.clone().accept(None, "other".to_owned(), now).is_err());
        assert!(one.clone().discard(None, now).is_err());
        assert!(one.reopen(now).is_err());
    }

    #[test]
    fn what_is_in_what_is_found_both_ways() {
        let id = |number| Id::from_uuid(Uuid::from_u128(number));
        let one = |number, parent: Option<u128>| Piece {
            id: id(number),
            parent_id: parent.map(id),
            ..piece(PieceKind::Lesson, lesson())
        };
        let all = [
            one(1, None),
            one(2, Some(1)),
            one(3, Some(2)),
            one(4, None),
            one(5, Some(4)),
        ];
        assert_eq!(above(&all, id(3)), [id(1), id(2)]);
        assert_eq!(below(&all, id(1)), [id(2), id(3)]);
        assert!(above(&all, id(4)).is_empty() && below(&all, id(3)).is_empty());
    }

    #[test]
    fn pieces_come_to_stand_as_they_were_drafted() {
        let landed = [(1, "b".to_owned()), (4, "e".to_owned())];
        assert_eq!(beside(2, &landed, Some("old")), Beside::After("b"));
        assert_eq!(beside(9, &landed, Some("old")), Beside::After("e"));
        assert_eq!(beside(0, &landed, Some("old")), Beside::Before("b"));
        assert_eq!(beside(0, &[], Some("old")), Beside::After("old"));
        assert_eq!(beside(0, &[], None), Beside::Last);
    }
}
