//! Quizzes: nine types of question, each with the members it lives on.

use std::collections::BTreeSet;

use super::QuestionType;
use super::reading::{Place, Problems, refuse_doubles};
use crate::Invalid;
use crate::draws::Draws;
use crate::ids::{ActivityId, UserId};
use crate::json::JsonObject;
use crate::points::Points;

/// Asked for when a quiz does not say what is enough.
pub const DEFAULT_PASSING_PERCENT: u8 = 70;

/// What a quiz asks, and what is right.
#[derive(Debug, Clone, PartialEq)]
pub struct Quiz {
    /// In the order given.
    pub questions: Vec<Question>,
    /// The per cent it takes to pass: 0 to 100.
    pub passing_percent: u8,
    /// Whether learners are shown what was right once they have answered.
    pub shows_answers: bool,
    /// How often a learner may try; without limit when absent.
    pub max_attempts: Option<u32>,
    /// How many of the questions an attempt asks; all of them when absent.
    pub questions_per_attempt: Option<usize>,
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Unique within the quiz.
    pub id: String,
    /// What it is worth; 1 unless it says otherwise. An open question is worth nothing.
    pub points: Points,
    /// Why the right answer is right; may be empty.
    pub explanation: String,
    /// What is right.
    pub key: AnswerKey,
}

/// What is right, by type of question.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerKey {
    /// One of several options; several may be right, one of them is enough.
    SingleChoice(Vec<ChoiceOption>),
    /// All right options and no other.
    MultipleChoice(Vec<ChoiceOption>),
    /// Whether it is true.
    TrueFalse(bool),
    /// A word or a few.
    ShortText(AcceptedTexts),
    /// A number, give or take.
    Numeric {
        /// The number.
        answer: f64,
        /// How far off is still right; not negative.
        tolerance: f64,
    },
    /// Blanks in a text.
    Cloze(Vec<Blank>),
    /// Things, in the right order.
    Ordering(Vec<OrderedItem>),
    /// Things that belong together.
    Matching(Vec<Pair>),
    /// A text that nobody marks.
    Open {
        /// What a good answer may look like; may be empty.
        sample: String,
        /// How many words an answer needs; 0 when it does not matter.
        min_words: u32,
    },
}

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    /// Unique within the question.
    pub id: String,
    /// Whether it is right.
    pub correct: bool,
    /// What is said to whoever chose it; may be empty.
    pub feedback: String,
}

/// Texts that count as right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedTexts {
    /// At least one.
    pub texts: Vec<String>,
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
}

/// A blank of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blank {
    /// Unique within the question; stands in the text as `{{id}}`.
    pub id: String,
    /// What fills it.
    pub accepted: AcceptedTexts,
}

/// A thing to put in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedItem {
    /// Unique within the question.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// Two things that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Unique within the question.
    pub id: String,
    /// What belongs to the left side.
    pub right: String,
}

impl Quiz {
    /// Reads a content document with its ids; questions that cannot be read are not asked.
    pub fn of(content: &JsonObject) -> Self {
        let problems = Problems::default();
        read(&Place::root(content, "content", &problems))
    }

    /// Whether it ends in a score: a question is worth something.
    pub fn is_scored(&self) -> bool {
        self.questions.iter().any(|one| one.points > Points::ZERO)
    }

    /// The best possible points of an attempt. Where attempts ask some of the questions only, it is what they can reach on average, half
    /// up to hundredths.
    pub fn points(&self) -> Points {
        let all = self.questions.iter().map(|one| one.points.hundredths());
        let all: i64 = all.map(i64::from).sum();
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let (drawn, of) = (count(self.drawn()), count(self.questions.len()));
        let doubled = all.saturating_mul(2).saturating_mul(drawn);
        let mean = doubled.saturating_add(of).checked_div(of.saturating_mul(2));
        Points::from_hundredths(mean.unwrap_or_default())
    }

    /// Whether an attempt asks some of the questions only.
    pub fn draws(&self) -> bool {
        self.drawn() < self.questions.len()
    }

    fn drawn(&self) -> usize {
        let all = self.questions.len();
        self.questions_per_attempt.map_or(all, |some| some.min(all))
    }

    /// Ids of the questions that this attempt of a learner asks, in the order of the quiz. The same attempt always asks the
    /// same ones, and another one others.
    pub fn asked(&self, activity: ActivityId, user: UserId, number: u32) -> Vec<String> {
        let mut places: Vec<usize> = (0..self.questions.len()).collect();
        let name = format!("{activity} {user} {number}");
        Draws::named(0, &name).shuffle(&mut places);
        self.keep_drawn(&mut places);
        places.sort_unstable();
        let asked = places.iter().filter_map(|at| self.questions.get(*at));
        asked.map(|question| question.id.clone()).collect()
    }

    /// As many as an attempt asks; where the quiz has questions that are worth something, one of them at least.
    fn keep_drawn(&self, places: &mut Vec<usize>) {
        let is_scored = |at: &usize| {
            self.questions
                .get(*at)
                .is_some_and(|one| one.points > Points::ZERO)
        };
        let scored = places.iter().position(is_scored);
        let last = self.drawn().saturating_sub(1);
        if let Some(scored) = scored.filter(|at| *at > last) {
            places.swap(scored, last);
        }
        places.truncate(self.drawn());
    }

    /// Whether somebody who drew the questions themselves drew as many as an attempt asks.
    ///
    /// # Errors
    /// [`Invalid`] at `asked`.
    pub fn check_drawn(&self, asked: &[String]) -> Result<(), Invalid> {
        if asked.len() != self.drawn() {
            let problem = format!("must name {} questions, each once", self.drawn());
            return Err(Invalid::new("asked", problem));
        }
        self.check_asked(asked)
    }

    /// Whether these are questions of the quiz, each once, and at least one.
    ///
    /// # Errors
    /// [`Invalid`] at `asked`.
    pub fn check_asked(&self, asked: &[String]) -> Result<(), Invalid> {
        let wrong = |problem: &str| Err(Invalid::new("asked", problem));
        if asked.is_empty() || asked.len() > self.questions.len() {
            return wrong("must name questions of this quiz, each once");
        }
        let known: BTreeSet<&String> = self.questions.iter().map(|one| &one.id).collect();
        let named: BTreeSet<&String> = asked.iter().collect();
        if !named.is_subset(&known) {
            return wrong("names what is not a question of this quiz");
        }
        if named.len() != asked.len() {
            return wrong("must name questions of this quiz, each once");
        }
        Ok(())
    }
}

/// Most attempts that a limit may allow.
const MOST_ATTEMPTS: u32 = 1_000;

/// Reads a quiz and notes what is wrong with it.
pub(super) fn read(content: &Place<'_>) -> Quiz {
    content.flag("shuffle");
    let passing = content.optional_number("passing_percent");
    if passing.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
        content.wrong("passing_percent", "must be between 0 and 100");
    }
    let shown = content.word("show_answers", &["after_submit", "never"]);
    let places = content.objects("questions", 0);
    refuse_doubles(&places);
    let most = u32::try_from(places.len()).unwrap_or(u32::MAX);
    let drawn = content.optional_whole_from_1("questions_per_attempt", most.max(1));
    Quiz {
        questions: places.iter().filter_map(question).collect(),
        passing_percent: passing.map_or(DEFAULT_PASSING_PERCENT, whole_percent),
        shows_answers: shown == "after_submit",
        max_attempts: content.optional_whole_from_1("max_attempts", MOST_ATTEMPTS),
        questions_per_attempt: drawn.and_then(|number| usize::try_from(number).ok()),
    }
}

/// The nearest whole per cent.
fn whole_percent(percent: f64) -> u8 {
    let hundredths = i64::from(Points::from_number(percent).hundredths());
    u8::try_from(((hundredths + 50) / 100).min(100)).unwrap_or(100)
}

fn question(place: &Place<'_>) -> Option<Question> {
    let id = place.id().to_owned();
    let explanation = place.optional_text("explanation").to_owned();
    for text in ["hint", "placeholder", "rationale", "source_quote"] {
        place.optional_text(text);
    }
    place.text("prompt");
    let points = place.get("points").map(|points| {
        if !Points::is_exact(points) {
            place.wrong("points", "must have at most two decimals");
        }
        Points::from_json(points).unwrap_or_else(|problem| {
            place.wrong("points", problem.to_string());
            Points::ZERO
        })
    });
    let key = match QuestionType::parse(place.text("type")?) {
        Ok(kind) => key(kind, place)?,
        Err(problem) => {
            place.wrong("type", problem.to_string());
            return None;
        }
    };
    let points = match key {
        AnswerKey::Open { .. } => Points::ZERO,
        AnswerKey::SingleChoice(_)
        | AnswerKey::MultipleChoice(_)
        | AnswerKey::TrueFalse(_)
        | AnswerKey::ShortText(_)
        | AnswerKey::Numeric { .. }
        | AnswerKey::Cloze(_)
        | AnswerKey::Ordering(_)
        | AnswerKey::Matching(_) => points.unwrap_or_else(|| Points::whole(1)),
    };
    Some(Question {
        id,
        points,
        explanation,
        key,
    })
}

fn key(kind: QuestionType, place: &Place<'_>) -> Option<AnswerKey> {
    Some(match kind {
        QuestionType::SingleChoice => AnswerKey::SingleChoice(options(place)?),
        QuestionType::MultipleChoice => AnswerKey::MultipleChoice(options(place)?),
        QuestionType::TrueFalse => AnswerKey::TrueFalse(place.required_flag("answer")?),
        QuestionType::ShortText => {
            AnswerKey::ShortText(accepted(place, place.flag("case_sensitive"))?)
        }
        QuestionType::Numeric => {
            place.optional_text("unit");
            let tolerance = place.optional_amount("tolerance").unwrap_or_default();
            let answer = place.number("answer")?;
            AnswerKey::Numeric { answer, tolerance }
        }
        QuestionType::Cloze => AnswerKey::Cloze(blanks(place)?),
        QuestionType::Ordering => AnswerKey::Ordering(items(place)?),
        QuestionType::Matching => AnswerKey::Matching(pairs(place)?),
        QuestionType::Open => open(place),
    })
}

fn open(place: &Place<'_>) -> AnswerKey {
    let min_words = place.optional_whole("min_words", super::MAX_WORDS);
    place.optional_whole("max_words", super::MAX_WORDS);
    AnswerKey::Open {
        sample: place.optional_text("sample_answer").to_owned(),
        min_words: min_words.unwrap_or_default(),
    }
}

fn options(place: &Place<'_>) -> Option<Vec<ChoiceOption>> {
    let places = place.objects("options", 2);
    refuse_doubles(&places);
    let mut options = Vec::new();
    for option in &places {
        option.text("text");
        // For teachers: why it is right, or what makes it tempting. Nobody is scored by it.
        option.optional_text("rationale");
        options.push(ChoiceOption {
            id: option.id().to_owned(),
            correct: option.flag("correct"),
            feedback: option.optional_text("feedback").to_owned(),
        });
    }
    if !options.is_empty() && !options.iter().any(|option| option.correct) {
        place.wrong("options", "must have one that is correct");
        return None;
    }
    Some(options).filter(|options| !options.is_empty())
}

fn accepted(place: &Place<'_>, case_sensitive: bool) -> Option<AcceptedTexts> {
    let texts = place.texts("accepted_answers", 1);
    (!texts.is_empty()).then_some(AcceptedTexts {
        texts,
        case_sensitive,
    })
}

fn blanks(place: &Place<'_>) -> Option<Vec<Blank>> {
    let case_sensitive = place.flag("case_sensitive");
    let places = place.objects("blanks", 1);
    refuse_doubles(&places);
    let mut blanks = Vec::new();
    for blank in &places {
        let id = blank.id().to_owned();
        blanks.extend(accepted(blank, case_sensitive).map(|accepted| Blank { id, accepted }));
    }
    let text = place.text("text")?;
    let mut named: Vec<&str> = gaps(text);
    for blank in &places {
        let id = blank.id();
        match named.iter().position(|gap| *gap == id) {
            Some(at) => drop(named.swap_remove(at)),
            None => blank.wrong("id", "must stand in the text as {{id}}"),
        }
    }
    if let (Some(gap), false) = (named.first(), places.is_empty()) {
        place.wrong("text", format!("must name every blank once: {{{{{gap}}}}}"));
    }
    Some(blanks).filter(|blanks| !blanks.is_empty())
}

/// The ids between `{{` and `}}`; a brace more around them changes nothing.
fn gaps(text: &str) -> Vec<&str> {
    let mut gaps = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('}') {
        rest = after;
        let Some(after) = after.strip_prefix('}') else {
            continue;
        };
        rest = after;
        let opened = before.rsplit_once('{');
        let id = opened.filter(|(outside, _)| outside.ends_with('{'));
        gaps.extend(id.map(|(_, id)| id.trim()).filter(|id| !id.is_empty()));
    }
    gaps
}

fn items(place: &Place<'_>) -> Option<Vec<OrderedItem>> {
    let places = place.objects("items", 2);
    refuse_doubles(&places);
    let items: Option<Vec<OrderedItem>> = places
        .iter()
        .map(|item| {
            let id = item.id().to_owned();
            let text = item.text("text")?.to_owned();
            Some(OrderedItem { id, text })
        })
        .collect();
    items.filter(|items| !items.is_empty())
}

fn pairs(place: &Place<'_>) -> Option<Vec<Pair>> {
    let places = place.objects("pairs", 2);
    refuse_doubles(&places);
    let mut pairs = Vec::new();
    for pair in &places {
        let id = pair.id().to_owned();
        pair.text("left");
        pairs.extend(pair.text("right").map(|right| Pair {
            id,
            right: right.to_owned(),
        }));
    }
    Some(pairs).filter(|pairs| !pairs.is_empty())
}
