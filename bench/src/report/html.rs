//! One page with everything in it: the table, a bar for every figure that has a goal, and how latency grows.

use std::fmt::Write;

use super::{Goal, Growth, Line, Report, goal_text, met_text, short};
use crate::figures::number;

const STYLE: &str = include_str!("page.css");
/// Pixels of a bar's plot, and where its goal stands on it: half-way, so that every bar has the same measure.
const PLOT: f64 = 360.0;
const GOAL: f64 = 0.5;
/// Pixels of a plot of growth.
const GROWTH_WIDTH: f64 = 300.0;
const GROWTH_HEIGHT: f64 = 130.0;

/// The whole page.
pub fn render(report: &Report) -> String {
    let rows = joined(&report.lines, row);
    let plots = joined(&report.growth, growth);
    let failures = joined(&report.failures, |failure| {
        format!("<p class=\"no\">Not measured: {}</p>", escape(failure))
    });
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Lyceum against its machine</title><style>{STYLE}</style>\
         <main><h1>Lyceum against its machine</h1><p>{}<br>{}<br>{}</p>{failures}\
         <div class=\"wide\"><table><thead><tr><th>Work<th>Figure<th>Median<th>Goal<th>Met\
         <th>Bar: median. Whisker: min–max. Line: goal, in the middle; what is beyond twice of it is cut off\
         <th>req/s<th>p50 ms<th>p99 ms<th>CPU µs<th>RSS MB<th>Limit/s<th>Limit CPU µs<th>CPU ×</thead><tbody>{rows}</tbody></table></div>\
         <h2>Latency with what is stored</h2><p>Light: half of the answers. Dark: 99 of 100.</p>\
         <div class=\"plots\">{plots}</div></main></html>",
        escape(&report.machine),
        escape(&report.server),
        escape(&report.run),
    )
}

fn row(line: &Line) -> String {
    let told = |figure: Option<f64>| figure.map_or_else(|| "–".to_owned(), short);
    let side = line.server;
    let class = match line.met() {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    };
    let median = line.samples.median().map_or_else(
        || "–".to_owned(),
        |median| format!("{} {}", short(median), line.unit),
    );
    let figures = [
        side.map(|side| side.rate),
        side.map(|side| side.p50),
        side.map(|side| side.p99),
        side.map(|side| side.cpu),
        side.map(|side| side.rss),
        line.limit_rate,
        line.limit_cpu,
        line.cpu_ratio,
    ];
    let figures = joined(&figures, |figure| {
        format!("<td class=\"figure\">{}", told(*figure))
    });
    format!(
        "<tr><th scope=\"row\">{}<td>{}<td class=\"figure\">{median}<td class=\"figure\">{}<td class=\"{class}\">{}<td>{}{figures}</tr>",
        escape(&line.work),
        escape(&line.figure),
        goal_text(line),
        met_text(line),
        bar(line),
    )
}

/// The median as a bar, the spread as a whisker, the goal as a line across.
fn bar(line: &Line) -> String {
    let (Goal::AtLeast(goal) | Goal::AtMost(goal)) = line.goal else {
        return String::new();
    };
    let (Some(median), Some(min), Some(max)) = (
        line.samples.median(),
        line.samples.min(),
        line.samples.max(),
    ) else {
        return String::new();
    };
    let place = |figure: f64| (figure / goal * GOAL * PLOT).clamp(0.0, PLOT);
    let class = if line.met() == Some(true) {
        "good"
    } else {
        "bad"
    };
    let (end, from, to, goal) = (place(median), place(min), place(max), place(goal));
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 {PLOT} 20\" role=\"img\" aria-label=\"{} of {}\">\
         <rect class=\"{class}\" x=\"0\" y=\"4\" width=\"{end:.1}\" height=\"12\" rx=\"2\"/>\
         <path class=\"whisker\" d=\"M{from:.1} 10H{to:.1}M{from:.1} 6V14M{to:.1} 6V14\"/>\
         <path class=\"goal\" d=\"M{goal:.1} 0V20\"/></svg>",
        short(median),
        goal_text(line),
    )
}

/// Two lines over what is stored: half of the answers, and 99 of 100.
fn growth(growth: &Growth) -> String {
    let most = growth
        .points
        .iter()
        .map(|(_, _, p99)| *p99)
        .fold(f64::MIN_POSITIVE, f64::max);
    let height = |figure: f64| GROWTH_HEIGHT - figure / most * (GROWTH_HEIGHT - 20.0);
    let step = GROWTH_WIDTH / (number(growth.points.len()) + 0.5);
    let mut shapes = String::new();
    let mut lines = [Vec::new(), Vec::new()];
    for (at, (stored, p50, p99)) in growth.points.iter().enumerate() {
        let x = step * (number(at) + 0.75);
        for ((figure, class), line) in [(*p50, "p50"), (*p99, "p99")].into_iter().zip(&mut lines) {
            let y = height(figure);
            line.push(format!("{x:.1} {y:.1}"));
            // Writing to a String cannot fail.
            let _ = write!(
                shapes,
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y - 7.0,
                short(figure)
            );
        }
        let _ = write!(
            shapes,
            "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            GROWTH_HEIGHT + 18.0,
            escape(stored)
        );
    }
    let [p50, p99] = lines.map(|line| line.join("L"));
    let paths = format!("<path class=\"p50\" d=\"M{p50}\"/><path class=\"p99\" d=\"M{p99}\"/>");
    format!(
        "<figure><figcaption>{}, ms</figcaption><svg viewBox=\"0 0 {GROWTH_WIDTH} {}\" role=\"img\">\
         <path class=\"axis\" d=\"M0 {GROWTH_HEIGHT}H{GROWTH_WIDTH}\"/>{paths}{shapes}</svg></figure>",
        escape(&growth.work),
        GROWTH_HEIGHT + 26.0,
    )
}

fn joined<T>(things: &[T], shown: impl Fn(&T) -> String) -> String {
    things.iter().map(shown).collect::<Vec<_>>().concat()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn bars_share_one_measure_and_nothing_leaves_the_plot() {
        let report = report();
        let met = bar(&report.lines[0]);
        assert!(
            met.contains("class=\"good\"") && met.contains("width=\"180.0\""),
            "{met}"
        );
        let missed = bar(&report.lines[1]);
        assert!(
            missed.contains("class=\"bad\"") && missed.contains("width=\"288.0\""),
            "{missed}"
        );
        let far = Line::new("x", "x", "x", "ms")
            .measured([1_000.0])
            .at_most(1.0);
        assert!(bar(&far).contains("width=\"360.0\""));
        assert_eq!(bar(&Line::new("x", "x", "x", "ms").measured([1.0])), "");
    }

    #[test]
    fn the_page_needs_nothing_else_and_holds_texts_as_texts() {
        let page = render(&report());
        assert!(page.contains("GET &lt;one&gt;") && page.contains("row &amp; column"));
        assert!(
            !page.contains("http://") && !page.contains("https://") && !page.contains("<script")
        );
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(page.contains("<th>CPU ×") && page.contains("<td class=\"figure\">3.00"));
    }
}
