//! What a person at the terminal is told, beside the report.

use std::fmt::Write as _;

use lyceum_eval::compare::Comparison;
use lyceum_eval::injections::InjectionReport;
use lyceum_eval::release::{ReleaseReport, ReleaseRow, Share};
use lyceum_eval::report::{GradeReport, Measured, RunReport};
use lyceum_eval::tricks::TrickReport;

use lyceum_terminal::say_beside;

/// The figures that a person looks for first.
const FIRST: [&str; 7] = [
    "qwk", "pearson", "accuracy", "macro_f1", "mae", "smd", "auroc",
];

/// The figures of a report, run by run, and its gates.
pub fn grade(report: &GradeReport) -> anyhow::Result<()> {
    let mut text = String::new();
    let models = report.grader.models.join(", ");
    writeln!(
        text,
        "{models} at {}, {} bands",
        report.grader.provider, report.bands
    )?;
    for run in &report.runs {
        run_lines(&mut text, run)?;
    }
    say_beside!("{}", text.trim_end());
    Ok(())
}

fn run_lines(text: &mut String, run: &RunReport) -> std::fmt::Result {
    let (n, questions, anchors) = (run.n, run.questions, run.anchors);
    writeln!(
        text,
        "{anchors} anchors: {n} answers to {questions} questions"
    )?;
    for name in FIRST {
        if let Some(figure) = run.figures.get(name) {
            writeln!(text, "  {name:<10} {}", shown(*figure))?;
        }
    }
    for gate in &run.gates {
        writeln!(text, "  {}: {}", gate.verdict.as_str(), gate.demands)?;
    }
    for caveat in &run.caveats {
        writeln!(text, "  note: {caveat}")?;
    }
    Ok(())
}

/// A figure with its interval.
fn shown(figure: Measured) -> String {
    let Some(value) = figure.value else {
        return "-".to_owned();
    };
    match figure.low.zip(figure.high) {
        Some((low, high)) => format!("{value:.3} [{low:.3}, {high:.3}]"),
        None => format!("{value:.3}"),
    }
}

/// What each promise came to with each number of tests.
pub fn release(report: &ReleaseReport) -> anyhow::Result<()> {
    let mut text = String::new();
    let models = report.grader.models.join(", ");
    writeln!(
        text,
        "{models} at {}, {} examples: {} tasks, {} answers, {} may be released, disagreement {}; classes of {}, {} redraws",
        report.grader.provider,
        report.examples,
        report.tasks,
        report.answers,
        percent(report.releasable),
        percent(report.disagreement),
        report.class,
        report.redraws
    )?;
    for row in &report.rows {
        release_row(&mut text, row)?;
    }
    say_beside!("{}", text.trim_end());
    Ok(())
}

fn release_row(text: &mut String, row: &ReleaseRow) -> std::fmt::Result {
    let tried = if row.as_offered {
        format!("offered for {} of the tasks", percent(Some(row.tried)))
    } else {
        "tried everywhere".to_owned()
    };
    let drawn = row
        .drawn
        .map_or_else(|| "-".to_owned(), |drawn| format!("{drawn:.0}"));
    writeln!(
        text,
        "  at most {} of 100, {} tests ({drawn} drawn), {tried}: certified {}, released {}, of it disagreed {}; broken at hand {}, of later ones {}",
        row.max_disagreement,
        row.tests,
        share(row.certified),
        share(row.released),
        percent(row.disagreement),
        share(row.broken_at_hand),
        share(row.broken_of_later)
    )
}

/// A share with its standard error.
fn share(share: Option<Share>) -> String {
    let error = share.and_then(|share| share.standard_error);
    let error = error.map_or_else(String::new, |error| format!(" ± {:.2}", error * 100.0));
    format!("{}{error}", percent(share.map(|share| share.value)))
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.2} %", share * 100.0))
}

/// The cases that did not pass, and how many did.
pub fn injections(report: &InjectionReport) -> anyhow::Result<()> {
    let mut text = String::new();
    for result in report.results.iter().filter(|result| !result.passed) {
        let mut broken: Vec<&str> = Vec::new();
        for one in result.runs.iter().flat_map(|run| &run.broken) {
            if !broken.contains(&one.as_str()) {
                broken.push(one);
            }
        }
        writeln!(
            text,
            "{} ({}): {}",
            result.id,
            result.technique,
            broken.join("; ")
        )?;
    }
    writeln!(text, "{} of {} cases passed", report.passed, report.cases)?;
    say_beside!("{}", text.trim_end());
    Ok(())
}

/// Trick by trick what passes and what of it nobody would look at, and how often honest answers are flagged.
pub fn tricks(report: &TrickReport) -> anyhow::Result<()> {
    let mut text = String::new();
    for one in &report.tricks {
        writeln!(
            text,
            "{:<20} {:>6} texts, passed {:.3}, unflagged {:.3}",
            one.trick.as_str(),
            one.texts,
            one.passed,
            one.unflagged
        )?;
    }
    let honest = &report.honest;
    writeln!(
        text,
        "{} honest answers, flagged {:.3}",
        honest.answers, honest.flagged
    )?;
    say_beside!("{}", text.trim_end());
    Ok(())
}

/// Figures side by side.
pub fn comparison(comparison: &Comparison) -> anyhow::Result<()> {
    let mut text = String::new();
    for run in &comparison.runs {
        let (a, b, shared) = (run.anchors_a, run.anchors_b, run.shared);
        writeln!(text, "{a} and {b} anchors, {shared} answers in both")?;
        for name in FIRST {
            let Some(figure) = run.figures.get(name) else {
                continue;
            };
            let (a, b) = (shown(figure.a), shown(figure.b));
            let by = shown(figure.difference);
            writeln!(text, "  {name:<10} {a:<24} {b:<24} by {by}")?;
        }
    }
    for caveat in &comparison.caveats {
        writeln!(text, "note: {caveat}")?;
    }
    say_beside!("{}", text.trim_end());
    Ok(())
}
