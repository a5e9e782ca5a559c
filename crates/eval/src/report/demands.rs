//! What the figures of a report must reach before anybody relies on a grader.
//!
//! The gates are those of the Educational Testing Service for its own engines (Williamson, Xi & Breyer 2012, "A
//! Framework for Evaluation and Use of Automated Scoring"): habits of a careful house, not a norm.

use std::collections::BTreeMap;

use super::{Figures, Group, HumanHuman};
use crate::gates::Gate;
use crate::numbers::rounded;

/// Every gate that the data allows to ask for.
pub fn gates(
    n: usize,
    figures: &Figures,
    people: Option<&HumanHuman>,
    groups: &BTreeMap<String, Group>,
) -> Vec<Gate> {
    let of = |figures: &Figures, name: &str| figures.get(name).and_then(|figure| figure.value);
    let mut gates = vec![
        Gate::new(
            "QWK of at least 0.70".to_owned(),
            n,
            of(figures, "qwk"),
            |qwk| qwk >= 0.70,
        ),
        Gate::new(
            "mean score within 0.15 standard deviations of the people's".to_owned(),
            n,
            of(figures, "smd"),
            |smd| smd.abs() <= 0.15,
        ),
    ];
    if let Some(people) = people {
        let between = of(&people.figures, "qwk");
        let lost = between
            .zip(of(&people.machine, "qwk"))
            .map(|(people, machine)| rounded(people - machine));
        gates.push(Gate::new(
            "QWK at most 0.10 below that between two people".to_owned(),
            people.n,
            lost,
            |lost| lost <= 0.10,
        ));
    }
    for (name, group) in groups {
        gates.push(Gate::new(
            format!("group {name}: within 0.10 standard deviations of being treated like all"),
            group.n,
            group.dsm,
            |difference| difference.abs() <= 0.10,
        ));
    }
    gates
}
