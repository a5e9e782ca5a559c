//! What is graded together, what is only looked at together, and what never meets.

use lyceum_domain::grading::groups::{AnswerGroup, AnswerGroups, GroupLevel};
use lyceum_ports::grading::grouping::AnswerGrouper;

use super::BuiltinGrouper;

fn grouped(texts: &[&str], language: &str) -> AnswerGroups {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    BuiltinGrouper.group(&texts, language, &|| false).unwrap()
}

fn members(groups: &AnswerGroups, level: GroupLevel) -> Vec<Vec<usize>> {
    let at = groups.at(level);
    at.map(|group: &AnswerGroup| group.members.clone())
        .collect()
}

#[test]
fn the_same_but_for_case_and_white_space_is_graded_together() {
    let texts = [
        "The bulb is in a closed path with the battery.",
        "the  bulb is in a CLOSED path\nwith the battery.",
        "Photosynthesis needs light.",
        "  ",
        "",
    ];
    let found = grouped(&texts, "en");
    assert_eq!(members(&found, GroupLevel::Grade), [vec![0, 1]]);
    assert_eq!(found.all()[0].representative, 0);
    assert!((found.all()[0].similarity - 1.0).abs() < 1e-9);
}

#[test]
fn what_turns_an_answer_keeps_it_apart() {
    let pairs = [
        (
            "en",
            "The bulb is in a closed path with the battery.",
            "The bulb is not in a closed path with the battery.",
        ),
        (
            "en",
            "The terminal has a voltage of 1.5 volts there.",
            "The terminal has a voltage of 3 volts there.",
        ),
        (
            "en",
            "The water level in the glass will increase slowly.",
            "The water level in the glass will decrease slowly.",
        ),
        (
            "de",
            "Die Lampe ist mit der Batterie in einem Kreis verbunden.",
            "Die Lampe ist nicht mit der Batterie in einem Kreis verbunden.",
        ),
        (
            "de",
            "Im Glas sind genau 12 Liter Wasser.",
            "Im Glas sind genau 15 Liter Wasser.",
        ),
    ];
    for (language, one, other) in pairs {
        let found = grouped(&[one, other, one], language);
        assert_eq!(members(&found, GroupLevel::Grade), [vec![0, 2]], "{other}");
    }
}

#[test]
fn what_is_not_alike_is_in_no_group() {
    let found = grouped(
        &["Plants make sugar from light.", "The fuse has melted."],
        "en",
    );
    assert!(found.all().is_empty(), "{found:?}");
}

#[test]
fn the_order_of_answers_names_them_and_decides_nothing_else() {
    let texts = [
        "The bulb is in a closed path with the battery.",
        "A fuse melts when too much current flows.",
        "The bulb is in a closed path with the battery",
        "A fuse melts if too much current flows.",
    ];
    let forth = grouped(&texts, "en");
    let mut turned = texts;
    turned.reverse();
    let back = grouped(&turned, "en");
    let mut renamed: Vec<Vec<usize>> = members(&back, GroupLevel::Grade)
        .into_iter()
        .map(|group| group.into_iter().rev().map(|member| 3 - member).collect())
        .collect();
    renamed.sort();
    assert_eq!(members(&forth, GroupLevel::Grade), renamed);
    assert!(renamed.contains(&vec![0, 2]), "{renamed:?}");
    assert_eq!(forth, grouped(&texts, "en"));
}

#[test]
fn who_no_longer_waits_stops_it() {
    let texts = vec!["Light.".to_owned(), "Light.".to_owned()];
    assert_eq!(BuiltinGrouper.group(&texts, "en", &|| true), None);
}
