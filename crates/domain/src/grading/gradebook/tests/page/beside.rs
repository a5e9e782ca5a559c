//! What stands beside the books of the page: other choices, late work, rounding, figures of a task, and the document.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::authoring::late_policy::{AskedLatePolicy, LatePolicy};

/// The rows that say what would be left without some tasks, each checked.
fn choices(example: &Example) -> BTreeMap<BTreeSet<&str>, Tally> {
    let tasks = example.rows("Task");
    let left = |row: &Row, names: &BTreeSet<&str>| {
        let stays = tasks
            .iter()
            .filter(|task| !names.contains(task["Task"].as_str()));
        assert_eq!(stays.clone().count() + names.len(), tasks.len());
        let parts =
            stays.map(|task| Tally::of(points(&task["Counts"]), points(&task["Best possible"])));
        let left = parts.fold(Tally::default(), Tally::plus);
        let is = [
            shown_sum(left.reached()),
            shown_sum(left.possible()),
            shown_percent(left.percent()),
        ];
        let told = ["Points", "Of", "Percent"].map(|column| row[column].clone());
        assert_eq!(told, is, "{names:?}");
        left
    };
    let rows = example.rows("Dropped").iter();
    rows.map(|row| {
        let names = row["Dropped"].split(", ").filter(|name| *name != "nothing");
        let names: BTreeSet<&str> = names.collect();
        let left = left(row, &names);
        (names, left)
    })
    .collect()
}

/// The best way to drop so many, of all of which there are: by comparing percentages, which are far enough apart on the page.
fn best(example: &Example, drops: usize) -> BTreeSet<&str> {
    let tasks = example.rows("Task").len();
    let all = (0..1_u32 << tasks).filter(|set| usize::try_from(set.count_ones()) == Ok(drops));
    let said = choices(example).into_iter();
    let said: Vec<_> = said.filter(|(names, _)| names.len() == drops).collect();
    assert_eq!(said.len(), all.count(), "{}", example.name);
    let best = said.into_iter().max_by_key(|(_, left)| left.percent());
    best.unwrap().0
}

#[test]
fn what_dropping_something_else_would_leave_is_what_the_page_says() {
    let examples = examples();
    let about_it = examples
        .iter()
        .filter(|one| !one.rows("Dropped").is_empty());
    let mut seen = Vec::new();
    for example in about_it {
        let tasks = example.rows("Task");
        let drops: usize = example.rows("Group")[0]["Drops"].parse().unwrap();
        seen.push(drops);
        let dropped = tasks.iter().filter(|task| task[""].ends_with("dropped"));
        let dropped: BTreeSet<&str> = dropped.map(|task| task["Task"].as_str()).collect();
        assert_eq!(dropped, best(example, drops));
        let single = best(example, 1);
        if drops == 1 {
            let lowest = tasks
                .iter()
                .min_by_key(|task| points(task["Percent"].trim_end_matches(" %")));
            assert!(!dropped.contains(lowest.unwrap()["Task"].as_str()));
        } else {
            assert!(single.is_disjoint(&dropped));
            let single = single.into_iter().next().unwrap().to_lowercase();
            assert!(
                example
                    .text
                    .contains(&format!("To drop one, {single} is best"))
            );
        }
    }
    assert_eq!(seen, [1, 2]);
}

#[test]
fn what_coming_late_costs_is_what_the_policy_takes_off() {
    let examples = examples();
    let example = examples
        .iter()
        .find(|one| !one.rows("Work").is_empty())
        .unwrap();
    let terms = &example.rows("Off per day")[0];
    let number = |text: &str| text.split(' ').next().unwrap().parse::<i64>().unwrap();
    let asked = AskedLatePolicy {
        percent_per_day: number(&terms["Off per day"]),
        floor_percent: Some(number(&terms["Never below"])),
        grace_minutes: Some(number(&terms["Grace"])),
    };
    let policy = LatePolicy::parse(asked, "").unwrap();
    for (row, task) in example.rows("Work").iter().zip(example.rows("Task")) {
        let unit = if row["Late"].ends_with(" h") {
            3_600
        } else {
            60
        };
        let late = Duration::from_secs(u64::try_from(number(&row["Late"])).unwrap() * unit);
        let days = policy.days_late(now(), now().plus(late));
        let [earned, most, off, counts] =
            ["Earned", "Best possible", "Off", "Counts"].map(|column| points(&row[column]));
        assert_eq!(policy.deduction(days, earned, most), off, "{}", row["Work"]);
        assert_eq!(earned.hundredths() - off.hundredths(), counts.hundredths());
        assert_eq!(
            [&row["Work"], &row["Counts"]],
            [&task["Task"], &task["Attempts"]]
        );
    }
    assert_eq!(example.rows("Work").len(), example.rows("Task").len());
}

#[test]
fn what_rounding_twice_would_give_is_something_else() {
    let examples = examples();
    let start = "Of the rounded percentages it would be ";
    let (example, says) = examples
        .iter()
        .find_map(|one| Some((one, one.behind(start)?)))
        .unwrap();
    let parts = example.rows("Group").iter().map(|row| {
        let [weight, percent] =
            ["Weighs", "Percent"].map(|column| points(row[column].trim_end_matches(" %")));
        i64::from(weight.hundredths()) * i64::from(percent.hundredths())
    });
    let twice = Points::from_hundredths((parts.sum::<i64>() + 5_000) / 10_000);
    assert_eq!(says, format!("{twice} %."));
    assert_ne!(
        example.behind("**Total: "),
        Some(format!("{twice} %**").as_str())
    );
}

#[test]
fn the_figures_of_a_task_are_those_of_its_learners() {
    let examples = examples();
    let example = examples
        .iter()
        .find(|one| !one.rows("Learner").is_empty())
        .unwrap();
    let figures: BTreeMap<&str, &str> = example
        .rows("Figure")
        .iter()
        .map(|row| (row["Figure"].as_str(), row[""].as_str()))
        .collect();
    let (mut all, mut scores) = (Vec::new(), Vec::new());
    for row in example.rows("Learner") {
        let [points, rest, sum] = ["Question", "Others", "All"].map(|column| points(&row[column]));
        assert_eq!(points.hundredths() + rest.hundredths(), sum.hundredths());
        all.push(sum);
        scores.push(ItemScore { points, rest });
    }
    let [question, task] = ["question", "task"]
        .map(|what| points(figures[format!("Best possible of the {what}").as_str()]));
    let spread = Distribution::of(&all, task).unwrap();
    let analysis = ItemAnalysis::of(&scores, question);
    let is = [
        ("Learners", spread.learners.to_string()),
        ("Fewest points", spread.min.to_string()),
        ("Lower quartile", spread.lower_quartile.to_string()),
        ("Median", spread.median.to_string()),
        ("Upper quartile", spread.upper_quartile.to_string()),
        ("Most points", spread.max.to_string()),
        ("Mean", spread.mean.to_string()),
        (
            "Difficulty of the question",
            analysis.difficulty.unwrap().to_string(),
        ),
        (
            "Discrimination of the question",
            analysis.discrimination.unwrap().to_string(),
        ),
    ];
    assert_eq!(figures.len(), is.len() + 2);
    for (figure, is) in is {
        assert_eq!(figures[figure], is, "{figure}");
    }
    let bins = &example.rows("From")[0];
    for (tenth, learners) in spread.bins.iter().enumerate() {
        assert_eq!(bins[&format!("{} %", 10 * tenth)], learners.to_string());
    }
    assert_eq!(bins.len(), 1 + BINS);
}

#[test]
fn the_document_of_the_page_is_a_scheme() {
    let json = PAGE
        .split("```json\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let given: serde_json::Value = serde_json::from_str(json).unwrap();
    let scheme = GradebookScheme::parse(given.as_object().unwrap()).unwrap();
    assert_eq!(scheme.groups().len(), 2);
    assert_eq!(scheme.missing(), MissingWork::Zero);
    for number in [
        GradebookScheme::MAX_GROUPS,
        GradebookScheme::MAX_ITEMS,
        GradebookScheme::MAX_ID_CHARS,
        usize::from(GradebookScheme::MAX_WEIGHT),
        usize::from(GradebookScheme::MAX_DROPPED),
    ] {
        assert!(PAGE.contains(&format!(" {number}")), "{number}");
    }
    for words in [
        CountingAttempt::ALL
            .iter()
            .map(|word| word.as_str())
            .collect::<Vec<_>>(),
        MissingWork::ALL.iter().map(|word| word.as_str()).collect(),
    ] {
        for word in words {
            assert!(PAGE.contains(&format!("`{word}`")), "{word}");
        }
    }
}
