//! The table for a terminal.

use super::{Line, Report, goal_text, met_text, short};

const HEAD: [&str; 14] = [
    "work",
    "figure",
    "median",
    "min–max",
    "goal",
    "met",
    "req/s",
    "p50 ms",
    "p99 ms",
    "CPU µs/req",
    "RSS MB",
    "limit/s",
    "limit CPU µs",
    "CPU ×",
];
/// Columns of words; the others hold figures and are set to the right.
const WORDS: usize = 2;

/// The whole report.
pub fn render(report: &Report) -> String {
    let mut rows: Vec<Vec<String>> = vec![HEAD.map(str::to_owned).into()];
    rows.extend(report.lines.iter().map(cells));
    let mut text = format!("{}\n{}\n{}\n\n", report.machine, report.server, report.run);
    for row in &rows {
        text.push_str(&line(row, &widths(&rows)));
    }
    for failure in &report.failures {
        text.push_str("\nnot measured: ");
        text.push_str(failure);
    }
    text.push('\n');
    text
}

fn cells(line: &Line) -> Vec<String> {
    let told = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), short);
    let side = line.server;
    let spread = match (line.samples.min(), line.samples.max()) {
        (Some(min), Some(max)) => format!("{}–{}", short(min), short(max)),
        _ => "–".to_owned(),
    };
    vec![
        line.work.clone(),
        line.figure.clone(),
        line.samples.median().map_or_else(
            || "–".to_owned(),
            |median| format!("{} {}", short(median), line.unit),
        ),
        spread,
        goal_text(line),
        met_text(line).to_owned(),
        told(side.map(|side| side.rate)),
        told(side.map(|side| side.p50)),
        told(side.map(|side| side.p99)),
        told(side.map(|side| side.cpu)),
        told(side.map(|side| side.rss)),
        told(line.limit_rate),
        told(line.limit_cpu),
        told(line.cpu_ratio),
    ]
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
    };
    (0..HEAD.len())
        .map(|column| width(column).unwrap_or_default())
        .collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(at, (cell, &width))| {
            if at < WORDS {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
    let line: Vec<String> = cells.collect();
    format!("{}\n", line.join("  ").trim_end())
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn every_line_has_its_figures_below_their_heads() {
        let text = render(&report());
        let lines: Vec<&str> = text.lines().collect();
        let at = |line: &str, what: &str| {
            let (before, _) = line.split_once(what).unwrap();
            before.chars().count() + what.chars().count()
        };
        assert_eq!(at(lines[4], "median"), at(lines[5], "0.40 ×"));
        assert!(
            lines[5].contains("0.30–0.50")
                && lines[5].contains("≥ 0.40 ×")
                && lines[5].contains("yes")
        );
        assert!(lines[4].ends_with("CPU ×") && lines[5].ends_with("3.00"));
        assert_eq!(at(lines[4], "CPU ×"), lines[5].chars().count());
        assert!(lines[6].contains("NO"), "{text}");
        assert!(text.contains("not measured: row & column"));
    }
}
