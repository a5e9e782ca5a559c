//! The tutor on the wire.

use std::collections::BTreeMap;

use lyceum_domain::drafting::tutor::{Citation, TutorMessage, TutorMove, TutorRequest, TutorTurn};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::shapes;

/// Something said to the tutor of a lesson.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AskTutor {
    /// What is said.
    #[schema(
        min_length = 1,
        max_length = 4_000,
        pattern = r"\S",
        example = "Why must rice be cooled so fast?"
    )]
    pub message: String,
    /// The conversation that goes on, `thr_…`: one's own, about this lesson. A new one begins when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
}

impl Command for AskTutor {
    type Of = TutorRequest;

    fn command(self) -> Result<TutorRequest, Invalid> {
        Ok(TutorRequest {
            message: TutorMessage::parse(self.message).at("message")?,
            thread_id: self.thread_id.as_deref().map(reference),
        })
    }
}

/// A passage of a lesson of the course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CitationView {
    /// The lesson.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Lesson>)]
    pub lesson_id: String,
    /// Where it starts, in characters of the lesson's `content`.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The passage, as it stands there.
    pub quote: String,
}

/// What the tutor said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TutorReplyView {
    /// `trn_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::TutorTurn>)]
    pub id: String,
    /// Always `tutor_reply`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::TutorTurn>)]
    pub object: String,
    /// The conversation; send it along to go on.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::TutorThread>)]
    pub thread_id: String,
    /// The lesson that it is about.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Lesson>)]
    pub lesson_id: String,
    /// What was said to the tutor.
    pub question: String,
    /// What the tutor said, Markdown.
    pub message: String,
    /// Its HTML, as `message`.
    // A service before this one does not say.
    #[serde(default)]
    #[schema(required)]
    pub html: BTreeMap<String, String>,
    /// What the reply does.
    #[serde(rename = "move")]
    #[schema(schema_with = shapes::word::<TutorMove>)]
    pub act: String,
    /// How large the hint is: 1 asks back and points to a passage, 2 also names the next step, 3 explains.
    #[schema(minimum = 1, maximum = 3)]
    pub hint_level: u8,
    /// Whether a person should take over.
    pub handoff_to_teacher: bool,
    /// The passages that it rests on: of the lesson, then of others of the course, in their order.
    pub citations: Vec<CitationView>,
    /// The model that answered; `builtin` is the built-in engine.
    pub model: String,
    /// When it was said.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// The same.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl TutorReplyView {
    /// Shows a turn, and this HTML of what the tutor said.
    pub fn new(turn: &TutorTurn, html: String) -> Self {
        let citation = |citation: &Citation| CitationView {
            lesson_id: citation.lesson_id.to_string(),
            start: citation.passage.start,
            end: citation.passage.end,
            quote: citation.passage.quote.clone(),
        };
        Self {
            id: turn.id.to_string(),
            object: "tutor_reply".to_owned(),
            thread_id: turn.thread_id.to_string(),
            lesson_id: turn.lesson_id.to_string(),
            question: turn.message.clone(),
            message: turn.reply.message.clone(),
            html: BTreeMap::from([("message".to_owned(), html)]),
            act: turn.reply.act.to_string(),
            hint_level: turn.hint_level.clamp(1, 3),
            handoff_to_teacher: turn.reply.handoff_to_teacher,
            citations: turn.reply.citations.iter().map(citation).collect(),
            model: turn.model.clone(),
            created_at: turn.created_at.to_string(),
            updated_at: turn.created_at.to_string(),
        }
    }
}

impl Resource for TutorReplyView {
    const COLLECTION: &'static str = "tutor";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_enough_and_a_thread_is_named_or_not() {
        let ask = |body: serde_json::Value| -> Result<TutorRequest, Invalid> {
            serde_json::from_value::<AskTutor>(body).unwrap().command()
        };
        assert_eq!(ask(json!({"message": "Why?"})).unwrap().thread_id, None);
        let named = ask(json!({"message": "Why?", "thread_id": "?"})).unwrap();
        assert!(named.thread_id.is_some());
        assert_eq!(ask(json!({"message": " "})).unwrap_err().field, "message");
    }
}
