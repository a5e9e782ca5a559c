//! Whole lives of certificates, over graders whose rate of errors is known: what is promised is kept.

use std::num::NonZeroU32;

use super::bounds::Promise;
use super::dice::Dice;
use super::draw::Arrivals;
use super::monitor::{Monitor, State};
use super::thresholds::{Look, Test, Verdict, look};
use super::{DELTA, Rate};

const TEN_PERCENT: Promise = Promise {
    max_disagreement: Rate::percent(10),
    delta: DELTA,
    of_later: true,
};

/// A class of so many, each graded wrongly so often of a hundred times, whatever the confidence; so many are drawn by lot
/// and graded blind. What is looked at first may spend what a first look may.
fn first_look(dice: &mut Dice, at_hand: usize, percent_wrong: u64, tests: usize) -> Look {
    let class: Vec<Test> = (0..at_hand)
        .map(|_| Test {
            confidence: dice.confidence(),
            is_error: dice.happens(percent_wrong),
        })
        .collect();
    let ids: Vec<String> = (0..at_hand).map(|number| format!("sub_{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let drawn = dice.seed().sample(&ids, tests);
    let of = |id: &&str| class[ids.iter().position(|other| other == id).unwrap()];
    let drawn: Vec<Test> = drawn.iter().map(of).collect();
    let population: Vec<u8> = class.iter().map(|one| one.confidence).collect();
    look(&population, &drawn, promise(), 0)
}

fn promise() -> Promise {
    Promise {
        delta: DELTA.of_look(NonZeroU32::MIN),
        ..TEN_PERCENT
    }
}

fn certified(lives: u32, percent_wrong: u64, tests: usize) -> u32 {
    let mut dice = Dice(percent_wrong);
    let is_certified = |_: &u32| {
        let look = first_look(&mut dice, 120, percent_wrong, tests);
        matches!(look.verdict, Verdict::Certified(_))
    };
    u32::try_from((0..lives).filter(is_certified).count()).unwrap()
}

/// Wrong grades that go out before release stops, where from now on so many of a hundred are wrong.
fn unseen_until_stopped(dice: &mut Dice, percent_wrong: u64) -> u32 {
    let (seed, share) = (dice.seed(), Rate::percent(5));
    let mut monitor = Monitor::new([false; 34], promise());
    let mut arrivals = Arrivals {
        arrived: 0,
        since_audit: 0,
    };
    let mut unseen = 0;
    while monitor.state() == State::Valid {
        arrivals.arrived += 1;
        let is_error = dice.happens(percent_wrong);
        if seed.is_audited(&format!("sub_{}", arrivals.arrived), arrivals, share) {
            monitor.audit(is_error);
            arrivals.since_audit = 0;
        } else {
            arrivals.since_audit += 1;
            unseen += u32::from(is_error);
        }
    }
    unseen
}

#[test]
fn a_grader_that_is_always_right_is_certified() {
    assert_eq!(certified(50, 0, 52), 50);
}

#[test]
fn a_grader_that_is_worse_than_promised_is_certified_in_no_more_lives_than_the_look_may_spend() {
    // 3 % of 400 and three standard errors; its confidence is noise.
    let wrongly = certified(400, 14, 52);
    assert!(wrongly <= 12 + 10, "{wrongly} of 400");
}

#[test]
fn too_few_answers_are_told_from_too_many_errors() {
    let mut dice = Dice(1);
    assert_eq!(first_look(&mut dice, 20, 0, 10).verdict, Verdict::TooFew);
    assert_eq!(first_look(&mut dice, 0, 0, 10).verdict, Verdict::Empty);
    let wrong = first_look(&mut dice, 120, 100, 52);
    assert_eq!(
        (wrong.verdict, wrong.path.len()),
        (Verdict::Disagreement, 1)
    );
}

#[test]
fn release_stops_soon_after_the_answers_change() {
    let mut dice = Dice(7);
    let mut mean = |percent| {
        let all: u32 = (0..200)
            .map(|_| unseen_until_stopped(&mut dice, percent))
            .sum();
        f64::from(all) / 200.0
    };
    // One in five is audited at first, and one error ends it: four wrong ones go out for each that is found.
    for percent in [30, 50, 100] {
        let unseen = mean(percent);
        assert!((3.0..6.5).contains(&unseen), "{percent} %: {unseen}");
    }
}
