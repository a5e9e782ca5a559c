//! The statistics of release, held against vectors that another implementation made (`vectors.json`).

use std::num::NonZeroU32;

use serde_json::{Value, json};

use super::bounds::{Drawn, Promise, bound_at_hand, bound_of_later};
use super::draw::{Arrivals, Lot, Seed};
use super::monitor::{Monitor, State, unseen_errors};
use super::thresholds::{Look, Test, Tested, Verdict, grid, look};
use super::{DELTA, Delta, Rate, offer};

fn vectors() -> Value {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

/// What a vector is asked with.
struct Given<'a>(&'a Value);

impl Given<'_> {
    fn count(&self, name: &str) -> u32 {
        self.0[name].as_u64().unwrap().try_into().unwrap()
    }

    fn count_or_none(&self, name: &str) -> Option<u32> {
        self.0
            .get(name)
            .filter(|value| !value.is_null())
            .map(|_| self.count(name))
    }

    fn number(&self, name: &str) -> f64 {
        self.0[name].as_f64().unwrap()
    }

    fn rate(&self, name: &str) -> Rate {
        let parts = (self.number(name) * 1e6).round();
        Rate::per_million(format!("{parts}").parse().unwrap())
    }

    fn drawn(&self) -> Option<Drawn> {
        Drawn::new(self.count_or_none("k").unwrap_or(0), self.count("n"))
    }

    fn delta(&self) -> Option<Delta> {
        Delta::new(self.number("delta"))
    }

    fn bound(&self) -> Option<f64> {
        let (drawn, delta) = (self.drawn()?, self.delta()?);
        match self.count_or_none("N") {
            Some(of) => bound_at_hand(drawn, delta, of),
            None => Some(bound_of_later(drawn, delta)),
        }
    }

    fn look(&self, name: &str) -> Option<Delta> {
        NonZeroU32::new(self.count(name)).map(|number| DELTA.of_look(number))
    }

    fn promise(&self) -> Promise {
        Promise {
            max_disagreement: self.rate("x"),
            delta: self.delta().unwrap(),
            of_later: self.0.get("future").is_none_or(|future| future == true),
        }
    }

    fn confidences(&self, name: &str) -> Vec<u8> {
        serde_json::from_value(self.0[name].clone()).unwrap()
    }

    fn tests(&self, name: &str) -> Vec<Test> {
        let pairs: Vec<(u8, u8)> = serde_json::from_value(self.0[name].clone()).unwrap();
        let test = |(confidence, error)| Test {
            confidence,
            is_error: error == 1,
        };
        pairs.into_iter().map(test).collect()
    }

    fn floor(&self) -> u8 {
        self.count_or_none("floor").unwrap_or(0).try_into().unwrap()
    }

    fn seed(&self) -> Seed {
        let text = self.0["seed_hex"].as_str().unwrap().as_bytes();
        let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        let bytes: Vec<u8> = text.chunks(2).map(byte).collect();
        Seed::new(bytes.try_into().unwrap())
    }

    fn id(&self) -> &str {
        self.0["submission_id"].as_str().unwrap()
    }
}

fn step(tested: &Tested) -> Value {
    json!({
        "threshold": tested.confidence, "n": tested.drawn.tests(), "N": tested.at_hand, "k": tested.drawn.errors(),
        "bound_at_hand": tested.bound_at_hand, "bound_future": tested.bound_of_later, "holds": tested.holds,
    })
}

/// A look as the vectors tell it.
fn told(look: &Look) -> Value {
    let path: Vec<Value> = look.path.iter().map(step).collect();
    let refused = |reason: &str| json!({"certified": false, "threshold": null, "reason": reason, "path": path});
    match &look.verdict {
        Verdict::Certified(tested) => {
            let mut told = step(tested);
            let members = told.as_object_mut().unwrap();
            members.remove("holds");
            members.insert("certified".to_owned(), json!(true));
            members.insert("path".to_owned(), json!(path));
            told
        }
        Verdict::Disagreement => refused("disagreement"),
        Verdict::TooFew => refused("too_few"),
        Verdict::Empty => refused("empty"),
    }
}

/// The states after each of these audits.
fn monitored(monitor: &mut Monitor, audits: &Value) -> Value {
    let after = |audit: &Value| {
        let state = match audit.as_u64() {
            Some(error) => monitor.audit(error == 1),
            None => monitor.lapse(),
        };
        let window = monitor.window();
        json!({
            "state": state.as_str(), "n": window.tests(), "k": window.errors(),
            "bound": monitor.bound(), "evidence": monitor.evidence(),
        })
    };
    audits.as_array().unwrap().iter().map(after).collect()
}

fn history(errors: &Value) -> Vec<bool> {
    errors
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error == 1)
        .collect()
}

fn answer(function: &str, given: &Given<'_>) -> Value {
    let refused = json!("error");
    match function {
        "upper_bound" => given.bound().map_or(refused, |bound| json!(bound)),
        "min_n" => {
            let errors = given.count_or_none("k").unwrap_or(0);
            json!(
                given
                    .promise()
                    .fewest_tests(errors, given.count_or_none("N"))
            )
        }
        "allowed" => {
            let most = given
                .promise()
                .most_errors(given.count("n"), given.count_or_none("N"));
            most.map_or(json!(-1), |most| json!(most))
        }
        "look_delta" => given
            .look("j")
            .map_or(refused, |delta| json!(delta.chance())),
        "chance_to_certify" => {
            let (tests, of) = (given.count("tests"), given.count_or_none("N"));
            json!(offer::chance(
                given.drawn().unwrap(),
                tests,
                given.promise(),
                of
            ))
        }
        "aim" => json!(offer::floor(
            &given.tests("examples"),
            given.count("tests"),
            given.promise()
        )),
        "unseen_errors" => json!(unseen_errors(
            given.count("found"),
            given.rate("rate"),
            0.95
        )),
        "priority" => {
            let lot = if given.0["label"] == "test" {
                Lot::Test
            } else {
                Lot::Audit
            };
            let number: f64 = given
                .seed()
                .number(lot, given.id())
                .to_string()
                .parse()
                .unwrap();
            json!(number / 2.0_f64.powi(64))
        }
        "draw" => {
            let ids: Vec<&str> = given.0["submission_ids"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            json!(
                given
                    .seed()
                    .sample(&ids, given.count("n").try_into().unwrap())
            )
        }
        "audited" => {
            let arrivals = Arrivals {
                arrived: given.count("arrived"),
                since_audit: given.count("since_audit"),
            };
            json!(
                given
                    .seed()
                    .is_audited(given.id(), arrivals, Rate::percent(5))
            )
        }
        "grid" => {
            let (population, drawn) = (given.confidences("population"), given.confidences("drawn"));
            let found = grid(&population, &drawn, given.promise(), given.floor());
            let row = |at: &super::thresholds::Candidate| {
                (at.confidence, at.tests, at.at_hand, at.most_errors)
            };
            json!(found.iter().map(row).collect::<Vec<_>>())
        }
        "choose_threshold" => {
            let (population, sample) = (given.confidences("population"), given.tests("sample"));
            told(&look(&population, &sample, given.promise(), given.floor()))
        }
        "monitor" => {
            let mut monitor = Monitor::new(history(&given.0["history"]), given.promise());
            monitored(&mut monitor, &given.0["audits"])
        }
        other => panic!("no such function: {other}"),
    }
}

/// The same, numbers within 10⁻⁹ of each other.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            (one.as_f64().unwrap() - other.as_f64().unwrap()).abs() <= 1e-9
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

#[test]
fn every_vector_is_met() {
    let vectors = vectors();
    let vectors = vectors["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 103);
    for vector in vectors {
        let got = answer(vector["function"].as_str().unwrap(), &Given(&vector["in"]));
        assert!(is_same(&got, &vector["out"]), "{vector}\n{got}");
    }
}

#[test]
fn four_whole_lives_go_as_they_went_elsewhere() {
    let vectors = vectors();
    let lives = vectors["traces"].as_array().unwrap();
    assert_eq!(lives.len(), 4);
    for life in lives {
        let mut given = life["in"].clone();
        let delta = Given(&given).look("look").unwrap();
        given["delta"] = json!(delta.chance());
        let given = Given(&given);
        let tests = given.tests("sample");
        let looked = look(
            &given.confidences("population"),
            &tests,
            given.promise(),
            given.floor(),
        );
        assert!(
            is_same(&told(&looked), &life["certificate"]),
            "{}\n{looked:?}",
            life["name"]
        );
        let Verdict::Certified(certified) = looked.verdict else {
            assert_eq!(life["final"], "none", "{}", life["name"]);
            continue;
        };
        let above = tests
            .iter()
            .filter(|test| test.confidence >= certified.confidence);
        let errors: Vec<bool> = above.map(|test| test.is_error).collect();
        assert_eq!(errors, history(&life["history"]), "{}", life["name"]);
        let mut monitor = Monitor::new(errors, given.promise());
        let states = monitored(&mut monitor, &given.0["audits"]);
        assert!(
            is_same(&states, &life["monitor"]),
            "{}\n{states}",
            life["name"]
        );
        assert_eq!(monitor.state().as_str(), life["final"], "{}", life["name"]);
    }
}

#[test]
fn all_looks_together_spend_no_more_than_there_is() {
    let looks = (1..=60).filter_map(NonZeroU32::new);
    let spent: f64 = looks.map(|look| DELTA.of_look(look).chance()).sum();
    assert!((spent - DELTA.chance()).abs() < 1e-9, "{spent}");
    assert_eq!(Delta::new(1.0).or(Delta::new(f64::NAN)), None);
}

#[test]
fn a_longer_sample_begins_with_the_shorter_one() {
    let seed = Seed::new([7; 32]);
    let ids: Vec<String> = (0..50).map(|n| format!("sub_{n:026}")).collect();
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let twenty = seed.sample(&ids, 20);
    ids.reverse();
    assert_eq!(seed.sample(&ids, 50)[..20], twenty);
    assert_eq!(seed.sample(&ids, 80).len(), 50);
    assert_eq!(format!("{seed:?}"), "Seed");
}

#[test]
fn no_more_than_39_go_out_between_two_audits() {
    let seed = Seed::new([7; 32]);
    let none = Rate::per_million(0);
    let audited = |since_audit| {
        seed.is_audited(
            "sub_1",
            Arrivals {
                arrived: 41,
                since_audit,
            },
            none,
        )
    };
    assert!(!audited(38) && audited(39));
    let all = Rate::percent(100);
    assert!(seed.is_audited(
        "sub_1",
        Arrivals {
            arrived: 41,
            since_audit: 0
        },
        all
    ));
}

#[test]
fn a_certificate_of_few_tests_bears_no_error_and_one_of_many_some() {
    let promise = Promise {
        max_disagreement: Rate::percent(10),
        delta: DELTA.of_look(NonZeroU32::MIN),
        of_later: true,
    };
    assert_eq!(Monitor::new([false; 34], promise).errors_to_pause(), 1);
    let mut long = Monitor::new([false; 100], promise);
    assert_eq!(long.errors_to_pause(), 5);
    // One in 21: the fifth pauses it, and nothing is proved against the grader.
    let states: Vec<State> = (1..=105).map(|n| long.audit(n % 21 == 0)).collect();
    let valid = states.iter().take_while(|state| **state == State::Valid);
    assert_eq!(valid.count(), 104);
    assert_eq!(long.state(), State::Paused);
}

#[test]
fn after_the_end_nothing_counts() {
    let promise = Promise {
        max_disagreement: Rate::percent(10),
        delta: DELTA.of_look(NonZeroU32::MIN),
        of_later: true,
    };
    let mut monitor = Monitor::new([false; 34], promise);
    assert_eq!(monitor.lapse(), State::Lapsed);
    let before = monitor.clone();
    assert_eq!(monitor.audit(true), State::Lapsed);
    assert_eq!(monitor, before);
    let mut revoked = Monitor::new([false; 34], promise);
    for _ in 0..20 {
        revoked.audit(true);
    }
    assert_eq!(revoked.lapse(), State::Revoked);
}
