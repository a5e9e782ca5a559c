//! The tutor: answers about a lesson, from that lesson and its course, to whoever may read them.
//!
//! A tutor is told what readers of the lessons see. Keys of open tasks travel beside the task for one purpose, to
//! hold replies against them; no prompt contains them. A tutor proposes words and passages; only passages that stand
//! in a lesson become citations, and a reply that gives a task away is no reply.

use serde_json::Value;

use crate::authoring::courses::Course;
use crate::authoring::lessons::Lesson;
use crate::evidence::Evidence;
use crate::ids::{LessonId, ThreadId, TurnId, UserId, WorkspaceId};
use crate::text::{refuse_longer, refuse_nul};
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{InvalidValue, Timestamp};

pub mod guard;
pub mod ladder;

pub use guard::GuardedItem;

/// A conversation of one user about one lesson: the turns that carry its id, and nothing besides.
pub struct TutorThread;

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
    pub reply: TutorReply,
    /// How large the hint was; see [`ladder`].
    pub hint_level: u8,
    /// The model that answered.
    pub model: String,
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
    /// Whether it may look into the other lessons of the course.
    pub reads_course: bool,
    /// Whether it holds back the answers of open tasks.
    pub guards_tasks: bool,
    /// The largest hint it gives: 1 to [`ladder::TOP`].
    pub max_hint_level: u8,
}

impl TutorSettings {
    /// Reads `tutor.enabled`, `tutor.instructions`, `tutor.scope` (`lesson` or `course`), `tutor.guard_tasks`,
    /// `tutor.max_hint_level` and `tutor.model` of a course, and for want of the last the model of its evaluator. A
    /// member of another type counts as absent: the object is its users' own.
    pub fn of(course: &Course) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let model = text(course.tutor.get("model")).filter(|model| !model.trim().is_empty());
        let top = course.tutor.get("max_hint_level").and_then(Value::as_u64);
        let top = top.and_then(|top| u8::try_from(top).ok());
        Self {
            reads_course: course.tutor.get("scope").and_then(Value::as_str) != Some("lesson"),
            guards_tasks: course.tutor.get("guard_tasks").and_then(Value::as_bool) != Some(false),
            max_hint_level: top.unwrap_or(ladder::TOP).clamp(1, ladder::TOP),
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

/// Another lesson of the course that a tutor may look into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorSource {
    /// The lesson.
    pub lesson_id: LessonId,
    /// Its name.
    pub name: String,
    /// Its text, Markdown.
    pub content: String,
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
    /// The other lessons that may be looked into, in the order of the course.
    pub others: Vec<TutorSource>,
    /// Open tasks whose answers must not be given away; for the check of a reply, never for a prompt.
    pub guarded: Vec<GuardedItem>,
    /// How large a hint is due, 1 to [`ladder::TOP`].
    pub hint_level: u8,
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
    /// A message about a lesson; other lessons and open tasks are added by whoever looks them up.
    pub fn new(
        course: &Course,
        lesson: &Lesson,
        earlier: Vec<TutorTurn>,
        message: &TutorMessage,
    ) -> Self {
        let settings = TutorSettings::of(course);
        let hint_level = ladder::next_level(&earlier, message.as_str(), settings.max_hint_level);
        let turns = earlier
            .into_iter()
            .map(|turn| (turn.message, turn.reply.message));
        Self {
            course_name: course.name.to_string(),
            language: lesson
                .language
                .as_ref()
                .unwrap_or(&course.language)
                .to_string(),
            course_instructions: course.ai.instructions.to_string(),
            tutor_instructions: settings.instructions,
            lesson_name: lesson.name.to_string(),
            summary: lesson.summary.to_string(),
            objectives: lesson.objectives.as_slice().to_vec(),
            content: lesson.content.to_string(),
            others: Vec::new(),
            guarded: Vec::new(),
            hint_level,
            earlier: turns.collect(),
            message: message.as_str().to_owned(),
            private: Vec::new(),
            model: settings.model,
        }
    }
}

impl TutorTask {
    /// What the learner said so far and says now.
    pub fn said(&self) -> String {
        let earlier = self.earlier.iter().map(|(said, _)| said.as_str());
        let all: Vec<&str> = earlier.chain([self.message.as_str()]).collect();
        all.join("\n")
    }

    /// Whether a reply gives away what an open task asks for.
    pub fn is_given_away_by(&self, reply: &str) -> bool {
        let said = self.said();
        let mut guarded = self.guarded.iter();
        guarded.any(|item| item.is_given_away_by(reply, &said))
    }

    /// Whether the learner speaks of an open task.
    pub fn is_about_open_task(&self) -> bool {
        let said = self.said();
        self.guarded.iter().any(|item| item.is_asked_about(&said))
    }

    /// The text of a source: 0 is the lesson itself, from 1 on the others.
    pub fn source(&self, index: usize) -> Option<&str> {
        match index.checked_sub(1) {
            None => Some(&self.content),
            Some(other) => self.others.get(other).map(|other| other.content.as_str()),
        }
    }
}

words!(
    /// What a reply does.
    TutorMove {
        /// A hint.
        Hint = "hint",
        /// A question back.
        Question = "question",
        /// What the lesson says.
        Explain = "explain",
        /// A similar example with other numbers.
        SimilarExample = "similar_example",
        /// A kind word.
        Encourage = "encourage",
        /// A no.
        Refuse = "refuse",
        /// The course does not say it.
        OutOfScope = "out_of_scope",
    }
);

/// A passage that a tutor rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorQuote {
    /// Where it stands: 0 is the lesson itself, from 1 on the task's other lessons.
    pub source: usize,
    /// The passage.
    pub text: String,
    /// Which of its occurrences (1-based) is meant.
    pub occurrence: usize,
}

/// What a tutor says, before anything is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorProposal {
    /// To the learner.
    pub message: String,
    /// What it does.
    pub act: TutorMove,
    /// The passages it rests on.
    pub quotes: Vec<TutorQuote>,
    /// Whether a person should take over.
    pub handoff_to_teacher: bool,
}

/// A passage of a lesson that a reply rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The lesson.
    pub lesson_id: LessonId,
    /// Where the passage stands, in characters of the lesson's text.
    pub passage: Evidence,
}

/// What a tutor says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TutorReply {
    /// To the learner.
    pub message: String,
    /// What it does.
    pub act: TutorMove,
    /// The passages it rests on, exactly as they stand in their lessons; the lesson asked about comes first, then
    /// the others, each in order of place.
    pub citations: Vec<Citation>,
    /// Whether a person should take over.
    pub handoff_to_teacher: bool,
}

/// Most passages that a reply cites.
const MAX_CITATIONS: usize = 20;

/// A proposal with those passages alone that stand in the texts they are said to be of, each once. `sources` are in
/// the order of the task: the lesson itself, then the others.
pub fn checked(sources: &[(LessonId, String)], proposal: &TutorProposal) -> TutorReply {
    let located = proposal.quotes.iter().filter_map(|quote| {
        let (lesson_id, content) = sources.get(quote.source)?;
        let passage = Evidence::locate(content, &quote.text, quote.occurrence)?;
        Some((quote.source, *lesson_id, passage))
    });
    let mut located: Vec<_> = located.take(MAX_CITATIONS).collect();
    located.sort_by_key(|(source, _, passage)| (*source, passage.start, passage.end));
    located.dedup();
    let citation = |(_, lesson_id, passage)| Citation { lesson_id, passage };
    TutorReply {
        // Not every database can hold the character, and no reply needs it.
        message: proposal.message.trim().replace('\0', ""),
        act: proposal.act,
        citations: located.into_iter().map(citation).collect(),
        handoff_to_teacher: proposal.handoff_to_teacher,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use crate::authoring::courses::tests::new_course;
    use crate::authoring::courses::{CourseAi, NewCourse};
    use crate::text::LongText;
    use serde_json::json;
    use uuid::Uuid;

    fn course(tutor: &Value, evaluator: &Value) -> Course {
        let new = NewCourse {
            ai: CourseAi {
                instructions: LongText::default(),
                evaluator: evaluator.as_object().cloned().unwrap(),
            },
            tutor: tutor.as_object().cloned().unwrap(),
            ..new_course()
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
    fn a_course_says_how_far_its_tutor_goes() {
        let settings = |tutor: Value| TutorSettings::of(&course(&tutor, &json!({})));
        let usual = settings(json!({}));
        assert!(usual.reads_course && usual.guards_tasks);
        assert_eq!(usual.max_hint_level, ladder::TOP);
        let strict = json!({"scope": "lesson", "guard_tasks": false, "max_hint_level": 1});
        let strict = settings(strict);
        assert!(!strict.reads_course && !strict.guards_tasks);
        assert_eq!(strict.max_hint_level, 1);
        assert_eq!(settings(json!({"max_hint_level": 99})).max_hint_level, 3);
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
        let quote = |source, text: &str, occurrence| TutorQuote {
            source,
            text: text.to_owned(),
            occurrence,
        };
        let proposal = TutorProposal {
            message: " Look. ".to_owned(),
            act: TutorMove::Explain,
            quotes: vec![
                quote(1, "Heat it.", 1),
                quote(0, "Kühl es.", 2),
                quote(0, "Log it.", 1),
                quote(0, "Heat it.", 1),
                quote(0, " Log it. ", 1),
                quote(0, "", 1),
                quote(7, "Log it.", 1),
            ],
            handoff_to_teacher: false,
        };
        let lesson = |n| Id::from_uuid(Uuid::from_u128(n));
        let sources = [
            (lesson(1), content.to_owned()),
            (lesson(2), "Heat it.".to_owned()),
        ];
        let reply = checked(&sources, &proposal);
        assert_eq!(reply.message, "Look.");
        let places: Vec<(LessonId, usize, usize)> = reply
            .citations
            .iter()
            .map(|citation| {
                let passage = &citation.passage;
                (citation.lesson_id, passage.start, passage.end)
            })
            .collect();
        assert_eq!(
            places,
            [(lesson(1), 9, 16), (lesson(1), 17, 25), (lesson(2), 0, 8)]
        );
    }
}
