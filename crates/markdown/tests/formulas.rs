//! The list of formulas from school and university: how many of them become formulas.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

use std::collections::BTreeSet;

use lyceum_markdown::{Kind, Settings, render};

const LIST: &str = include_str!("formulas.txt");

fn formulas() -> Vec<(&'static str, &'static str, &'static str)> {
    let parts = |line: &'static str| {
        let parts: Vec<&str> = line.splitn(3, " | ").collect();
        assert_eq!(parts.len(), 3, "{line}");
        (parts[0], parts[1], parts[2])
    };
    LIST.lines().map(parts).collect()
}

#[test]
fn the_list_has_two_hundred_formulas_of_both_levels() {
    let formulas = formulas();
    assert_eq!(formulas.len(), 200);
    let sources: BTreeSet<_> = formulas.iter().map(|(_, _, tex)| tex).collect();
    assert_eq!(sources.len(), 200);
    for level in ["school", "university"] {
        let of_level = formulas.iter().filter(|(own, _, _)| *own == level);
        assert!(of_level.count() >= 90, "{level}");
    }
}

#[test]
fn at_least_97_in_100_are_converted_and_the_others_are_told() {
    let mut as_written = Vec::new();
    for (_, name, tex) in formulas() {
        let text = format!("$${tex}$$");
        let rendered = render(&text, &Settings::default(), &mut |_| String::new()).unwrap();
        if rendered.warnings.is_empty() {
            assert!(rendered.html.contains("<math dir=\"ltr\""), "{name}");
            assert!(!rendered.html.contains(" style="), "{name}");
        } else {
            assert_eq!(rendered.warnings[0].kind, Kind::Formula, "{name}");
            assert!(
                rendered.html.contains("<code class=\"tex block\""),
                "{name}"
            );
            as_written.push(name);
        }
    }
    assert!(as_written.len() <= 6, "{as_written:?}");
    // More than was promised; whoever loses one should know which.
    assert_eq!(as_written, [""; 0]);
}
