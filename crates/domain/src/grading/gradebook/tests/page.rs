//! The page for people, held against the rules: every number in its examples is reckoned anew.

mod beside;

use std::collections::BTreeMap;

use super::*;

const PAGE: &str = include_str!("../../../../../../docs/grades.md");
const HEADING: &str = "### Example: ";
const NO_GROUP: &str = "*no group*";
const NONE: &str = "–";
/// What the first column of a table may be called; of each a test reckons every row.
const TABLES: [&str; 8] = [
    "Task",
    "Group",
    "Dropped",
    "Off per day",
    "Work",
    "Learner",
    "Figure",
    "From",
];

/// A row of a table: what stands below each heading.
type Row = BTreeMap<String, String>;

/// An example of the page: its text, and its tables by what their first column is called.
struct Example {
    name: String,
    text: String,
    tables: BTreeMap<String, Vec<Row>>,
}

impl Example {
    fn rows(&self, table: &str) -> &[Row] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    /// What follows in the line that begins with this.
    fn behind(&self, start: &str) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix(start))
    }
}

fn examples() -> Vec<Example> {
    let sections = PAGE.split(HEADING).skip(1);
    sections
        .map(|section| {
            let (name, rest) = section.split_once('\n').unwrap();
            let text = rest.split("\n## ").next().unwrap();
            let tables = text
                .split("\n\n")
                .filter(|part| part.trim().starts_with('|'));
            Example {
                name: name.to_owned(),
                text: text.to_owned(),
                tables: tables.map(table).collect(),
            }
        })
        .collect()
}

fn table(text: &str) -> (String, Vec<Row>) {
    let mut lines = text.trim().lines().map(cells);
    let names = lines.next().unwrap();
    let rows = lines.skip(1).map(|cells| {
        assert_eq!(cells.len(), names.len(), "{cells:?}");
        names.iter().cloned().zip(cells).collect()
    });
    (names[0].clone(), rows.collect())
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect()
}

fn points(text: &str) -> Points {
    Points::from_json(&serde_json::from_str(text).unwrap()).unwrap()
}

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or(NONE.to_owned(), |value| value.to_string())
}

fn shown_percent(percent: Option<Percent>) -> String {
    percent.map_or(NONE.to_owned(), |percent| format!("{percent} %"))
}

/// `Of` and `Points` of a sum, which may be larger than points.
fn shown_sum(hundredths: i64) -> String {
    Points::from_hundredths(hundredths).to_string()
}

/// A day of March, at midnight; today it is noon on the 15th.
fn day(text: &str) -> Timestamp {
    let day: u8 = text.strip_suffix(" March").unwrap().parse().unwrap();
    Timestamp::parse(&format!("2027-03-{day:02}T00:00:00Z")).unwrap()
}

fn scheme(example: &Example) -> GradebookScheme {
    let tasks = example.rows("Task");
    let groups = example.rows("Group").iter();
    let groups = groups.filter(|row| row["Group"] != NO_GROUP).map(|row| {
        let inside = tasks.iter().enumerate();
        let inside = inside.filter(|(_, task)| task.get("Group") == Some(&row["Group"]));
        let attempt = row
            .get("Attempt")
            .map(|word| CountingAttempt::parse(word).unwrap());
        GradeGroup {
            id: row["Group"].clone(),
            name: Name::parse(row["Group"].clone()).unwrap(),
            weight: row["Weighs"].trim_end_matches(" %").parse().unwrap(),
            drop_lowest: row.get("Drops").map_or(0, |drops| drops.parse().unwrap()),
            attempt: attempt.unwrap_or(CountingAttempt::Best),
            items: inside.map(|(at, _)| item(at)).collect(),
        }
    });
    let is_zero = tasks.iter().any(|task| task[""].starts_with("missing"));
    let missing = [MissingWork::Ignored, MissingWork::Zero][usize::from(is_zero)];
    GradebookScheme::new(groups.collect(), missing).unwrap()
}

/// `8, 9 of 10, waits`: handed in on one day after another.
fn attempts(text: &str, best_possible: Points) -> Vec<Attempted> {
    let given = text.split(", ").filter(|one| *one != NONE);
    let numbered = (1..).zip(given);
    numbered
        .map(|(number, one)| {
            let (earned, of) = one.split_once(" of ").unwrap_or((one, ""));
            Attempted {
                number,
                points: (earned != "waits").then(|| points(earned)),
                best_possible: if of.is_empty() {
                    best_possible
                } else {
                    points(of)
                },
                handed_in_at: day(&format!("{number} March")),
            }
        })
        .collect()
}

/// The columns of an example, and what its learner handed in.
fn given(example: &Example) -> (Vec<Column>, LearnerWork) {
    let (mut columns, mut work) = (Vec::new(), LearnerWork::default());
    for (at, task) in example.rows("Task").iter().enumerate() {
        let best_possible = points(&task["Best possible"]);
        let due = task.get("Due").map(String::as_str);
        let (due, own) = due.map_or((None, None), |due| match due.split_once(", own: ") {
            Some((due, own)) => (Some(due), Some(own)),
            None => (Some(due), None),
        });
        columns.push(Column {
            item: item(at),
            best_possible,
            due_at: due.map(day),
        });
        if let Some(own) = own {
            work.own_due.insert(item(at), Some(day(own)));
        }
        let made = attempts(&task["Attempts"], best_possible);
        work.attempts.insert(item(at), made);
    }
    (columns, work)
}

fn state(cell: &Cell) -> String {
    let state = match cell.state {
        CellState::NotHandedIn => "not handed in",
        CellState::WaitsForAGrade => "waits for a grade",
        CellState::Graded if cell.awaits_grade => "graded, another waits",
        CellState::Graded => "graded",
        CellState::MissingCountsAsZero => "missing: zero",
    };
    format!("{state}{}", if cell.dropped { ", dropped" } else { "" })
}

#[test]
fn the_books_of_the_page_are_what_is_reckoned() {
    let mut seen = 0;
    for example in examples() {
        let known = |table: &String| TABLES.contains(&table.as_str());
        assert!(example.tables.keys().all(known), "{}", example.name);
        let tasks = example.rows("Task");
        if tasks.is_empty() {
            assert!(!example.rows("Learner").is_empty(), "{}", example.name);
            continue;
        }
        seen += 1;
        let name = &example.name;
        let (columns, work) = given(&example);
        let book = reckon(&scheme(&example), &columns, &work, now());
        for (task, cell) in tasks.iter().zip(&book.cells) {
            let is = [shown(cell.points), shown_percent(cell.percent), state(cell)];
            let says = ["Counts", "Percent", ""].map(|column| task[column].clone());
            assert_eq!(says, is, "{name}: {}", task["Task"]);
        }
        let groups = example.rows("Group");
        assert_eq!(groups.len(), book.groups.len(), "{name}");
        for (row, group) in groups.iter().zip(&book.groups) {
            let is = [
                group.group.clone().unwrap_or(NO_GROUP.to_owned()),
                format!("{} %", group.weight),
                shown_sum(group.tally.reached()),
                shown_sum(group.tally.possible()),
                shown_percent(group.percent()),
                group.counting().as_str().replace('_', " "),
            ];
            let columns = ["Group", "Weighs", "Points", "Of", "Percent", ""];
            assert_eq!(columns.map(|column| row[column].clone()), is, "{name}");
        }
        let total = book
            .total
            .map_or("none yet".to_owned(), |total| format!("{total} %"));
        let says = example.behind("**Total: ").unwrap();
        assert_eq!(says, format!("{total}**"), "{name}");
    }
    assert!(seen >= 14, "{seen} examples are read");
}
