//! What came of steps, as documents. Members that are new have a default: what is kept may be older than the program.
//! It may be newer, too, where nodes of two versions run side by side: what a kind has besides its value stands beside
//! it, where an older program does not look, and a new kind is one that an older program knows.

use std::collections::BTreeMap;

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::generation_steps::StepResult;
use lyceum_domain::drafting::pieces::PieceDraft;
use lyceum_domain::drafting::speech::SpokenPiece;
use lyceum_domain::drafting::support::{ReadSentence, SourceStanding};
use lyceum_domain::drafting::syllabus::{
    ActivityDraft, AssignmentDraft, LessonDraft, SyllabusDraft, UnitDraft,
};
use lyceum_domain::json::JsonObject;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::prelude::*;

/// What came of a step, and what stands beside its value.
#[derive(Serialize, Deserialize)]
struct StepDocument {
    #[serde(flatten)]
    result: ResultDocument,
    /// Of a quiz that was taken: options that give themselves away.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    implausible: BTreeMap<String, Vec<String>>,
    /// How the sentences of a lesson stand to its source. To an older program it is a quiz that nobody answered, of a
    /// step that it never asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    support: Option<SupportDocument>,
}

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

impl From<ResultDocument> for StepDocument {
    fn from(result: ResultDocument) -> Self {
        Self {
            result,
            implausible: BTreeMap::new(),
            support: None,
        }
    }
}

/// Writes it.
pub fn written(result: &StepResult) -> Result<Json, StoreError> {
    let document: StepDocument = match result {
        StepResult::Syllabus(draft) => ResultDocument::Syllabus(draft.into()).into(),
        StepResult::Lessons(drafts) => ResultDocument::Lessons(all(drafts)).into(),
        StepResult::Lesson(draft) => ResultDocument::Lesson(draft.into()).into(),
        StepResult::Activities(drafts) => ResultDocument::Activities(all(drafts)).into(),
        StepResult::Answers(taken) => of_quiz(taken.as_ref()),
        StepResult::Support(read) => of_lesson(read.as_deref()),
        StepResult::Speech(piece) => ResultDocument::Speech(piece.into()).into(),
    };
    let mut value = rows::read(serde_json::to_value(document))?;
    drop_nul(&mut value);
    Ok(Json(value))
}

fn of_quiz(taken: Option<&TakenQuiz>) -> StepDocument {
    let TakenQuiz {
        answers,
        implausible,
    } = match taken {
        Some(taken) => taken.clone(),
        None => return ResultDocument::Answers(None).into(),
    };
    StepDocument {
        implausible,
        ..ResultDocument::Answers(Some(answers)).into()
    }
}

fn of_lesson(read: Option<&[ReadSentence]>) -> StepDocument {
    StepDocument {
        support: Some(SupportDocument {
            sentences: read.map(all),
        }),
        ..ResultDocument::Answers(None).into()
    }
}

/// PostgreSQL keeps no NUL in a document, and nothing of ours needs one.
pub fn drop_nul(value: &mut Value) {
    match value {
        Value::String(text) => text.retain(|c| c != '\0'),
        Value::Array(entries) => entries.iter_mut().for_each(drop_nul),
        Value::Object(members) => members.values_mut().for_each(drop_nul),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Reads it.
pub fn read(document: Json) -> Result<StepResult, StoreError> {
    let document: StepDocument = rows::read(serde_json::from_value(document.0))?;
    if let Some(support) = document.support {
        let sentences = support.sentences.map(read_all);
        return Ok(StepResult::Support(sentences.transpose()?));
    }
    Ok(match document.result {
        ResultDocument::Syllabus(draft) => StepResult::Syllabus(draft.try_into()?),
        ResultDocument::Lessons(drafts) => StepResult::Lessons(read_all(drafts)?),
        ResultDocument::Lesson(draft) => StepResult::Lesson(draft.try_into()?),
        ResultDocument::Activities(drafts) => StepResult::Activities(read_all(drafts)?),
        ResultDocument::Answers(answers) => StepResult::Answers(answers.map(|answers| TakenQuiz {
            answers,
            implausible: document.implausible,
        })),
        ResultDocument::Speech(piece) => StepResult::Speech(piece.into()),
    })
}

/// What AI drafted for a piece that a person decides about.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
enum PieceDocument {
    Unit(UnitDocument),
    Lesson(LessonDocument),
    Activity(ActivityDocument),
    Assignment(AssignmentDocument),
}

/// Writes what a piece says.
pub fn written_piece(draft: &PieceDraft) -> Result<Json, StoreError> {
    let document = match draft {
        PieceDraft::Unit(draft) => PieceDocument::Unit(draft.into()),
        PieceDraft::Lesson(draft) => PieceDocument::Lesson(draft.into()),
        PieceDraft::Activity(draft) => PieceDocument::Activity(draft.into()),
        PieceDraft::Assignment(draft) => PieceDocument::Assignment(draft.into()),
    };
    let mut value = rows::read(serde_json::to_value(document))?;
    drop_nul(&mut value);
    Ok(Json(value))
}

/// Reads what a piece says.
pub fn read_piece(document: Json) -> Result<PieceDraft, StoreError> {
    let document: PieceDocument = rows::read(serde_json::from_value(document.0))?;
    Ok(match document {
        PieceDocument::Unit(draft) => PieceDraft::Unit(draft.try_into()?),
        PieceDocument::Lesson(draft) => PieceDraft::Lesson(draft.try_into()?),
        PieceDocument::Activity(draft) => PieceDraft::Activity(draft.try_into()?),
        PieceDocument::Assignment(draft) => PieceDraft::Assignment(draft.try_into()?),
    })
}

#[derive(Serialize, Deserialize)]
struct SupportDocument {
    sentences: Option<Vec<SentenceDocument>>,
}

#[derive(Serialize, Deserialize)]
struct SentenceDocument {
    text: String,
    standing: String,
}

impl From<&ReadSentence> for SentenceDocument {
    fn from(sentence: &ReadSentence) -> Self {
        let ReadSentence { text, standing } = sentence;
        Self {
            text: text.clone(),
            standing: standing.to_string(),
        }
    }
}

impl TryFrom<SentenceDocument> for ReadSentence {
    type Error = StoreError;

    fn try_from(document: SentenceDocument) -> Result<Self, StoreError> {
        Ok(Self {
            text: document.text,
            standing: rows::read(SourceStanding::parse(&document.standing))?,
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::drafting::generation_steps::Outcome;
    use serde_json::json;

    fn taken(implausible: &[(&str, &str)]) -> TakenQuiz {
        let named = implausible
            .iter()
            .map(|(question, option)| ((*question).to_owned(), vec![(*option).to_owned()]));
        TakenQuiz {
            answers: JsonObject::from_iter([("q1".to_owned(), json!(0.1))]),
            implausible: named.collect(),
        }
    }

    #[test]
    fn answers_of_an_older_program_name_no_options() {
        let older = json!({"kind": "answers", "value": {"q1": 0.1}});
        let found = read(Json(older.clone())).unwrap();
        assert_eq!(found, Some(taken(&[])).into_result());
        assert_eq!(written(&found).unwrap().0, older);
        let nobody = json!({"kind": "answers", "value": null});
        let found = read(Json(nobody)).unwrap();
        assert_eq!(found, None::<TakenQuiz>.into_result());
    }

    #[test]
    fn an_older_program_reads_what_a_newer_one_keeps() {
        /// As programs read it that know neither options nor support.
        #[derive(Deserialize)]
        struct Older {
            kind: String,
            value: Option<JsonObject>,
        }
        let older = |result: &StepResult| -> Older {
            serde_json::from_value(written(result).unwrap().0).unwrap()
        };
        let quiz = taken(&[("q1", "b")]);
        let seen = older(&Some(quiz.clone()).into_result());
        assert_eq!(
            (seen.kind.as_str(), seen.value),
            ("answers", Some(quiz.answers))
        );
        let sentence = ReadSentence {
            text: "It is cold.".to_owned(),
            standing: SourceStanding::Contradicted,
        };
        let seen = older(&Some(vec![sentence]).into_result());
        assert_eq!((seen.kind.as_str(), seen.value), ("answers", None));
    }
}
