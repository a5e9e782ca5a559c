//! Whether a certificate still holds, by audits of what comes later.
//!
//! Two questions. *Is it still shown to be good?* The newest draws have to earn the promise, else release pauses: it fails
//! fast and costs little. *Is it shown to be bad?* Evidence that disagreement is above what was promised, wrong with at most
//! the chance [`ALPHA`] however often one looks: then it is revoked.
//!
//! Sources: H. Robbins, *Statistical methods related to the law of the iterated logarithm*, Annals of Mathematical
//! Statistics 41 (1970), for a mixture over rates; J. Shin, A. Ramdas, A. Rinaldo, *E-detectors* (2023), for one over the
//! moment of a change; J. Ville, *Étude critique de la notion de collectif* (1939), for the bound.

use std::collections::VecDeque;

use super::bounds::{Drawn, Promise, binomial_at_most, bound_of_later};
use crate::words::words;

/// The chance, over the whole life of a certificate, that it is called worse than promised and is not.
pub const ALPHA: f64 = 0.01;

words! {
    /// How a certificate stands.
    State {
        /// Grades may go out.
        Valid = "valid",
        /// The newest audits no longer prove it.
        Paused = "paused",
        /// Disagreement is shown to be more than promised.
        Revoked = "revoked",
        /// The grader is another one.
        Lapsed = "lapsed",
    }
}

/// What is known of a certificate by its audits: as much room as its window takes, and the same time for each.
#[derive(Debug, Clone, PartialEq)]
pub struct Monitor {
    promise: Promise,
    /// Errors of the newest draws, oldest first.
    recent: VecDeque<bool>,
    width: usize,
    audits: u32,
    /// What stands on each of seven rates above the promised one.
    bets: [f64; 7],
    evidence: f64,
    state: State,
}

impl Monitor {
    /// A certificate that was just issued; `history` says of each test above its threshold whether it was an error, in the
    /// order of drawing. The window is as long as that, and at least ten expected errors wide.
    pub fn new(history: impl IntoIterator<Item = bool>, promise: Promise) -> Self {
        let recent: VecDeque<bool> = history.into_iter().collect();
        let least = 10_000_000_u32.div_ceil(promise.max_disagreement.parts().max(1));
        let width = recent
            .len()
            .max(usize::try_from(least).unwrap_or(usize::MAX));
        Self {
            promise,
            recent,
            width,
            audits: 0,
            bets: [0.0; 7],
            evidence: 1.0,
            state: State::Valid,
        }
    }

    /// One more answer was audited, in the order in which they are graded. After the end nothing counts.
    pub fn audit(&mut self, is_error: bool) -> State {
        if matches!(self.state, State::Revoked | State::Lapsed) {
            return self.state;
        }
        self.remember(is_error);
        self.bet(is_error);
        if self.evidence >= 1.0 / ALPHA {
            self.state = State::Revoked;
        } else if self.state == State::Valid && !self.is_earned() {
            self.state = State::Paused;
        }
        self.state
    }

    /// The grader is no longer the one that was tested.
    pub fn lapse(&mut self) -> State {
        if matches!(self.state, State::Valid | State::Paused) {
            self.state = State::Lapsed;
        }
        self.state
    }

    fn remember(&mut self, is_error: bool) {
        self.recent.push_back(is_error);
        while self.recent.len() > self.width {
            self.recent.pop_front();
        }
    }

    /// A little is laid anew on each rate at every audit, since a grader may become worse at any moment.
    fn bet(&mut self, is_error: bool) {
        self.audits = self.audits.saturating_add(1);
        let number = f64::from(self.audits);
        let fresh = 1.0 / (number * (number + 1.0));
        let x = self.promise.max_disagreement.fraction();
        let rates = (1_u8..=7).map(|eighths| x + (1.0 - x) * f64::from(eighths) / 8.0);
        for (rate, bet) in rates.zip(&mut self.bets) {
            let odds = if is_error {
                rate / x
            } else {
                (1.0 - rate) / (1.0 - x)
            };
            *bet = (*bet + fresh) * odds;
        }
        let mean = self.bets.iter().sum::<f64>() / 7.0;
        self.evidence = mean + 1.0 / (number + 1.0);
    }

    fn is_earned(&self) -> bool {
        self.promise.holds(self.window(), None)
    }

    /// What the newest draws say.
    pub fn window(&self) -> Drawn {
        Drawn::count(self.recent.iter().copied())
    }

    /// How it stands.
    pub const fn state(&self) -> State {
        self.state
    }

    /// How many audits there were.
    pub const fn audits(&self) -> u32 {
        self.audits
    }

    /// How much speaks for more disagreement than was promised: 1 at the beginning, 100 revokes.
    pub const fn evidence(&self) -> f64 {
        self.evidence
    }

    /// The highest rate of errors that the newest draws leave thinkable.
    pub fn bound(&self) -> f64 {
        bound_of_later(self.window(), self.promise.delta)
    }

    /// How many audited errors in a row, from now on, would pause it.
    pub fn errors_to_pause(&self) -> u32 {
        let mut next = self.clone();
        let mut count = 0;
        while next.state == State::Valid && next.is_earned() {
            next.remember(true);
            count += 1;
        }
        count
    }
}

/// How many wrong grades go out unseen before audits find one more than `found`: on average, and at most with the chance
/// `confidence`. Each wrong grade is audited with the chance `share`, whatever learners do (negative binomial).
pub fn unseen_errors(found: u32, share: super::Rate, confidence: f64) -> (f64, u32) {
    let rate = share.fraction();
    let mean = f64::from(found + 1) * (1.0 - rate) / rate;
    let is_enough = |unseen: &u32| {
        let drawn = Drawn::new(found, unseen + 1 + found).unwrap_or_default();
        binomial_at_most(drawn, rate) <= 1.0 - confidence
    };
    (
        mean,
        (0..u32::MAX - 1 - found)
            .find(is_enough)
            .unwrap_or(u32::MAX),
    )
}
