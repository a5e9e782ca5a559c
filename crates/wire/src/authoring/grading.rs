//! How an assignment is graded, on the wire.

use lyceum_domain::authoring::assignments as domain;
use lyceum_domain::authoring::assignments::GradingChanges;
use lyceum_domain::authoring::release_terms::{AskedTerms, ReleaseScope, ReleaseTerms};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::json::JsonObject;
use lyceum_domain::text::{LanguageTag, Name};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::authoring::rubric_input::{RubricCriterionInput, RubricInput};
use crate::common::{Command, FreeObject};
use crate::patch::Patch;
use crate::shapes;

/// Whether a person looks at AI grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HumanReview {
    /// Always, before the learner sees anything.
    Required,
    /// They may; the grade is released meanwhile.
    Optional,
    /// Nobody needs to.
    Off,
}

impl From<HumanReview> for domain::HumanReview {
    fn from(review: HumanReview) -> Self {
        match review {
            HumanReview::Required => Self::Required,
            HumanReview::Optional => Self::Optional,
            HumanReview::Off => Self::Off,
        }
    }
}

/// How feedback sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackTone {
    /// Strengths first.
    Encouraging,
    /// Matter of fact.
    Neutral,
    /// Plain.
    Normal,
    /// Exact, gaps first.
    Demanding,
}

impl From<FeedbackTone> for domain::Tone {
    fn from(tone: FeedbackTone) -> Self {
        match tone {
            FeedbackTone::Encouraging => Self::Encouraging,
            FeedbackTone::Neutral => Self::Neutral,
            FeedbackTone::Normal => Self::Normal,
            FeedbackTone::Demanding => Self::Demanding,
        }
    }
}

/// How long feedback is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackVerbosity {
    /// At most 60 words.
    Brief,
    /// At most 150 words.
    Normal,
    /// At most 350 words.
    Detailed,
}

impl From<FeedbackVerbosity> for domain::Verbosity {
    fn from(verbosity: FeedbackVerbosity) -> Self {
        match verbosity {
            FeedbackVerbosity::Brief => Self::Brief,
            FeedbackVerbosity::Normal => Self::Normal,
            FeedbackVerbosity::Detailed => Self::Detailed,
        }
    }
}

/// Whether and with what AI grades: absent keeps, or is the default of a new assignment.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct AiEvaluatorInput {
    /// Whether submitting starts grading by itself; off when never said.
    #[schema(value_type = Option<bool>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub enabled: Patch<bool>,
    /// The model asked for; empty means the course's or the service's.
    #[schema(value_type = Option<String>, max_length = 255)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub model: Patch<String>,
}

impl AiEvaluatorInput {
    const CLEARED: Self = Self {
        enabled: Patch::Clear,
        model: Patch::Clear,
    };

    /// Adds what it says to `changes`.
    ///
    /// # Errors
    /// [`Invalid`] at `ai_evaluator.model`.
    pub fn add_to(self, changes: &mut GradingChanges) -> Result<(), Invalid> {
        changes.ai_enabled = self.enabled.or_default(|| false);
        changes.ai_model = self
            .model
            .try_map(model)
            .at("ai_evaluator.model")?
            .or_default(String::new);
        Ok(())
    }
}

/// The name of a model follows the rules of names; an empty one says that any will do.
fn model(text: String) -> Result<String, lyceum_domain::InvalidValue> {
    if text.is_empty() {
        return Ok(text);
    }
    Name::parse(text).map(|name| name.to_string())
}

/// How feedback is written: absent keeps, or is the default of a new assignment.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct FeedbackInput {
    /// How it sounds; `normal` when never said.
    #[schema(value_type = Option<FeedbackTone>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub tone: Patch<FeedbackTone>,
    /// How long it is; `normal` when never said.
    #[schema(value_type = Option<FeedbackVerbosity>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub verbosity: Patch<FeedbackVerbosity>,
    /// BCP-47 language tag; the course's when never said, and again when a change clears it.
    #[schema(
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
    )]
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub language: Patch<String>,
}

impl FeedbackInput {
    /// Adds what it says to `changes`; `above` is the path that problems stand below.
    ///
    /// # Errors
    /// [`Invalid`] at `language`.
    pub fn add_to(self, changes: &mut GradingChanges, above: &str) -> Result<(), Invalid> {
        let path = format!("{above}language");
        changes.tone = self
            .tone
            .or_default(|| FeedbackTone::Normal)
            .map(Into::into);
        changes.verbosity = self
            .verbosity
            .or_default(|| FeedbackVerbosity::Normal)
            .map(Into::into);
        changes.language = self
            .language
            .try_map(|tag| LanguageTag::parse(&tag))
            .at(&path)?
            .into_option();
        Ok(())
    }

    /// What `null` says: everything as it was at first.
    const CLEARED: Self = Self {
        tone: Patch::Clear,
        verbosity: Patch::Clear,
        language: Patch::Clear,
    };
}

/// What a certificate has to promise before AI's grades of an assignment go out unseen, where `human_review` is `optional`. Shares
/// are whole hundredths.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReleaseInput {
    /// The highest share of disagreements between you and AI among what goes out; 20 when absent.
    #[schema(minimum = 5, maximum = 30)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_disagreement: Option<i64>,
    /// By more than this share of the points two grades disagree; a pass/fail flip always does. 25 when absent.
    #[schema(minimum = 5, maximum = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_share: Option<i64>,
    /// The lowest confidence that ever goes out, and that is tested; 60 when absent.
    #[schema(minimum = 0, maximum = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<i64>,
    /// Which answers it is about; `all` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<ReleaseScopeWord>,
    /// What share of later answers is held for a blind look, after the first forty, of which it is one in five; 5 when absent.
    #[schema(minimum = 3, maximum = 50)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit_share: Option<i64>,
}

/// What a certificate has to promise. Shares are whole hundredths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReleaseView {
    /// The highest share of disagreements among what goes out.
    pub max_disagreement: u8,
    /// By more than this share of the points two grades disagree; a pass/fail flip always does.
    pub points_share: u8,
    /// The lowest confidence that ever goes out.
    pub min_confidence: u8,
    /// `all`, or `at_hand`: those alone that were handed in when it was declared.
    #[schema(schema_with = shapes::word::<lyceum_domain::authoring::release_terms::ReleaseScope>)]
    pub scope: String,
    /// What share of later answers is held for a blind look, after the first forty.
    pub audit_share: u8,
}

impl From<&ReleaseTerms> for ReleaseView {
    fn from(terms: &ReleaseTerms) -> Self {
        Self {
            max_disagreement: terms.max_disagreement(),
            points_share: terms.points_share(),
            min_confidence: terms.min_confidence(),
            scope: terms.scope().to_string(),
            audit_share: terms.audit_share(),
        }
    }
}

/// Which answers a certificate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseScopeWord {
    /// Those that were handed in when it was declared.
    AtHand,
    /// Those and all that come later.
    All,
}

impl ReleaseInput {
    /// Checks what it says.
    ///
    /// # Errors
    /// [`Invalid`] naming the number that is out of its range.
    pub fn terms(self) -> Result<ReleaseTerms, Invalid> {
        let scope = self.scope.map(|scope| match scope {
            ReleaseScopeWord::AtHand => ReleaseScope::AtHand,
            ReleaseScopeWord::All => ReleaseScope::All,
        });
        let asked = AskedTerms {
            max_disagreement: self.max_disagreement,
            points_share: self.points_share,
            min_confidence: self.min_confidence,
            scope,
            audit_share: self.audit_share,
        };
        ReleaseTerms::parse(&asked, "release.")
    }
}

/// Reads changes of how an assignment is graded.
///
/// # Errors
/// [`Invalid`] naming the field.
pub fn changes(
    rubric: Patch<FreeObject>,
    ai_evaluator: Patch<AiEvaluatorInput>,
    human_review: Patch<HumanReview>,
    release: Patch<ReleaseInput>,
    feedback: Patch<FeedbackInput>,
) -> Result<GradingChanges, Invalid> {
    let mut changes = GradingChanges {
        rubric: rubric
            .try_map(|rubric| read_rubric(&rubric))?
            .into_option()
            .map(Option::flatten),
        human_review: human_review
            .or_default(|| HumanReview::Optional)
            .map(Into::into),
        release: release.try_map(ReleaseInput::terms)?.into_option(),
        ..GradingChanges::default()
    };
    match ai_evaluator {
        Patch::Keep => {}
        Patch::Clear => AiEvaluatorInput::CLEARED.add_to(&mut changes)?,
        Patch::Set(evaluator) => evaluator.add_to(&mut changes)?,
    }
    match feedback {
        Patch::Keep => {}
        Patch::Clear => FeedbackInput::CLEARED.add_to(&mut changes, "feedback.")?,
        Patch::Set(feedback) => feedback.add_to(&mut changes, "feedback.")?,
    }
    Ok(changes)
}

/// How an assignment is to be graded: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ConfigureAssignment {
    /// New rubric, replaced whole.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub rubric: Patch<FreeObject>,
    /// Change of whether and with what AI grades.
    #[schema(value_type = Option<AiEvaluatorInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub ai_evaluator: Patch<AiEvaluatorInput>,
    /// Whether a person looks at AI grades; `null` sets `optional`.
    #[schema(value_type = Option<HumanReview>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub human_review: Patch<HumanReview>,
    /// What a certificate has to promise before AI's grades go out unseen, replaced whole; `null` asks for none.
    #[schema(value_type = Option<ReleaseInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub release: Patch<ReleaseInput>,
    /// Change of how feedback is written; `null` puts back the defaults.
    #[schema(value_type = Option<FeedbackInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub feedback: Patch<FeedbackInput>,
}

impl Command for ConfigureAssignment {
    type Of = GradingChanges;

    fn command(self) -> Result<GradingChanges, Invalid> {
        changes(
            self.rubric,
            self.ai_evaluator,
            self.human_review,
            self.release,
            self.feedback,
        )
    }
}

/// What submissions are judged by: `{"rubric": {"criteria": […]}}`, or the rubric itself, `{"criteria": […]}`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ConfigureRubric {
    /// New rubric, replaced whole; `null` takes it away.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub rubric: Patch<FreeObject>,
    /// The criteria, where the body is the rubric itself.
    #[schema(value_type = Option<Vec<RubricCriterionInput>>, min_items = 1, max_items = 50)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Value>,
    /// Other members of a body that is the rubric itself, kept as they came.
    #[schema(ignore)]
    #[serde(flatten)]
    pub others: JsonObject,
}

/// A rubric as it was sent; an empty list of criteria is none, because that is how none is shown, and what was
/// read may be sent back.
///
/// # Errors
/// [`Invalid`] with a path such as `rubric.criteria[0].name`.
pub fn read_rubric(given: &FreeObject) -> Result<Option<Rubric>, Invalid> {
    let is_none = given.0.len() == 1
        && given
            .0
            .get("criteria")
            .and_then(|list| list.as_array())
            .is_some_and(Vec::is_empty);
    if is_none {
        Ok(None)
    } else {
        Rubric::parse("rubric", &given.0).map(Some)
    }
}

impl Command for ConfigureRubric {
    type Of = GradingChanges;

    fn command(self) -> Result<GradingChanges, Invalid> {
        let rubric = match (self.rubric, self.criteria) {
            (Patch::Clear, None) => None,
            (Patch::Set(rubric), None) => read_rubric(&rubric)?,
            (Patch::Keep, Some(criteria)) => {
                let mut rubric = self.others;
                rubric.insert("criteria".to_owned(), criteria);
                read_rubric(&FreeObject(rubric)).map_err(|problem| outside("rubric.", problem))?
            }
            (Patch::Keep, None) => return Err(Invalid::missing("rubric")),
            (Patch::Clear | Patch::Set(_), Some(_)) => {
                return Err(Invalid::new("criteria", "must not be given beside rubric"));
            }
        };
        Ok(GradingChanges {
            rubric: Some(rubric),
            ..GradingChanges::default()
        })
    }
}

/// The problem as it stands in a body that is the thing itself, and not an object around it.
fn outside(above: &str, problem: Invalid) -> Invalid {
    let field = problem.field.strip_prefix(above).map(str::to_owned);
    Invalid {
        field: field.unwrap_or(problem.field),
        ..problem
    }
}

/// How feedback is written: `{"feedback": {"tone": …}}`, or the members themselves, `{"tone": …}`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ConfigureFeedback {
    /// Change of how feedback is written; `null` puts back the defaults.
    #[schema(value_type = Option<FeedbackInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub feedback: Patch<FeedbackInput>,
    /// How it sounds; `null` sets `normal`.
    #[schema(value_type = Option<FeedbackTone>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub tone: Patch<FeedbackTone>,
    /// How long it is; `null` sets `normal`.
    #[schema(value_type = Option<FeedbackVerbosity>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub verbosity: Patch<FeedbackVerbosity>,
    /// BCP-47 language tag; `null` puts back the course's.
    #[schema(
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
    )]
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub language: Patch<String>,
}

impl Command for ConfigureFeedback {
    type Of = GradingChanges;

    fn command(self) -> Result<GradingChanges, Invalid> {
        let mut changes = GradingChanges::default();
        let bare = FeedbackInput {
            tone: self.tone,
            verbosity: self.verbosity,
            language: self.language,
        };
        match self.feedback {
            Patch::Keep => bare.add_to(&mut changes, "")?,
            Patch::Clear => FeedbackInput::CLEARED.add_to(&mut changes, "feedback.")?,
            Patch::Set(feedback) => feedback.add_to(&mut changes, "feedback.")?,
        }
        Ok(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::assignments::{Tone, Verbosity};
    use serde_json::json;

    fn read<B: Command + for<'de> Deserialize<'de>>(body: Value) -> Result<B::Of, Invalid> {
        serde_json::from_value::<B>(body).unwrap().command()
    }

    #[test]
    fn a_rubric_comes_inside_or_as_the_body() {
        let criteria = json!([{"name": "Accuracy", "key_points": ["a"]}]);
        let bare = read::<ConfigureRubric>(json!({"criteria": criteria, "note": "n"})).unwrap();
        let inner = json!({"rubric": {"criteria": criteria, "note": "n"}});
        assert_eq!(read::<ConfigureRubric>(inner).unwrap(), bare);
        let rubric = bare.rubric.flatten().unwrap();
        assert_eq!(rubric.extra["note"], json!("n"));
        assert_eq!(rubric.criteria[0].texts("key_points"), ["a"]);
    }

    #[test]
    fn problems_of_a_rubric_stand_where_they_were_written() {
        let bare = read::<ConfigureRubric>(json!({"criteria": [{}]})).unwrap_err();
        assert_eq!(bare.field, "criteria[0].name");
        let inner = read::<ConfigureRubric>(json!({"rubric": {"criteria": [{}]}})).unwrap_err();
        assert_eq!(inner.field, "rubric.criteria[0].name");
        let nothing = read::<ConfigureRubric>(json!({})).unwrap_err();
        assert_eq!((nothing.field.as_str(), nothing.missing), ("rubric", true));
    }

    #[test]
    fn null_takes_a_rubric_away() {
        let changes = read::<ConfigureRubric>(json!({"rubric": null})).unwrap();
        assert_eq!(changes.rubric, Some(None));
        assert_eq!(
            read::<ConfigureAssignment>(json!({})).unwrap(),
            GradingChanges::default()
        );
    }

    #[test]
    fn feedback_comes_inside_or_as_the_body() {
        let bare = json!({"tone": "encouraging", "verbosity": null, "language": "PT-br"});
        let changes = read::<ConfigureFeedback>(bare.clone()).unwrap();
        assert_eq!(
            read::<ConfigureFeedback>(json!({"feedback": bare})).unwrap(),
            changes
        );
        assert_eq!(changes.tone, Some(Tone::Encouraging));
        assert_eq!(changes.verbosity, Some(Verbosity::Normal));
        assert_eq!(changes.language.flatten().unwrap().as_str(), "pt-BR");
    }

    #[test]
    fn clearing_the_evaluator_switches_it_off() {
        let changes = read::<ConfigureAssignment>(json!({"ai_evaluator": null})).unwrap();
        assert_eq!(changes.ai_enabled, Some(false));
        assert_eq!(changes.ai_model.as_deref(), Some(""));
        let changes = read::<ConfigureAssignment>(json!({"ai_evaluator": {"model": "m"}})).unwrap();
        assert_eq!(
            (changes.ai_enabled, changes.ai_model.as_deref()),
            (None, Some("m"))
        );
    }

    #[test]
    fn words_are_those_of_the_domain() {
        for review in domain::HumanReview::ALL {
            let read: HumanReview = serde_json::from_value(json!(review.as_str())).unwrap();
            assert_eq!(domain::HumanReview::from(read), *review);
        }
        for tone in Tone::ALL {
            let read: FeedbackTone = serde_json::from_value(json!(tone.as_str())).unwrap();
            assert_eq!(Tone::from(read), *tone);
        }
        for verbosity in Verbosity::ALL {
            let read: FeedbackVerbosity =
                serde_json::from_value(json!(verbosity.as_str())).unwrap();
            assert_eq!(Verbosity::from(read), *verbosity);
        }
    }

    #[test]
    fn a_rubric_that_is_none_may_be_sent_back_as_it_was_shown() {
        let read = |value: serde_json::Value| {
            read_rubric(&FreeObject(value.as_object().cloned().unwrap()))
        };
        assert_eq!(read(serde_json::json!({"criteria": []})), Ok(None));
        assert!(read(serde_json::json!({"criteria": [], "note": "x"})).is_err());
        assert!(
            read(serde_json::json!({"criteria": [{"name": "A"}]}))
                .unwrap()
                .is_some()
        );
    }
}
