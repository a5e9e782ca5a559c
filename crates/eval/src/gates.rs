//! What a grader must reach before anybody relies on it, and what a caller demands of a run.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Fewer answers than this decide nothing.
pub const ENOUGH: usize = 100;

/// What became of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Reached.
    Pass,
    /// Not reached.
    Fail,
    /// Fewer than 100 answers.
    NotEnoughData,
    /// The answers do not allow the figure.
    NoFigure,
}

impl Verdict {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotEnoughData => "not enough data",
            Self::NoFigure => "no figure",
        }
    }
}

/// One thing that must be reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// What is demanded, in words.
    pub demands: String,
    /// What was found.
    pub value: Option<f64>,
    /// Answers it was found on.
    pub n: usize,
    /// What became of it.
    pub verdict: Verdict,
}

impl Gate {
    /// Passed if the figure, of so many answers, is as it should be.
    pub(crate) fn new(
        demands: String,
        n: usize,
        value: Option<f64>,
        reached: impl Fn(f64) -> bool,
    ) -> Self {
        let verdict = match value {
            None => Verdict::NoFigure,
            Some(_) if n < ENOUGH => Verdict::NotEnoughData,
            Some(value) if reached(value) => Verdict::Pass,
            Some(_) => Verdict::Fail,
        };
        Self {
            demands,
            value,
            n,
            verdict,
        }
    }
}

/// A figure that a caller demands: `qwk=0.6`.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Name of the figure.
    pub name: String,
    /// What it must reach, or must not exceed where less is better.
    pub limit: f64,
}

/// Figures of which less is better; of the mean difference, either way.
const AT_MOST: [&str; 4] = ["rmse", "mae", "ece", "smd"];

impl Requirement {
    /// Whether a figure meets it; one that is missing does not.
    pub fn met(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| {
            if AT_MOST.contains(&self.name.as_str()) {
                value.abs() <= self.limit
            } else {
                value >= self.limit
            }
        })
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not a name and a number, such as qwk=0.6");
        let (name, limit) = text.split_once('=').ok_or_else(wrong)?;
        Ok(Self {
            name: name.trim().to_owned(),
            limit: limit.trim().parse().map_err(|_| wrong())?,
        })
    }
}
