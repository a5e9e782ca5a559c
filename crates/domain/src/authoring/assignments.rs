//! Assignments: gradable artefacts and how they are graded.

use crate::authoring::late_policy::LatePolicy;
use crate::authoring::provenance::Provenance;
use crate::authoring::release_terms::ReleaseTerms;
use crate::authoring::rubric::Rubric;
use crate::changes::changes;
use crate::ids::{AssignmentId, CourseId, LessonId, UnitId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::points::Points;
use crate::text::{LanguageTag, LongText, Name};
use crate::transition::InvalidTransition;
use crate::words::words;
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

words!(
    /// Whether a person looks at AI grades.
    HumanReview {
        /// Always, before the learner sees anything.
        Required = "required",
        /// They may; what is doubtful waits for them, and the rest is released meanwhile.
        Optional = "optional",
        /// Nobody needs to; only what could not be judged or gives the grader orders waits.
        Off = "off",
    }
);

words!(
    /// How feedback sounds.
    Tone {
        /// Strengths first.
        Encouraging = "encouraging",
        /// Matter of fact.
        Neutral = "neutral",
        /// Plain.
        Normal = "normal",
        /// Exact, gaps first.
        Demanding = "demanding",
    }
);

words!(
    /// How long feedback is.
    Verbosity {
        /// At most 60 words.
        Brief = "brief",
        /// At most 150 words.
        Normal = "normal",
        /// At most 350 words.
        Detailed = "detailed",
    }
);

/// Whether and with what AI grades.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AiEvaluator {
    /// Whether submitting starts grading by itself.
    pub enabled: bool,
    /// The model asked for; empty means the course's or the service's.
    pub model: String,
}

/// How feedback is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackStyle {
    /// How it sounds.
    pub tone: Tone,
    /// How long it is.
    pub verbosity: Verbosity,
    /// What language it is in.
    pub language: LanguageTag,
}

impl FeedbackStyle {
    /// Plain, of normal length, in the course's language.
    pub const fn of_course(language: LanguageTag) -> Self {
        Self {
            tone: Tone::Normal,
            verbosity: Verbosity::Normal,
            language,
        }
    }
}

/// Everything `configure` sets.
#[derive(Debug, Clone, PartialEq)]
pub struct GradingConfiguration {
    /// What is judged; absent means the course's, or one criterion `overall`.
    pub rubric: Option<Rubric>,
    /// Whether and with what AI grades.
    pub ai_evaluator: AiEvaluator,
    /// Whether a person looks at AI grades.
    pub human_review: HumanReview,
    /// What a certificate has to promise before any goes out unseen, where review is optional; without, none is needed.
    pub release: Option<ReleaseTerms>,
    /// How feedback is written.
    pub feedback: FeedbackStyle,
}

impl GradingConfiguration {
    /// What an assignment of a course in `language` has when nobody says.
    pub fn of_course(language: LanguageTag) -> Self {
        Self {
            rubric: None,
            ai_evaluator: AiEvaluator::default(),
            human_review: HumanReview::Optional,
            release: None,
            feedback: FeedbackStyle::of_course(language),
        }
    }
}

/// Changes of the grading configuration; `None` keeps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GradingChanges {
    /// New rubric, replaced whole; `Some(None)` removes it.
    pub rubric: Option<Option<Rubric>>,
    /// Whether submitting starts grading.
    pub ai_enabled: Option<bool>,
    /// The model asked for.
    pub ai_model: Option<String>,
    /// Whether a person looks at AI grades.
    pub human_review: Option<HumanReview>,
    /// What a certificate has to promise; `Some(None)` asks for none.
    pub release: Option<Option<ReleaseTerms>>,
    /// How feedback sounds.
    pub tone: Option<Tone>,
    /// How long it is.
    pub verbosity: Option<Verbosity>,
    /// What language it is in; `Some(None)` puts back the course's.
    pub language: Option<Option<LanguageTag>>,
}

impl GradingChanges {
    /// With no review at all, grades go out that nobody has held against a person's.
    const UNMEASURED: &str = "unmeasured_grades_go_out";

    /// What whoever asks for this should know of it, in a word.
    pub fn notice(&self) -> Option<&'static str> {
        (self.human_review == Some(HumanReview::Off)).then_some(Self::UNMEASURED)
    }

    /// Whether the course's language has to be known: see [`Self::in_course`].
    pub fn needs_course_language(&self) -> bool {
        self.language == Some(None)
    }

    /// The same changes, with the course's language where it is to be put back.
    #[must_use]
    pub fn in_course(mut self, language: &LanguageTag) -> Self {
        if self.needs_course_language() {
            self.language = Some(Some(language.clone()));
        }
        self
    }

    fn apply(self, to: &mut GradingConfiguration) {
        if let Some(rubric) = self.rubric {
            to.rubric = rubric;
        }
        to.ai_evaluator.enabled = self.ai_enabled.unwrap_or(to.ai_evaluator.enabled);
        if let Some(model) = self.ai_model {
            to.ai_evaluator.model = model;
        }
        to.human_review = self.human_review.unwrap_or(to.human_review);
        if let Some(release) = self.release {
            to.release = release;
        }
        to.feedback.tone = self.tone.unwrap_or(to.feedback.tone);
        to.feedback.verbosity = self.verbosity.unwrap_or(to.feedback.verbosity);
        if let Some(Some(language)) = self.language {
            to.feedback.language = language;
        }
    }
}

/// Where an assignment hangs: always a course, perhaps a unit, perhaps a lesson of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssignmentPlace {
    /// The course.
    pub course_id: CourseId,
    /// The unit, if it hangs on one or on one of its lessons.
    pub unit_id: Option<UnitId>,
    /// The lesson, if it hangs on one.
    pub lesson_id: Option<LessonId>,
}

/// The parent that a caller names when making an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignmentParent {
    /// A course.
    Course(CourseId),
    /// A unit.
    Unit(UnitId),
    /// A lesson.
    Lesson(LessonId),
}

/// How many attempts a learner has: 1 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxAttempts(u32);

impl MaxAttempts {
    /// Checks the range.
    pub fn parse(attempts: i64) -> Result<Self, InvalidValue> {
        u32::try_from(attempts)
            .ok()
            .filter(|attempts| (1..=100).contains(attempts))
            .map(Self)
            .ok_or_else(|| InvalidValue::new("must be between 1 and 100"))
    }

    /// The number of attempts.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// An assignment to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAssignment {
    /// Where it hangs.
    pub parent: AssignmentParent,
    /// Human-readable name.
    pub name: Name,
    /// What is to be done, Markdown.
    pub instructions: LongText,
    /// Best possible score; 100 when nobody says.
    pub max_score: Points,
    /// When it is due.
    pub due_at: Option<Timestamp>,
    /// What is taken off what comes later.
    pub late_policy: Option<LatePolicy>,
    /// How often a learner may hand in.
    pub max_attempts: Option<MaxAttempts>,
    /// How it is graded, over the course's defaults.
    pub grading: GradingChanges,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

changes! {
    /// What is to change; `None` keeps, `Some(None)` clears.
    pub struct AssignmentChanges of Assignment {
        /// New name.
        name: Name,
        /// New instructions.
        instructions: LongText,
        /// New best possible score.
        max_score: Points,
        /// New due date.
        due_at: Option<Timestamp>,
        /// What is taken off what comes later.
        late_policy: Option<LatePolicy>,
        /// New number of attempts.
        max_attempts: Option<MaxAttempts>,
    } and {
        /// How it is graded.
        grading: GradingChanges,
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// An assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: AssignmentId,
    /// Where it hangs.
    pub place: AssignmentPlace,
    /// Human-readable name.
    pub name: Name,
    /// What is to be done, Markdown.
    pub instructions: LongText,
    /// Best possible score.
    pub max_score: Points,
    /// When it is due.
    pub due_at: Option<Timestamp>,
    /// What is taken off what comes later.
    pub late_policy: Option<LatePolicy>,
    /// How often a learner may hand in.
    pub max_attempts: Option<MaxAttempts>,
    /// How it is graded.
    pub grading: GradingConfiguration,
    /// Where it came from.
    pub provenance: Provenance,
    /// When what fixes the grades that AI gives for it last changed; none if it never did. Grades that people give as examples
    /// are not noted here: they are their own note.
    pub grader_changed_at: Option<Timestamp>,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Assignment {
    /// The refusal of a certificate where none is asked for, or review is not optional.
    pub const fn cannot_be_certified(&self) -> InvalidTransition {
        InvalidTransition {
            object: "assignment",
            from: "without terms of release, or not of optional review,",
            action: "be certified",
        }
    }

    /// A new assignment of a course in `course_language`, by a person.
    ///
    /// # Errors
    /// [`Invalid`] if nothing can be scored.
    pub fn new(
        workspace_id: WorkspaceId,
        id: AssignmentId,
        place: AssignmentPlace,
        course_language: LanguageTag,
        new: NewAssignment,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        let mut grading = GradingConfiguration::of_course(course_language);
        new.grading.apply(&mut grading);
        let assignment = Self {
            workspace_id,
            id,
            place,
            name: new.name,
            instructions: new.instructions,
            max_score: new.max_score,
            due_at: new.due_at,
            late_policy: new.late_policy,
            max_attempts: new.max_attempts,
            grading,
            provenance: Provenance::human(),
            grader_changed_at: None,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        };
        assignment.check_score()?;
        Ok(assignment)
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if nothing could be scored or the metadata breaks its limits.
    pub fn change(
        &mut self,
        mut changes: AssignmentChanges,
        now: Timestamp,
    ) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        changes.grading.apply(&mut self.grading);
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        self.check_score()?;
        Ok(self.touch_if_changed(&before, now))
    }

    /// The same, drafted by AI.
    #[must_use]
    pub fn drafted(self, provenance: Provenance) -> Self {
        Self { provenance, ..self }
    }

    /// Applies changes of the grading configuration only; returns whether anything really changed.
    pub fn configure(&mut self, changes: GradingChanges, now: Timestamp) -> bool {
        let before = self.clone();
        changes.apply(&mut self.grading);
        self.touch_if_changed(&before, now)
    }

    /// Puts the grading configuration back to the defaults of a course in `course_language`.
    pub fn reset_configuration(&mut self, course_language: LanguageTag, now: Timestamp) -> bool {
        let before = self.clone();
        self.grading = GradingConfiguration::of_course(course_language);
        self.touch_if_changed(&before, now)
    }

    fn check_score(&self) -> Result<(), Invalid> {
        if self.max_score == Points::ZERO {
            return Err(Invalid::new("max_score", "must be more than 0"));
        }
        Ok(())
    }

    fn touch_if_changed(&mut self, before: &Self, now: Timestamp) -> bool {
        let changed = *self != *before;
        if changed {
            if !self.is_graded_like(before) {
                self.grader_changed_at = Some(now);
            }
            self.provenance.edited();
            self.stamp.touch(now);
        }
        changed
    }
}
