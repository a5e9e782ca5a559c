//! Pieces of generations on the wire: what is proposed, and how it is accepted.

use lyceum_domain::drafting::pieces::{
    Piece, PieceDraft, PieceEdits, PieceKind, PiecePlace, PieceStatus, PieceTarget, PieceTexts,
};
use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::json::JsonObject;
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::authoring::activities::UpdateActivity;
use crate::authoring::assignments::UpdateAssignment;
use crate::authoring::lessons::UpdateLesson;
use crate::authoring::provenance::ProvenanceView;
use crate::authoring::units::UpdateUnit;
use crate::common::{Command, FreeObject, Resource};
use crate::identity::actors::ActorView;
use crate::shapes;

/// A piece to be accepted: as it is, or with what a person changes of it. A piece takes changes of its own kind, and they say
/// what a change of the thing itself would.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AcceptPiece {
    /// What is changed of a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<UpdateUnit>,
    /// What is changed of a lesson.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<UpdateLesson>,
    /// What is changed of an activity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<UpdateActivity>,
    /// What is changed of an assignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment: Option<UpdateAssignment>,
    /// Whether whatever is still proposed below it is accepted too; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<bool>,
    /// The `updated_at` of what it takes the place of, as the caller has seen it: says that a change since the piece was made is
    /// known, and is to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_updated_at: Option<String>,
}

/// A piece to be accepted, as asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AcceptRequest {
    /// What a person changes of it.
    pub edits: Option<PieceEdits>,
    /// Whether what is below it is accepted too.
    pub below: bool,
    /// As when the caller has seen what it takes the place of.
    pub seen: Option<Timestamp>,
}

impl Command for AcceptPiece {
    type Of = AcceptRequest;

    fn command(self) -> Result<AcceptRequest, Invalid> {
        let seen = self.seen_updated_at.map(|text| Timestamp::parse(&text));
        let edits = [
            read("unit", self.unit, PieceEdits::Unit)?,
            read("lesson", self.lesson, PieceEdits::Lesson)?,
            read("activity", self.activity, PieceEdits::Activity)?,
            read("assignment", self.assignment, |changes| {
                PieceEdits::Assignment(Box::new(changes))
            })?,
        ];
        let mut edits = edits.into_iter().flatten();
        let first = edits.next();
        if let Some(second) = edits.next() {
            let problem = "cannot be changed beside something else";
            return Err(Invalid::new(second.kind().as_str(), problem));
        }
        Ok(AcceptRequest {
            edits: first,
            below: self.below.unwrap_or(false),
            seen: seen.transpose().at("seen_updated_at")?,
        })
    }
}

/// The changes in a member of the body; what is wrong with them is said by their path.
fn read<C: Command>(
    member: &str,
    body: Option<C>,
    edits: impl FnOnce(C::Of) -> PieceEdits,
) -> Result<Option<PieceEdits>, Invalid> {
    let changes = body.map(Command::command).transpose();
    let changes = changes.map_err(|problem| below(member, problem))?;
    Ok(changes.map(edits))
}

/// The same problem, in a member of the body.
pub fn below(member: &str, problem: Invalid) -> Invalid {
    Invalid {
        field: format!("{member}.{}", problem.field),
        ..problem
    }
}

/// A thing of a course, by its kind and id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PieceThing {
    /// Its kind: `course`, `unit`, `lesson`, `activity` or `assignment`.
    pub object: String,
    /// Its id.
    pub id: String,
}

/// What a generation made and a person decides about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PieceView {
    /// `gpc_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::GenerationPiece>)]
    pub id: String,
    /// Always `generation_piece`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::GenerationPiece>)]
    pub object: String,
    /// The generation that made it.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Generation>)]
    pub generation_id: String,
    /// What it is to become: `unit`, `lesson`, `activity` or `assignment`.
    #[schema(schema_with = shapes::word::<PieceKind>)]
    pub kind: String,
    /// What it is called.
    pub name: String,
    /// The piece that it is in; null where it is in none.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::GenerationPiece>, required)]
    pub parent_piece_id: Option<String>,
    /// Its place among the pieces of its generation, in the order of the outline, from 0.
    pub position: u32,
    /// What it would take the place of; null of what is new.
    #[schema(required)]
    pub target: Option<PieceThing>,
    /// Where it would come; null where it takes the place of something.
    #[schema(required)]
    pub place: Option<PiecePlaceView>,
    /// Where it comes from.
    pub provenance: ProvenanceView,
    /// `proposed`, `accepted` or `discarded`.
    #[schema(schema_with = shapes::word::<PieceStatus>)]
    pub status: String,
    /// When somebody decided.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub decided_at: Option<String>,
    /// Who decided.
    #[schema(required)]
    pub decided_by: Option<ActorView>,
    /// What it became; null until it is accepted.
    #[schema(required)]
    pub result: Option<PieceThing>,
    /// What stood there when it was made, by the members that a change takes. Absent of what is new, and in lists.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<FreeObject>,
    /// What it says, by the members that the thing itself has. Not in lists.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<FreeObject>,
    /// What a person should look at: `support`, the sentences of a lesson that no passage of the source supports; `quiz`, what
    /// became of the key; `warnings`, in words. Not in lists.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<FreeObject>,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// Where something new would come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PiecePlaceView {
    /// Below what; null where it is in another piece.
    #[schema(required)]
    pub parent: Option<PieceThing>,
    /// Behind what, of that which stood there when it was made; null where nothing did.
    #[schema(required)]
    pub after: Option<PieceThing>,
}

impl PieceView {
    /// All of it. Whoever decided is still to be named.
    pub fn new(piece: &Piece, texts: &PieceTexts) -> Self {
        Self {
            before: texts.before.clone().map(FreeObject),
            proposal: Some(FreeObject(proposal(&texts.draft))),
            checks: Some(FreeObject(texts.checks.clone())),
            ..Self::listed(piece)
        }
    }

    /// Without the texts, which can be long.
    pub fn listed(piece: &Piece) -> Self {
        let decision = piece.state.decision();
        let decided_by = decision.map(|it| ActorView::unnamed(&ActedBy::Person(it.by)));
        Self {
            id: piece.id.to_string(),
            object: "generation_piece".to_owned(),
            generation_id: piece.generation_id.to_string(),
            kind: piece.kind.to_string(),
            name: piece.name.clone(),
            parent_piece_id: piece.parent_id.map(|id| id.to_string()),
            position: piece.position,
            target: piece.target().map(|target| match target {
                PieceTarget::Lesson(id) => thing("lesson", id.to_string()),
                PieceTarget::Activity(id) => thing("activity", id.to_string()),
            }),
            place: piece.target().is_none().then(|| place(piece)),
            provenance: (&piece.provenance()).into(),
            status: piece.state.status().to_string(),
            decided_at: decision.map(|it| it.at.to_string()),
            decided_by,
            result: piece
                .state
                .result()
                .map(|id| thing(piece.kind.as_str(), id.to_owned())),
            before: None,
            proposal: None,
            checks: None,
            created_at: piece.stamp.created_at.to_string(),
            updated_at: piece.stamp.updated_at.to_string(),
        }
    }
}

fn thing(object: &str, id: String) -> PieceThing {
    PieceThing {
        object: object.to_owned(),
        id,
    }
}

fn place(piece: &Piece) -> PiecePlaceView {
    let parent = match piece.place {
        PiecePlace::Course(id) => thing("course", id.to_string()),
        PiecePlace::Unit(id) => thing("unit", id.to_string()),
        PiecePlace::Lesson(id) => thing("lesson", id.to_string()),
        PiecePlace::Activity(id) => thing("activity", id.to_string()),
    };
    let after = piece.after_id.clone();
    PiecePlaceView {
        parent: piece.parent_id.is_none().then_some(parent),
        after: after.map(|id| thing(piece.kind.as_str(), id)),
    }
}

/// What a draft says, by the members that the thing itself has.
fn proposal(draft: &PieceDraft) -> JsonObject {
    let members = match draft {
        PieceDraft::Unit(unit) => json!({
            "name": unit.name, "description": unit.description, "objectives": unit.objectives,
        }),
        PieceDraft::Lesson(lesson) => json!({
            "name": lesson.name, "summary": lesson.summary, "objectives": lesson.objectives,
            "content": lesson.content, "duration_minutes": lesson.minutes,
        }),
        PieceDraft::Activity(activity) => json!({
            "name": activity.name, "kind": activity.kind.as_str(), "content": activity.content.as_map(),
        }),
        PieceDraft::Assignment(assignment) => json!({
            "name": assignment.name, "instructions": assignment.instructions,
            "rubric": assignment.rubric.to_json(),
        }),
    };
    let Value::Object(members) = members else {
        return JsonObject::new();
    };
    members
}

impl Resource for PieceView {
    const COLLECTION: &'static str = "pieces";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(body: Value) -> Result<AcceptRequest, Invalid> {
        let body: AcceptPiece = serde_json::from_value(body).unwrap();
        body.command()
    }

    #[test]
    fn a_piece_is_accepted_as_it_is_when_nobody_says_otherwise() {
        assert_eq!(command(json!({})).unwrap(), AcceptRequest::default());
    }

    #[test]
    fn what_is_changed_is_checked_as_a_change_and_named_by_its_path() {
        let refused = command(json!({"lesson": {"name": " "}})).unwrap_err();
        assert_eq!(refused.field, "lesson.name");
        let refused = command(json!({"lesson": {}, "unit": {"name": "U"}})).unwrap_err();
        assert_eq!(refused.field, "lesson");
        let refused = command(json!({"seen_updated_at": "yesterday"})).unwrap_err();
        assert_eq!(refused.field, "seen_updated_at");
        let taken = command(json!({"unit": {"name": "U"}, "below": true})).unwrap();
        assert!(taken.below && taken.edits.map(|edits| edits.kind()) == Some(PieceKind::Unit));
    }
}
