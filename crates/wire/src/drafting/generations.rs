//! Generations on the wire: what is asked for here, what is shown of it in `view`.

mod view;

pub use view::{
    GenerationProgress, GenerationStepView, GenerationTarget, GenerationUsage, GenerationView,
};

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::generations::{GenerationBudget, SyllabusContent, SyllabusMode};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::text::LongText;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::common::Command;

/// A syllabus to be drafted.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct StartSyllabus {
    /// What the course is to be; its description when absent.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
    /// How long it is to be; the course's hours when absent.
    #[schema(minimum = 1, maximum = 1000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<i64>,
    /// What happens to what is there; `append` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<SyllabusModeWord>,
    /// How much of the course is drafted; `outline` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<SyllabusContentWord>,
    /// A text that it is to be drafted from; what it does not say is not said.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_text: Option<String>,
    /// The model to ask; that of the course, or else of the service, when absent.
    #[schema(max_length = 255)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it may spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetBody>,
    /// Whether what comes of it waits for a person, piece by piece (see the generation's pieces), and changes nothing by
    /// itself; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<bool>,
}

/// How much of a course is drafted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyllabusContentWord {
    /// The plan: lessons as outlines.
    Outline,
    /// The whole course: texts of all lessons, contents of all activities.
    Full,
}

/// What a generation may spend, over all its steps and attempts; without a member, that is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct BudgetBody {
    /// Tokens, read and written.
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
    /// Dollars.
    #[schema(minimum = 0, maximum = 1_000_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

fn limits(body: Option<BudgetBody>) -> Result<GenerationBudget, Invalid> {
    let BudgetBody { tokens, usd } = body.unwrap_or_default();
    let tokens = tokens.map(u64::try_from).transpose();
    let cost = usd.map(|usd| MicroUsd::from_json(&json!(usd))).transpose();
    Ok(GenerationBudget {
        tokens: tokens.at("budget.tokens")?,
        cost: cost.at("budget.usd")?,
    })
}

/// From what, by whom and for how much something is drafted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Means {
    /// A text to draft from; empty when none was given.
    pub source_text: LongText,
    /// The model asked for; empty when nobody said.
    pub model: String,
    /// What may be spent.
    pub budget: GenerationBudget,
    /// Whether what comes of it waits for a person.
    pub review: bool,
}

impl Means {
    fn read(
        source_text: Option<String>,
        model: Option<String>,
        budget: Option<BudgetBody>,
        review: Option<bool>,
    ) -> Result<Self, Invalid> {
        Ok(Self {
            review: review.unwrap_or(false),
            source_text: LongText::parse(source_text.unwrap_or_default()).at("source_text")?,
            model: model.unwrap_or_default().trim().to_owned(),
            budget: limits(budget)?,
        })
    }
}

/// A failed generation to be tried again.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
pub struct RetryGeneration {
    /// What it may spend from now on, with what it has spent already counted; as before when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetBody>,
}

impl Command for RetryGeneration {
    type Of = Option<GenerationBudget>;

    fn command(self) -> Result<Option<GenerationBudget>, Invalid> {
        self.budget.map(|body| limits(Some(body))).transpose()
    }
}

/// What happens to content that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyllabusModeWord {
    /// It stays, the new comes after it.
    Append,
    /// It goes.
    Replace,
}

/// A syllabus as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SyllabusRequest {
    /// What the course is to be; its description if absent or blank.
    pub brief: Option<LongText>,
    /// How long it is to be; the course's hours if absent.
    pub hours: Option<Hours>,
    /// What happens to what is there.
    pub mode: SyllabusMode,
    /// How much is drafted.
    pub content: SyllabusContent,
    /// From what, by whom and for how much.
    pub means: Means,
}

impl Command for StartSyllabus {
    type Of = SyllabusRequest;

    fn command(self) -> Result<SyllabusRequest, Invalid> {
        let brief = self.brief.map(LongText::parse).transpose().at("brief")?;
        let replaces = matches!(self.mode, Some(SyllabusModeWord::Replace));
        if replaces && self.review == Some(true) {
            let problem = "must be append where what comes of it waits for a person";
            return Err(Invalid::new("mode", problem));
        }
        Ok(SyllabusRequest {
            brief: brief.filter(|brief| !brief.is_blank()),
            hours: self.hours.map(Hours::parse).transpose().at("hours")?,
            mode: match self.mode {
                Some(SyllabusModeWord::Replace) => SyllabusMode::Replace,
                Some(SyllabusModeWord::Append) | None => SyllabusMode::Append,
            },
            content: match self.content {
                Some(SyllabusContentWord::Full) => SyllabusContent::Full,
                Some(SyllabusContentWord::Outline) | None => SyllabusContent::Outline,
            },
            means: Means::read(self.source_text, self.model, self.budget, self.review)?,
        })
    }
}

/// Something to be drafted inside a course.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct GenerateContent {
    /// What it is to be about; what is written around it when absent.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
    /// A text that it is to be drafted from; what it does not say is not said.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_text: Option<String>,
    /// The model to ask; that of the course, or else of the service, when absent.
    #[schema(max_length = 255)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it may spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetBody>,
    /// Whether what comes of it waits for a person, piece by piece (see the generation's pieces), and changes nothing by
    /// itself; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<bool>,
}

/// Something to be drafted, as asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentRequest {
    /// What it is to be about; empty when nobody said.
    pub brief: LongText,
    /// From what, by whom and for how much.
    pub means: Means,
}

impl Command for GenerateContent {
    type Of = ContentRequest;

    fn command(self) -> Result<ContentRequest, Invalid> {
        Ok(ContentRequest {
            brief: brief(self.brief)?,
            means: Means::read(self.source_text, self.model, self.budget, self.review)?,
        })
    }
}

fn brief(given: Option<String>) -> Result<LongText, Invalid> {
    LongText::parse(given.unwrap_or_default()).at("brief")
}

/// Activities to be drafted for a lesson.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GenerateActivities {
    /// What kind.
    pub kind: DraftedKind,
    /// How many activities at most, each about another part of the lesson; 1 when absent. It says nothing of how many
    /// questions or cards are in each: that is `questions` and `cards`.
    #[schema(minimum = 1, maximum = 10)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// How many questions each quiz has, fewer where the lesson says too little; as many as suit the lesson when absent.
    /// Only for quizzes.
    #[schema(minimum = 1, maximum = 20)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<i64>,
    /// How many cards each set of flashcards has, fewer where the lesson says too little; as many as suit the lesson when
    /// absent. Only for flashcards.
    #[schema(minimum = 1, maximum = 20)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<i64>,
    /// What they are to be about, beside the lesson's text.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
    /// A text that it is to be drafted from; what it does not say is not said.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_text: Option<String>,
    /// The model to ask; that of the course, or else of the service, when absent.
    #[schema(max_length = 255)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it may spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetBody>,
    /// Whether what comes of it waits for a person, piece by piece (see the generation's pieces), and changes nothing by
    /// itself; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<bool>,
}

/// A kind of activity that can be drafted: any but a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftedKind {
    /// Questions that are scored.
    Quiz,
    /// Cards with two sides.
    Flashcards,
    /// A thing explained step by step.
    Explainer,
    /// The script of a spoken dialogue.
    Podcast,
    /// A prompt to think and write about.
    Reflection,
}

/// Activities to be drafted, as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivitiesRequest {
    /// What kind.
    pub kind: ActivityKind,
    /// How many at most, 1 to 10.
    pub count: u32,
    /// How many questions or cards each has, 1 to 20.
    pub items: Option<u32>,
    /// What they are to be about; empty when nobody said.
    pub brief: LongText,
    /// From what, by whom and for how much.
    pub means: Means,
}

impl GenerateActivities {
    /// How many questions or cards each is to have, by the member that is for its kind.
    fn items(&self) -> Result<Option<u32>, Invalid> {
        let members = [
            ("questions", self.questions, DraftedKind::Quiz),
            ("cards", self.cards, DraftedKind::Flashcards),
        ];
        let mut items = None;
        for (member, given, kind) in members {
            let Some(given) = given else { continue };
            if self.kind != kind {
                return Err(Invalid::new(member, "is not for this kind of activity"));
            }
            let number = u32::try_from(given).ok().filter(|n| (1..=20).contains(n));
            let number = number.ok_or_else(|| Invalid::new(member, "must be between 1 and 20"));
            items = Some(number?);
        }
        Ok(items)
    }
}

impl Command for GenerateActivities {
    type Of = ActivitiesRequest;

    fn command(self) -> Result<ActivitiesRequest, Invalid> {
        let items = self.items()?;
        let count = u32::try_from(self.count.unwrap_or(1)).ok();
        let count = count
            .filter(|count| (1..=10).contains(count))
            .ok_or_else(|| Invalid::new("count", "must be between 1 and 10"))?;
        Ok(ActivitiesRequest {
            kind: match self.kind {
                DraftedKind::Quiz => ActivityKind::Quiz,
                DraftedKind::Flashcards => ActivityKind::Flashcards,
                DraftedKind::Explainer => ActivityKind::Explainer,
                DraftedKind::Podcast => ActivityKind::Podcast,
                DraftedKind::Reflection => ActivityKind::Reflection,
            },
            count,
            items,
            brief: brief(self.brief)?,
            means: Means::read(self.source_text, self.model, self.budget, self.review)?,
        })
    }
}
