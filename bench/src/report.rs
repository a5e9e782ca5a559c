//! What was measured, as lines of one table; `text`, `json` and `html` show it.

pub mod html;
pub mod json;
pub mod text;

use serde::Serialize;

use crate::figures::Samples;
use crate::limits::Reached;
use crate::load::Measured;

/// What a figure has to be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// As much or more.
    AtLeast(f64),
    /// As much or less.
    AtMost(f64),
    /// For orientation only.
    None,
}

impl Goal {
    /// Whether this figure is what it has to be; nothing where nothing is asked.
    pub fn met_by(self, figure: f64) -> Option<bool> {
        match self {
            Self::AtLeast(goal) => Some(figure >= goal),
            Self::AtMost(goal) => Some(figure <= goal),
            Self::None => None,
        }
    }
}

/// The server's side of a line: medians over the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Side {
    /// Requests per second.
    pub rate: f64,
    /// Milliseconds that half of the answers took.
    pub p50: f64,
    /// … 99 of 100.
    pub p99: f64,
    /// Microseconds of processor time per request.
    pub cpu: f64,
    /// MB of memory.
    pub rss: f64,
}

impl Side {
    /// Over the rounds; nothing of none.
    pub fn of(rounds: &[Measured]) -> Option<Self> {
        let median = |figure: fn(&Measured) -> f64| Samples::of(rounds.iter().map(figure)).median();
        Some(Self {
            rate: median(|round| round.rate)?,
            p50: median(|round| round.p50)?,
            p99: median(|round| round.p99)?,
            cpu: median(|round| round.cpu)?,
            rss: median(|round| round.rss)?,
        })
    }
}

/// One line of the table.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The group, as `--only` names it.
    pub group: &'static str,
    /// The work.
    pub work: String,
    /// What the figure is, and what it is held against.
    pub figure: String,
    /// What the figure counts in: `×`, `ms`, `MB`, `/s`, `s`.
    pub unit: &'static str,
    /// The figure of each round.
    pub samples: Samples,
    /// What it has to be.
    pub goal: Goal,
    /// What the server did meanwhile.
    pub server: Option<Side>,
    /// What the limit did: requests, or row sets, per second.
    pub limit_rate: Option<f64>,
    /// … and the microseconds of processor time that each took.
    pub limit_cpu: Option<f64>,
    /// Processor time of a request as a multiple of the limit's: what is left of a rate ratio when the load generator's
    /// share of the machine is left out of it.
    pub cpu_ratio: Option<f64>,
}

impl Line {
    /// A line with a figure and nothing else.
    pub fn new(
        group: &'static str,
        work: impl Into<String>,
        figure: impl Into<String>,
        unit: &'static str,
    ) -> Self {
        Self {
            group,
            work: work.into(),
            figure: figure.into(),
            unit,
            samples: Samples::default(),
            goal: Goal::None,
            server: None,
            limit_rate: None,
            limit_cpu: None,
            cpu_ratio: None,
        }
    }

    /// … the figure of each round.
    #[must_use]
    pub fn measured(mut self, samples: impl IntoIterator<Item = f64>) -> Self {
        self.samples = Samples::of(samples);
        self
    }

    /// … what it has to be.
    #[must_use]
    pub fn at_least(mut self, goal: f64) -> Self {
        self.goal = Goal::AtLeast(goal);
        self
    }

    /// … what it has to be.
    #[must_use]
    pub fn at_most(mut self, goal: f64) -> Self {
        self.goal = Goal::AtMost(goal);
        self
    }

    /// … what the server did meanwhile.
    #[must_use]
    pub fn by(mut self, rounds: &[Measured]) -> Self {
        self.server = Side::of(rounds);
        self
    }

    /// … what the limit came to in each round, beside the microseconds of processor time that a request took in it.
    #[must_use]
    pub fn beside(mut self, rounds: impl IntoIterator<Item = (f64, Reached)>) -> Self {
        let rounds: Vec<(f64, Reached)> = rounds.into_iter().collect();
        let median =
            |figure: fn(&(f64, Reached)) -> f64| Samples::of(rounds.iter().map(figure)).median();
        self.limit_rate = median(|(_, limit)| limit.rate);
        self.limit_cpu = median(|(_, limit)| limit.cpu);
        self.cpu_ratio = median(|(server, limit)| server / limit.cpu);
        self
    }

    /// Whether the median is what it has to be.
    pub fn met(&self) -> Option<bool> {
        self.goal.met_by(self.samples.median()?)
    }
}

/// How latency grows with what is stored.
#[derive(Debug, Clone, Serialize)]
pub struct Growth {
    /// The work.
    pub work: String,
    /// What is stored, and the milliseconds that 50 and 99 of 100 answers took: medians over the rounds.
    pub points: Vec<(String, f64, f64)>,
}

/// Everything that a run measured.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The machine and what else it did.
    pub machine: String,
    /// The program.
    pub server: String,
    /// How often and how long.
    pub run: String,
    /// The table.
    pub lines: Vec<Line>,
    /// For the plots.
    pub growth: Vec<Growth>,
    /// What could not be measured, and why.
    pub failures: Vec<String>,
}

/// A figure with as many digits as it deserves.
pub fn short(figure: f64) -> String {
    let digits = match figure.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{figure:.digits$}")
}

/// A goal in words.
pub fn goal_text(line: &Line) -> String {
    match line.goal {
        Goal::AtLeast(goal) => format!("≥ {} {}", short(goal), line.unit),
        Goal::AtMost(goal) => format!("≤ {} {}", short(goal), line.unit),
        Goal::None => "–".to_owned(),
    }
}

/// Whether the goal is met, in a word.
pub fn met_text(line: &Line) -> &'static str {
    match line.met() {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "–",
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn measured() -> Measured {
        Measured {
            requests: 20_000.0,
            created: 0.0,
            rate: 20_000.0,
            p50: 1.0,
            p90: 2.0,
            p99: 3.0,
            cpu: 45.0,
            rss: 30.0,
            answer_kb: 1.0,
        }
    }

    pub fn report() -> Report {
        let get = Line::new("get", "GET <one>", "× bare actix", "×")
            .measured([0.5, 0.3, 0.4])
            .at_least(0.4)
            .by(&[measured()])
            .beside([(
                45.0,
                Reached {
                    rate: 50_000.0,
                    cpu: 15.0,
                },
            )]);
        let start = Line::new("start", "start", "ms to ready", "ms")
            .measured([80.0])
            .at_most(50.0);
        Report {
            machine: "2 × a processor".to_owned(),
            server: "lyceum, release".to_owned(),
            run: "3 rounds of 1 s".to_owned(),
            lines: vec![get, start],
            growth: vec![Growth {
                work: "GET by id".to_owned(),
                points: vec![("10 k".to_owned(), 0.2, 0.5), ("1 M".to_owned(), 0.2, 0.6)],
            }],
            failures: vec!["row & column".to_owned()],
        }
    }

    #[test]
    fn the_median_decides_and_a_goal_may_be_met_exactly() {
        let report = report();
        assert_eq!(report.lines[0].met(), Some(true));
        assert_eq!(report.lines[1].met(), Some(false));
        assert_eq!(Line::new("x", "x", "x", "×").measured([1.0]).met(), None);
        assert_eq!(Line::new("x", "x", "x", "×").at_least(1.0).met(), None);
    }

    #[test]
    fn processor_time_is_held_against_the_limits() {
        let line = &report().lines[0];
        assert_eq!((line.limit_cpu, line.cpu_ratio), (Some(15.0), Some(3.0)));
        assert_eq!(report().lines[1].cpu_ratio, None);
    }

    #[test]
    fn figures_are_as_long_as_they_deserve() {
        let shown = [12_345.6, 99.94, 0.456, 2.0].map(short);
        assert_eq!(shown, ["12346", "99.9", "0.46", "2.00"]);
    }
}
