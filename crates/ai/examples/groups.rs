//! Measures how the built-in engine groups answers: how long ten thousand take, and on answers that people graded how many
//! judgements groups spare and how many of their members another grade would be due.
//!
//! `cargo run --release -p lyceum-ai --example groups [tasks]`: with `tasks`, a line for each task as well.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::time::Instant;

use lyceum_ai::BuiltinGrouper;
use lyceum_domain::grading::groups::{AnswerGroup, AnswerGroups, GroupLevel, MOST_GROUPED};
use lyceum_ports::grading::grouping::AnswerGrouper;

const SEMEVAL: &str = include_str!("../../../tests/data/semeval2013-task7/answers.csv");
const SAF: &str = include_str!("../../../tests/data/saf-v1/answers.csv");

/// The answers to one question, each with the share of the points that a person gave, as it is written.
#[derive(Default)]
struct GradedTask {
    language: String,
    texts: Vec<String>,
    grades: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let each = std::env::args()
        .nth(1)
        .is_some_and(|given| given == "tasks");
    let mut out = std::io::stdout().lock();
    let tasks: Vec<(String, GradedTask)> = [SEMEVAL, SAF]
        .iter()
        .map(|data| read(data))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    graded(&mut out, &tasks, each)?;
    if std::env::args().nth(1).as_deref() == Some("graded") {
        return Ok(());
    }
    timed(&mut out, &tasks)
}

fn read(data: &str) -> Result<BTreeMap<String, GradedTask>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_reader(data.as_bytes());
    let mut tasks: BTreeMap<String, GradedTask> = BTreeMap::new();
    for row in reader.deserialize() {
        let row: BTreeMap<String, String> = row?;
        let of = |name: &str| row.get(name).cloned().unwrap_or_default();
        let task = tasks.entry(of("question_id")).or_default();
        row.get("language")
            .map_or("en", String::as_str)
            .clone_into(&mut task.language);
        task.texts.push(of("answer"));
        task.grades.push(of("score"));
    }
    Ok(tasks)
}

fn grouped(texts: &[String], language: &str) -> AnswerGroups {
    let groups = BuiltinGrouper.group(texts, language, &|| false);
    groups.unwrap_or_default()
}

/// What groups of one or more tasks come to.
#[derive(Default, Clone, Copy)]
struct Tally {
    answers: usize,
    groups: usize,
    members: usize,
    /// Members to whom a person gave another grade than to most of their group.
    wrong: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.groups += other.groups;
        self.members += other.members;
        self.wrong += other.wrong;
    }

    fn write(&self, out: &mut impl Write, name: &str) -> std::io::Result<()> {
        writeln!(
            out,
            "{name:<60} {:>6} answers {:>5} groups {:>6} members  saved {:>5}  wrong {:>5} of members, {:>5} of all",
            self.answers,
            self.groups,
            self.members,
            percent(self.members - self.groups, self.answers),
            percent(self.wrong, self.members),
            percent(self.wrong, self.answers),
        )
    }
}

/// A share in per cent, with one decimal.
fn percent(part: usize, whole: usize) -> String {
    let tenths = (part * 2_000 + whole) / (2 * whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn tally(task: &GradedTask, groups: &AnswerGroups, level: GroupLevel) -> Tally {
    let mut tally = Tally {
        answers: task.texts.len(),
        ..Tally::default()
    };
    for group in groups.at(level) {
        tally.groups += 1;
        tally.members += group.members.len();
        tally.wrong += group.members.len() - most(task, group);
    }
    tally
}

/// How many members have the grade that most have.
fn most(task: &GradedTask, group: &AnswerGroup) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for grade in group.members.iter().filter_map(|at| task.grades.get(*at)) {
        *counts.entry(grade).or_default() += 1;
    }
    counts.into_values().max().unwrap_or(0)
}

fn graded(
    out: &mut impl Write,
    tasks: &[(String, GradedTask)],
    each: bool,
) -> Result<(), Box<dyn Error>> {
    let mut sets: BTreeMap<(String, GroupLevel), Tally> = BTreeMap::new();
    for (name, task) in tasks {
        let groups = grouped(&task.texts, &task.language);
        let set = name.split(':').next().unwrap_or_default().to_owned();
        for level in GroupLevel::ALL {
            let found = tally(task, &groups, *level);
            if each && *level == GroupLevel::Grade {
                found.write(out, name)?;
            }
            sets.entry((set.clone(), *level)).or_default().add(found);
        }
    }
    for ((set, level), tally) in sets {
        tally.write(out, &format!("{level}, {set}"))?;
    }
    Ok(())
}

fn timed(out: &mut impl Write, tasks: &[(String, GradedTask)]) -> Result<(), Box<dyn Error>> {
    let all: Vec<&String> = tasks.iter().flat_map(|(_, task)| &task.texts).collect();
    let as_they_are = (0..MOST_GROUPED).filter_map(|at| all.get(at * all.len() / MOST_GROUPED));
    let as_they_are: Vec<String> = as_they_are.map(|text| (*text).clone()).collect();
    let largest = tasks.iter().filter(|(name, _)| name.starts_with("beetle"));
    let largest = largest.max_by_key(|(_, task)| task.texts.len());
    let one_task = largest
        .map(|(_, task)| halves(&task.texts))
        .unwrap_or_default();
    let long: Vec<String> = (0..MOST_GROUPED).map(|at| essay(&all, at)).collect();
    let hardly: Vec<String> = (0..MOST_GROUPED).map(|at| changed(&all, at)).collect();
    let sets = [
        ("of many questions, as they are", as_they_are),
        ("of one question, halves put together", one_task),
        ("of 300 words", long),
        ("of 150 words that differ in one", hardly),
    ];
    for (name, texts) in sets {
        let start = Instant::now();
        let groups = grouped(&texts, "en");
        writeln!(
            out,
            "{} answers {name}: {:.1} s, peak memory so far {} MB, {} and {} groups",
            texts.len(),
            start.elapsed().as_secs_f64(),
            peak_memory() / 1024,
            groups.at(GroupLevel::Grade).count(),
            groups.at(GroupLevel::Look).count(),
        )?;
    }
    Ok(())
}

/// Ten thousand answers to one question: the first half of one and the second of another.
fn halves(texts: &[String]) -> Vec<String> {
    let half = |text: &String, second: bool| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (one, other) = words.split_at(words.len() / 2);
        if second { other } else { one }.join(" ")
    };
    let pairs = texts
        .iter()
        .flat_map(|one| texts.iter().map(move |other| (one, other)));
    let joined = pairs.map(|(one, other)| format!("{} {}", half(one, false), half(other, true)));
    joined.cycle().take(MOST_GROUPED).collect()
}

/// Answers one behind the other, about 300 words of neighbouring questions.
fn essay(all: &[&String], at: usize) -> String {
    let words = all.iter().cycle().skip(at * 7 % all.len()).step_by(3);
    let words = words.flat_map(|text| text.split_whitespace());
    words.take(300).collect::<Vec<_>>().join(" ")
}

/// The same 150 words with another word among them.
fn changed(all: &[&String], at: usize) -> String {
    let mut words: Vec<&str> = all
        .iter()
        .flat_map(|text| text.split_whitespace())
        .take(150)
        .collect();
    let word = format!(
        "w{}",
        at.to_string()
            .chars()
            .filter_map(letter)
            .collect::<String>()
    );
    if let Some(place) = words.get_mut(at % 150) {
        *place = &word;
    }
    words.join(" ")
}

/// A digit as a letter, so that what differs is no number.
fn letter(digit: char) -> Option<char> {
    char::from_u32(u32::from('a') + digit.to_digit(10)?)
}

/// Most memory the process ever had, in KiB, as Linux counts it; 0 elsewhere.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
