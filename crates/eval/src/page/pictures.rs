//! What is drawn of a run.

use std::collections::BTreeMap;

use super::plot::{Bar, Plot, Series};
use super::{escaped, number};
use crate::metrics::Scale;
use crate::numbers::count;
use crate::report::{Reliance, RunReport};

/// Scores are drawn on a grid of this many bands: thousands of single dots would only be a blot.
const GRID: Scale = Scale {
    bands: 21,
    pass: 0.0,
};

/// Scores of person and grader, and which band met which.
pub fn of_scores(run: &RunReport) -> String {
    [
        "<div class=\"pictures\">".to_owned(),
        figure(
            &scatter(run),
            "Each dot: answers with these scores; on the line, both agree.",
        ),
        figure(
            &score_bands(run),
            "Mean scores of weak, middling and strong answers: solid the person's, dashed the \
             grader's.",
        ),
        "</div>".to_owned(),
        figure(
            &confusion(run),
            "Each cell: answers to which the person (row) and the grader (column) gave these \
             bands.",
        ),
    ]
    .concat()
}

/// How far its confidence can be relied on.
pub fn of_confidence(run: &RunReport) -> String {
    if run.confidence.n == 0 {
        return "<p>The grader does not say how sure it is.</p>".to_owned();
    }
    [
        "<div class=\"pictures\">".to_owned(),
        figure(
            &calibration(run),
            "How often it is right when it is so sure. Round: same side of the pass mark. Square: same band.",
        ),
        figure(
            &coverage(run),
            "How often it is right on the share of answers it is surest of. Round: same side of the pass mark. \
             Square: same band.",
        ),
        "</div>".to_owned(),
    ]
    .concat()
}

fn figure(picture: &str, caption: &str) -> String {
    format!("<figure>{picture}<figcaption>{caption}</figcaption></figure>")
}

fn scatter(run: &RunReport) -> String {
    let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for row in &run.answers {
        if let Some(machine) = row.machine {
            *places
                .entry((GRID.band(row.human), GRID.band(machine)))
                .or_default() += 1;
        }
    }
    let most = places.values().copied().max().unwrap_or(1);
    let described = format!(
        "{} answers; correlation {}",
        run.n,
        run.figures
            .get("pearson")
            .and_then(|figure| figure.value)
            .map_or_else(|| "unknown".to_owned(), number)
    );
    let mut plot = Plot::new("Scores", &described, "person's score", "grader's score").diagonal();
    for ((human, machine), n) in places {
        let at = (count(human) / 20.0, count(machine) / 20.0);
        let words = format!("person {:.2}, grader {:.2}: {n} answers", at.0, at.1);
        plot.dot(at, count(n) / count(most), &words);
    }
    plot.finished()
}

/// A table, so that everybody can read it; the shade of a cell is its share of the row.
fn confusion(run: &RunReport) -> String {
    let steps = count(run.confusion.len().saturating_sub(1).max(1));
    let name = |band: usize| format!("{:.2}", count(band) / steps);
    let heads: Vec<String> = (0..run.confusion.len())
        .map(|band| format!("<th scope=\"col\">{}</th>", name(band)))
        .collect();
    let heads = heads.concat();
    let rows: Vec<String> = run
        .confusion
        .iter()
        .enumerate()
        .map(|(band, row)| {
            let total = count(row.iter().sum::<usize>().max(1));
            let cells: Vec<String> = row
                .iter()
                .map(|n| {
                    let shade = 50.0 * count(*n) / total;
                    format!("<td style=\"--shade:{shade:.0}%\">{n}</td>")
                })
                .collect();
            let cells = cells.concat();
            format!("<tr><th scope=\"row\">{}</th>{cells}</tr>", name(band))
        })
        .collect();
    let rows = rows.concat();
    format!(
        "<div class=\"wide\"><table class=\"confusion\"><caption>Bands: person's down, grader's across</caption>\
         <thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn score_bands(run: &RunReport) -> String {
    let words = |name: &str, who: &str, mean: f64| format!("{name}, {who}: {}", number(mean));
    let described: Vec<String> = run
        .score_bands
        .iter()
        .filter_map(|band| Some(words(&band.name, "grader's mean", band.machine_mean?)))
        .collect();
    let mut plot = Plot::bars(
        "Weak, middling and strong answers",
        &described.join("; "),
        "mean score",
    );
    for (band, place) in run.score_bands.iter().zip([1.0, 3.0, 5.0]) {
        plot.name(
            place / 6.0,
            &format!("{} ({})", escaped(&band.name), band.n),
        );
        for (mean, series, who) in [
            (band.human_mean, Series::First, "person's mean"),
            (band.machine_mean, Series::Second, "grader's mean"),
        ] {
            let Some(mean) = mean else { continue };
            let aside = if series == Series::First {
                -0.055
            } else {
                0.055
            };
            plot.bar(&Bar {
                at: place / 6.0 + aside,
                width: 0.1,
                value: mean,
                series,
                words: &words(&band.name, who, mean),
            });
        }
    }
    plot.finished()
}

fn calibration(run: &RunReport) -> String {
    let points = |reliance: &Reliance| -> Vec<(f64, f64)> {
        reliance
            .bins
            .iter()
            .map(|bin| (bin.confidence, bin.right))
            .collect()
    };
    let error = |reliance: &Reliance| reliance.ece.map_or_else(|| "unknown".to_owned(), number);
    let (pass, band) = (&run.confidence.pass, &run.confidence.band);
    let described = format!(
        "calibration error {} (pass), {} (band)",
        error(pass),
        error(band)
    );
    let mut plot = Plot::new(
        "Calibration",
        &described,
        "confidence",
        "share that is right",
    )
    .diagonal();
    plot.line(&points(pass), Series::First);
    plot.line(&points(band), Series::Second);
    plot.finished()
}

fn coverage(run: &RunReport) -> String {
    let points = |reliance: &Reliance| -> Vec<(f64, f64)> {
        reliance
            .coverage
            .iter()
            .map(|point| (point.share, point.right))
            .collect()
    };
    let pass = points(&run.confidence.pass);
    let half = pass
        .iter()
        .find(|(share, _)| *share >= 0.5)
        .map_or_else(String::new, |(share, right)| {
            format!("on the surest {share:.2} of the answers, {right:.2} are right")
        });
    let mut plot = Plot::new(
        "Coverage",
        &half,
        "share of answers, surest first",
        "share that is right",
    );
    plot.line(&pass, Series::First);
    plot.line(&points(&run.confidence.band), Series::Second);
    plot.finished()
}
