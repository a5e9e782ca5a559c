//! `make simulate`, and a smaller round of it in every test run.
//!
//! `SEEDS` is how many seeds, `SEED` the first (and, alone, the only) one. A seed that fails says how to run it again;
//! then it prints everything that happened in it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each run says which seeds it had, and one that cannot go on has failed"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use lyceum_simulation::{Mutant, Outcome, run};

/// How many seeds when nobody says.
const SEEDS: u64 = 100;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a whole number"))
}

/// The seeds of this run.
fn seeds() -> std::ops::Range<u64> {
    let first = number("SEED");
    let count = number("SEEDS").unwrap_or(if first.is_some() { 1 } else { SEEDS });
    let first = first.unwrap_or(1);
    first..first + count
}

/// The first outcome among these seeds, in the order of seeds, that `wanted` wants; simulated side by side.
fn find(seeds: std::ops::Range<u64>, mutant: Option<Mutant>) -> Option<Outcome> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return None;
            }
            let outcome = run(seed, mutant);
            if !outcome.violations.is_empty() {
                next.store(seeds.end, Ordering::Relaxed);
                return Some(outcome);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = workers
            .into_iter()
            .filter_map(|worker| worker.join().unwrap());
        found.min_by_key(|outcome| outcome.seed)
    })
}

fn again(seed: u64) -> String {
    format!("make simulate SEED={seed}")
}

#[test]
fn every_promise_holds_after_every_seed() {
    let seeds = seeds();
    println!("seeds {} to {}", seeds.start, seeds.end - 1);
    let alone = seeds.end - seeds.start == 1;
    if alone {
        let outcome = run(seeds.start, None);
        println!("{}\n{}", outcome.trace.join("\n"), outcome.hash);
    }
    if let Some(failed) = find(seeds, None) {
        panic!(
            "seed {}: {:#?}\nagain: {}",
            failed.seed,
            failed.violations,
            again(failed.seed)
        );
    }
}

#[test]
fn a_seed_happens_the_same_way_twice() {
    let (first, second) = (run(7, None), run(7, None));
    let differing = first
        .trace
        .iter()
        .zip(&second.trace)
        .find(|(one, other)| one != other);
    assert_eq!(differing, None);
    assert_eq!(first.hash, second.hash);
    assert_ne!(first.hash, run(8, None).hash);
}

/// Each breaks a promise within so many seeds, and is noticed.
#[test]
fn what_is_broken_on_purpose_is_noticed() {
    for mutant in Mutant::ALL {
        let found = find(1..150, Some(*mutant));
        let found = found.unwrap_or_else(|| panic!("{mutant:?} went unnoticed"));
        println!("{mutant:?}: seed {}: {}", found.seed, found.violations[0]);
    }
}
