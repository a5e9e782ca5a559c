//! Whether it is worth trying, by what a teacher has graded already. It is advice and proves nothing: examples may have been
//! chosen, tests never are.
//!
//! Source of the prior: L. D. Brown, T. T. Cai, A. `DasGupta`, *Interval estimation for a binomial proportion*, Statistical
//! Science 16 (2001).

use statrs::function::beta::ln_beta;
use statrs::function::factorial::ln_binomial;

use super::bounds::{Drawn, Promise};
use super::thresholds::Test;

/// The least chance of being certified with which a promise is offered.
pub const LEAST_CHANCE: f64 = 0.2;

/// The chance that so many random answers will prove the promise, seen these examples, each judged without itself: beta-
/// binomial with the prior of Jeffreys.
pub fn chance(examples: Drawn, tests: u32, promise: Promise, at_hand: Option<u32>) -> f64 {
    let (wrong, all) = (f64::from(examples.errors()), f64::from(examples.tests()));
    let (a, b) = (wrong + 0.5, all - wrong + 0.5);
    let Some(most) = promise.most_errors(tests, at_hand) else {
        return 0.0;
    };
    let chance_of = |errors: u32| {
        let (i, n) = (f64::from(errors), f64::from(tests));
        let ways = ln_binomial(tests.into(), errors.into());
        (ways + ln_beta(a + i, b + n - i) - ln_beta(a, b)).exp()
    };
    (0..=most).map(chance_of).sum()
}

/// What examples say down to each confidence, from high to low: that confidence, and all that have it or more. Those of one
/// confidence stay together, since a threshold is a value.
pub fn down_to(examples: &[Test]) -> Vec<(u8, Drawn)> {
    let mut ordered = examples.to_vec();
    ordered.sort_by_key(|example| std::cmp::Reverse(example.confidence));
    let mut seen = Drawn::default();
    let mut found = Vec::new();
    for tied in ordered.chunk_by(|one, next| one.confidence == next.confidence) {
        for example in tied {
            seen.add(example.is_error);
        }
        found.extend(tied.first().map(|example| (example.confidence, seen)));
    }
    found
}

/// Down to which confidence tests are drawn: the lowest down to which being certified is likely enough, by the examples.
/// None where the promise is not offered.
pub fn floor(examples: &[Test], tests: u32, promise: Promise) -> Option<u8> {
    let likely = |(_, seen): &(u8, Drawn)| chance(*seen, tests, promise, None) >= LEAST_CHANCE;
    let found = down_to(examples).into_iter().rfind(likely);
    found.map(|(confidence, _)| confidence)
}
