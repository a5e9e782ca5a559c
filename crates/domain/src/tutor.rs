//! The tutor: answers about one lesson, from that lesson, to whoever may read it.
//!
//! A tutor is told of a lesson what its readers see, and nothing of its activities: what it does not know it cannot
//! give away. It proposes words and passages; only passages that stand in the lesson become citations.

use serde_json::Value;

use crate::courses::Course;
use crate::grades::Evidence;
use crate::id::Identified;
use crate::lessons::{Lesson, LessonId};
use crate::text::{refuse_longer, refuse_nul};
use crate::transition::InvalidTransition;
use crate::users::UserId;
use crate::workspaces::WorkspaceId;
use crate::{Id, InvalidValue, Timestamp};

/// Identifies a conversation with the tutor (`thr_…`).
pub type ThreadId = Id<TutorThread>;
/// Identifies a message with its reply (`trn_…`).
pub type TurnId = Id<TutorTurn>;

/// A conversation of one user about one lesson: the turns that carry its id, and nothing besides.
pub struct TutorThread;

impl Identified for TutorThread {
    const PREFIX: &'static str = "thr";
    const OBJECT: &'static str = "thread";
}

impl Identified for TutorTurn {
    const PREFIX: &'static str = "trn";
    const OBJECT: &'static str = "tutor_reply";
}

/// What is said to the tutor: 1 to 4000 characters, not only white space, no NUL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorMessage(String);

impl TutorMessage {
    /// Longest message, in characters.
    pub const MAX_CHARS: usize = 4_000;

    /// Checks the rules.
    ///
    /// # Errors
    /// [`InvalidValue`] naming the rule.
    pub fn parse(text: impl Into<String>) -> Result<Self, InvalidValue> {
        let text = text.into();
        refuse_nul(&text)?;
        if text.trim().is_empty() {
            return Err(InvalidValue::new("must not be blank"));
        }
        refuse_longer(&text, Self::MAX_CHARS)?;
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is asked of the tutor of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorRequest {
    /// What the caller says.
    pub message: TutorMessage,
    /// The conversation that goes on; a new one when `None`.
    pub thread_id: Option<ThreadId>,
}

/// A message and its reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorTurn {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier; later turns have greater ones.
    pub id: TurnId,
    /// The conversation.
    pub thread_id: ThreadId,
    /// What the conversation is about.
    pub lesson_id: LessonId,
    /// Whose conversation it is.
    pub user_id: UserId,
    /// What they said.
    pub message: String,
    /// What the tutor said.
    pub reply: String,
    /// When.
    pub created_at: Timestamp,
}

impl TutorTurn {
    /// How many turns of a conversation are remembered.
    pub const KEPT: u16 = 10;
}

/// What a course says about its tutor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorSettings {
    /// Whether it answers at all.
    pub enabled: bool,
    /// Guidance, beside that of all AI calls of the course.
    pub instructions: String,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

impl TutorSettings {
    /// Reads `tutor.enabled`, `tutor.instructions` and `tutor.model` of a course, and for want of the last the
    /// model of its evaluator. A member of another type counts as absent: the object is its users' own.
    pub fn of(course: &Course) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let model = text(course.tutor.get("model")).filter(|model| !model.trim().is_empty());
        Self {
            enabled: course.tutor.get("enabled").and_then(Value::as_bool) != Some(false),
            instructions: text(course.tutor.get("instructions")).unwrap_or_default(),
            model: model
                .or_else(|| text(course.ai.evaluator.get("model")))
                .unwrap_or_default(),
        }
    }

    /// Says whether the tutor may be asked.
    ///
    /// # Errors
    /// [`InvalidTransition`] where the course has switched it off.
    pub const fn check(&self) -> Result<(), InvalidTransition> {
        if self.enabled {
            return Ok(());
        }
        Err(InvalidTransition {
            object: "tutor",
            from: "switched off",
            action: "be asked",
        })
    }
}

/// What a tutor is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorTask {
    /// Name of the course.
    pub course_name: String,
    /// Language of the course.
    pub language: String,
    /// Guidance of the course for all AI calls.
    pub course_instructions: String,
    /// Guidance of the course for the tutor.
    pub tutor_instructions: String,
    /// Name of the lesson.
    pub lesson_name: String,
    /// Its summary.
    pub summary: String,
    /// Its objectives.
    pub objectives: Vec<String>,
    /// Its text, Markdown.
    pub content: String,
    /// What was said before: message and reply, oldest first.
    pub earlier: Vec<(String, String)>,
    /// What is said now.
    pub message: String,
    /// Names, addresses and ids of people that must not leave the service, wherever they stand.
    pub private: Vec<String>,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

impl TutorTask {
    /// A message about a lesson.
    pub fn new(
        course: &Course,
        lesson: &Lesson,
        earlier: Vec<TutorTurn>,
        message: &TutorMessage,
    ) -> Self {
        let settings = TutorSettings::of(course);
        let turns = earlier.into_iter().map(|turn| (turn.message, turn.reply));
        Self {
            course_name: course.name.to_string(),
            language: course.language.to_string(),
            course_instructions: course.ai.instructions.to_string(),
            tutor_instructions: settings.instructions,
            lesson_name: lesson.name.to_string(),
            summary: lesson.summary.to_string(),
            objectives: lesson.objectives.as_slice().to_vec(),
            content: lesson.content.to_string(),
            earlier: turns.collect(),
            message: message.as_str().to_owned(),
            private: Vec::new(),
            model: settings.model,
        }
    }
}

/// What a tutor says, before anything is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorProposal {
    /// To the learner.
    pub message: String,
    /// Passages of the lesson, and which of their occurrences (1-based) is meant.
    pub quotes: Vec<(String, usize)>,
}

/// What a tutor says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorReply {
    /// To the learner.
    pub message: String,
    /// The passages it rests on, exactly as they stand in the lesson's text, in order of their place.
    pub citations: Vec<Evidence>,
}

/// Most passages that a reply cites.
const MAX_CITATIONS: usize = 20;

/// A proposal with those passages alone that stand in the lesson's text, each once.
pub fn checked(content: &str, proposal: &TutorProposal) -> TutorReply {
    let located = proposal
        .quotes
        .iter()
        .filter_map(|(quote, occurrence)| Evidence::locate(content, quote, *occurrence));
    let mut citations: Vec<Evidence> = located.take(MAX_CITATIONS).collect();
    citations.sort_by_key(|citation| (citation.start, citation.end));
    citations.dedup();
    TutorReply {
        // Not every database can hold the character, and no reply needs it.
        message: proposal.message.trim().replace('\0', ""),
        citations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::courses::{CourseAi, Hours, NewCourse};
    use crate::json::Metadata;
    use crate::text::{LanguageTag, LongText, Name};
    use serde_json::json;
    use uuid::Uuid;

    fn course(tutor: &Value, evaluator: &Value) -> Course {
        let new = NewCourse {
            name: Name::parse("Food").unwrap(),
            language: LanguageTag::english(),
            description: LongText::default(),
            hours: Hours::DEFAULT,
            ai: CourseAi {
                instructions: LongText::default(),
                evaluator: evaluator.as_object().cloned().unwrap(),
            },
            tutor: tutor.as_object().cloned().unwrap(),
            metadata: Metadata::default(),
        };
        let now = Timestamp::parse("2026-11-21T06:55:00Z").unwrap();
        let id = Uuid::from_u128(1);
        Course::draft(Id::from_uuid(id), Id::from_uuid(id), new, now)
    }

    #[test]
    fn a_message_says_something_and_is_not_too_long() {
        assert!(TutorMessage::parse("?").is_ok());
        assert!(TutorMessage::parse("ä".repeat(4_000)).is_ok());
        for wrong in ["", " \n", "a\0b", &"ä".repeat(4_001)] {
            assert!(TutorMessage::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_tutor_answers_unless_the_course_says_otherwise() {
        let enabled = |tutor: Value| TutorSettings::of(&course(&tutor, &json!({}))).enabled;
        assert!(enabled(json!({})));
        assert!(enabled(json!({"enabled": true})));
        // Whoever writes something else has not switched it off.
        assert!(enabled(json!({"enabled": "no"})));
        assert!(!enabled(json!({"enabled": false})));
        let off = TutorSettings::of(&course(&json!({"enabled": false}), &json!({})));
        let said = off.check().unwrap_err().to_string();
        assert_eq!(said, "a tutor that is switched off cannot be asked");
    }

    #[test]
    fn the_model_is_the_tutors_else_the_courses() {
        let model = |tutor: Value| TutorSettings::of(&course(&tutor, &json!({"model": "m"}))).model;
        assert_eq!(model(json!({"model": "t"})), "t");
        assert_eq!(model(json!({"model": " "})), "m");
        assert_eq!(model(json!({"model": 4})), "m");
    }

    #[test]
    fn only_what_stands_in_the_lesson_is_cited_once_and_in_its_order() {
        let content = "Kühl es. Log it. Kühl es.";
        let quote = |text: &str, occurrence| (text.to_owned(), occurrence);
        let proposal = TutorProposal {
            message: " Look. ".to_owned(),
            quotes: vec![
                quote("Kühl es.", 2),
                quote("Log it.", 1),
                quote("Heat it.", 1),
                quote(" Log it. ", 1),
                quote("", 1),
            ],
        };
        let reply = checked(content, &proposal);
        assert_eq!(reply.message, "Look.");
        let places: Vec<(usize, usize)> = reply
            .citations
            .iter()
            .map(|citation| (citation.start, citation.end))
            .collect();
        assert_eq!(places, [(9, 16), (17, 25)]);
    }
}
