//! What came of steps, as documents. Members that are new have a default: what is kept may be older than the program.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::generation_steps::StepResult;
use lyceum_domain::drafting::speech::SpokenPiece;
use lyceum_domain::drafting::syllabus::{
    ActivityDraft, AssignmentDraft, LessonDraft, SyllabusDraft, UnitDraft,
};
use lyceum_domain::json::JsonObject;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::prelude::*;

/// What came of a step.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
enum ResultDocument {
    Syllabus(SyllabusDocument),
    Lessons(Vec<LessonDocument>),
    Lesson(LessonDocument),
    Activities(Vec<ActivityDocument>),
    Answers(Option<JsonObject>),
    Speech(SpokenDocument),
}

/// Writes it.
pub fn written(result: &StepResult) -> Result<Json, StoreError> {
    let document = match result {
        StepResult::Syllabus(draft) => ResultDocument::Syllabus(draft.into()),
        StepResult::Lessons(drafts) => ResultDocument::Lessons(all(drafts)),
        StepResult::Lesson(draft) => ResultDocument::Lesson(draft.into()),
        StepResult::Activities(drafts) => ResultDocument::Activities(all(drafts)),
        StepResult::Answers(answers) => ResultDocument::Answers(answers.clone()),
        StepResult::Speech(piece) => ResultDocument::Speech(piece.into()),
    };
    let mut value = rows::read(serde_json::to_value(document))?;
    drop_nul(&mut value);
    Ok(Json(value))
}

/// PostgreSQL keeps no NUL in a document, and nothing of ours needs one.
fn drop_nul(value: &mut Value) {
    match value {
        Value::String(text) => text.retain(|c| c != '\0'),
        Value::Array(entries) => entries.iter_mut().for_each(drop_nul),
        Value::Object(members) => members.values_mut().for_each(drop_nul),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Reads it.
pub fn read(document: Json) -> Result<StepResult, StoreError> {
    Ok(match rows::read(serde_json::from_value(document.0))? {
        ResultDocument::Syllabus(draft) => StepResult::Syllabus(draft.try_into()?),
        ResultDocument::Lessons(drafts) => StepResult::Lessons(read_all(drafts)?),
        ResultDocument::Lesson(draft) => StepResult::Lesson(draft.try_into()?),
        ResultDocument::Activities(drafts) => StepResult::Activities(read_all(drafts)?),
        ResultDocument::Answers(answers) => StepResult::Answers(answers),
        ResultDocument::Speech(piece) => StepResult::Speech(piece.into()),
    })
}

#[derive(Serialize, Deserialize)]
struct SpokenDocument {
    blob: String,
    bytes: u64,
    sample_rate: u32,
}

impl From<&SpokenPiece> for SpokenDocument {
    fn from(piece: &SpokenPiece) -> Self {
        let SpokenPiece {
            blob,
            bytes,
            sample_rate,
        } = piece;
        Self {
            blob: blob.clone(),
            bytes: *bytes,
            sample_rate: *sample_rate,
        }
    }
}

impl From<SpokenDocument> for SpokenPiece {
    fn from(document: SpokenDocument) -> Self {
        Self {
            blob: document.blob,
            bytes: document.bytes,
            sample_rate: document.sample_rate,
        }
    }
}

fn all<'a, T, D: From<&'a T>>(drafts: &'a [T]) -> Vec<D> {
    drafts.iter().map(D::from).collect()
}

fn read_all<D, T: TryFrom<D, Error = StoreError>>(documents: Vec<D>) -> Result<Vec<T>, StoreError> {
    documents.into_iter().map(T::try_from).collect()
}

#[derive(Serialize, Deserialize)]
struct SyllabusDocument {
    summary: String,
    units: Vec<UnitDocument>,
    assumptions: Vec<String>,
}

impl From<&SyllabusDraft> for SyllabusDocument {
    fn from(draft: &SyllabusDraft) -> Self {
        let SyllabusDraft {
            summary,
            units,
            assumptions,
        } = draft;
        Self {
            summary: summary.clone(),
            units: all(units),
            assumptions: assumptions.clone(),
        }
    }
}

impl TryFrom<SyllabusDocument> for SyllabusDraft {
    type Error = StoreError;

    fn try_from(document: SyllabusDocument) -> Result<Self, StoreError> {
        Ok(Self {
            summary: document.summary,
            units: read_all(document.units)?,
            assumptions: document.assumptions,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct UnitDocument {
    name: String,
    description: String,
    objectives: Vec<String>,
    lessons: Vec<LessonDocument>,
    assignments: Vec<AssignmentDocument>,
}

impl From<&UnitDraft> for UnitDocument {
    fn from(draft: &UnitDraft) -> Self {
        let UnitDraft {
            name,
            description,
            objectives,
            lessons,
            assignments,
        } = draft;
        Self {
            name: name.clone(),
            description: description.clone(),
            objectives: objectives.clone(),
            lessons: all(lessons),
            assignments: all(assignments),
        }
    }
}

impl TryFrom<UnitDocument> for UnitDraft {
    type Error = StoreError;

    fn try_from(document: UnitDocument) -> Result<Self, StoreError> {
        Ok(Self {
            name: document.name,
            description: document.description,
            objectives: document.objectives,
            lessons: read_all(document.lessons)?,
            assignments: read_all(document.assignments)?,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct LessonDocument {
    name: String,
    summary: String,
    objectives: Vec<String>,
    content: String,
    minutes: u32,
    activities: Vec<ActivityDocument>,
}

impl From<&LessonDraft> for LessonDocument {
    fn from(draft: &LessonDraft) -> Self {
        let LessonDraft {
            name,
            summary,
            objectives,
            content,
            minutes,
            activities,
        } = draft;
        Self {
            name: name.clone(),
            summary: summary.clone(),
            objectives: objectives.clone(),
            content: content.clone(),
            minutes: *minutes,
            activities: all(activities),
        }
    }
}

impl TryFrom<LessonDocument> for LessonDraft {
    type Error = StoreError;

    fn try_from(document: LessonDocument) -> Result<Self, StoreError> {
        Ok(Self {
            name: document.name,
            summary: document.summary,
            objectives: document.objectives,
            content: document.content,
            minutes: document.minutes,
            activities: read_all(document.activities)?,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct ActivityDocument {
    kind: String,
    name: String,
    content: JsonObject,
    minutes: u32,
}

impl From<&ActivityDraft> for ActivityDocument {
    fn from(draft: &ActivityDraft) -> Self {
        let ActivityDraft {
            kind,
            name,
            content,
            minutes,
        } = draft;
        Self {
            kind: kind.to_string(),
            name: name.clone(),
            content: content.as_map().clone(),
            minutes: *minutes,
        }
    }
}

impl TryFrom<ActivityDocument> for ActivityDraft {
    type Error = StoreError;

    fn try_from(document: ActivityDocument) -> Result<Self, StoreError> {
        Ok(Self {
            kind: rows::read(ActivityKind::parse(&document.kind))?,
            name: document.name,
            content: ActivityContent::stored(document.content),
            minutes: document.minutes,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct AssignmentDocument {
    name: String,
    instructions: String,
    rubric: JsonObject,
    minutes: u32,
}

impl From<&AssignmentDraft> for AssignmentDocument {
    fn from(draft: &AssignmentDraft) -> Self {
        let AssignmentDraft {
            name,
            instructions,
            rubric,
            minutes,
        } = draft;
        Self {
            name: name.clone(),
            instructions: instructions.clone(),
            rubric: rubric.to_json(),
            minutes: *minutes,
        }
    }
}

impl TryFrom<AssignmentDocument> for AssignmentDraft {
    type Error = StoreError;

    fn try_from(document: AssignmentDocument) -> Result<Self, StoreError> {
        Ok(Self {
            name: document.name,
            instructions: document.instructions,
            rubric: rows::read(Rubric::parse("rubric", &document.rubric))?,
            minutes: document.minutes,
        })
    }
}
