//! The report as a page: one file, no scripts, nothing fetched, light and dark as the reader likes it.

use crate::asking::Stop;
use crate::gates::Verdict;
use crate::report::{Effort, GradeReport, Measured, RunReport, Validity};

mod pictures;
mod plot;

const STYLE: &str = include_str!("page/style.css");

/// What the figures are called, and what they mean, in the order of the page.
const NAMES: [(&str, &str, &str); 14] = [
    (
        "qwk",
        "QWK",
        "quadratic weighted kappa: agreement beyond chance, 1 is perfect",
    ),
    (
        "qwk_mean_over_questions",
        "QWK per question",
        "mean of the questions' own",
    ),
    ("pearson", "Pearson", "correlation of the scores"),
    (
        "pearson_mean_over_questions",
        "Pearson per question",
        "mean of the questions' own",
    ),
    ("spearman", "Spearman", "correlation of the order"),
    ("exact_agreement", "Same band", "share of answers"),
    (
        "adjacent_agreement",
        "Same or next band",
        "share of answers",
    ),
    ("accuracy", "Same side of the pass mark", "share of answers"),
    (
        "macro_f1",
        "Macro-F1 at the pass mark",
        "mean F1 of passing and failing",
    ),
    ("mae", "Mean distance", "of the maximum; less is better"),
    (
        "rmse",
        "Root mean square distance",
        "of the maximum; less is better",
    ),
    (
        "smd",
        "Mean difference (SMD)",
        "in standard deviations; above 0 is generous",
    ),
    (
        "ece",
        "Calibration error (ECE)",
        "of its confidence; less is better",
    ),
    (
        "auroc",
        "Confidence tells right from wrong (AUROC)",
        "0.5 is chance",
    ),
];

/// The page of a report of `eval grade`.
pub fn grade_page(report: &GradeReport) -> String {
    let models = escaped(&report.grader.models.join(", "));
    let mut body = format!(
        "<header><h1>How {models} grades</h1>{}</header><main>",
        origin(report)
    );
    if let Some(stop) = &report.stopped {
        body.push_str(&stopped(stop));
    }
    body.push_str(&section("Figures", &figures(&report.runs)));
    let last = report.runs.len().saturating_sub(1);
    for (at, run) in report.runs.iter().enumerate() {
        let open = if at == last { " open" } else { "" };
        let anchors = run.anchors;
        body.push_str(&format_run(run, open, anchors));
    }
    body.push_str("</main>");
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>How {models} grades</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )
}

fn origin(report: &GradeReport) -> String {
    let (data, grader) = (&report.data, &report.grader);
    let split = data
        .split
        .as_deref()
        .map_or_else(String::new, |split| format!(", split {}", escaped(split)));
    let limit = data.limit.map_or_else(String::new, |limit| {
        format!(", {limit} drawn with seed {}", data.seed)
    });
    let bands = report.bands;
    let pass = number(report.pass_mark);
    format!(
        "<p>Answers of {}{split}{limit}; provider {}, prompt or algorithm {}. Scores are shares of the maximum, \
         compared in {bands} bands; an answer passes from {pass} on.</p><p class=\"small\">answers {} · questions {} · \
         grader {}</p>",
        escaped(&data.answers_file),
        escaped(&grader.provider),
        escaped(&grader.prompt_versions.join(", ")),
        short(&data.answers_sha256),
        short(&data.questions_sha256),
        short(&grader.fingerprint),
    )
}

fn stopped(stop: &Stop) -> String {
    let why = match stop {
        Stop::Budget(why) => format!("at the budget: {why}"),
        Stop::Unavailable(why) => format!("because nobody answered: {why}"),
        Stop::Cache(why) => format!("because answers could not be kept: {why}"),
        Stop::Interrupted => "because somebody interrupted it".to_owned(),
    };
    let why = escaped(&why);
    format!("<p class=\"notice\"><strong>Not finished.</strong> The run stopped {why}.</p>")
}

/// One column per run.
fn figures(runs: &[RunReport]) -> String {
    let heads: Vec<String> = runs
        .iter()
        .map(|run| {
            let (anchors, n, questions) = (run.anchors, run.n, run.questions);
            format!("<th scope=\"col\">{anchors} anchors<br><small>{n} answers, {questions} questions</small></th>")
        })
        .collect();
    let heads = heads.concat();
    let rows: Vec<String> = NAMES
        .iter()
        .map(|(name, title, meaning)| {
            let cells: String = runs
                .iter()
                .map(|run| cell(run.figures.get(*name)))
                .collect();
            format!("<tr><th scope=\"row\">{title}<br><small>{meaning}</small></th>{cells}</tr>")
        })
        .collect();
    let rows = rows.concat();
    format!(
        "<div class=\"wide\"><table><caption>Figures with 95 % intervals (1,000 draws by question, fixed seed)</caption>\
         <thead><tr><th scope=\"col\">Figure</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn cell(figure: Option<&Measured>) -> String {
    let Some((figure, value)) = figure.and_then(|figure| Some((figure, figure.value?))) else {
        return "<td>–</td>".to_owned();
    };
    let interval = figure
        .low
        .zip(figure.high)
        .map_or_else(String::new, |(low, high)| {
            format!("<br><small>{} to {}</small>", number(low), number(high))
        });
    format!("<td>{}{interval}</td>", number(value))
}

fn format_run(run: &RunReport, open: &str, anchors: usize) -> String {
    let caveats: Vec<String> = run
        .caveats
        .iter()
        .map(|caveat| format!("<p class=\"notice\">{}</p>", escaped(caveat)))
        .collect();
    let caveats = caveats.concat();
    let parts = [
        gates(run),
        people(run),
        pictures::of_scores(run),
        pictures::of_confidence(run),
        bands(run),
        groups(run),
        conduct(run),
    ];
    format!(
        "<details{open}><summary><h2>With {anchors} anchors</h2></summary>{caveats}{}</details>",
        parts.concat()
    )
}

fn gates(run: &RunReport) -> String {
    let rows: Vec<String> = run
        .gates
        .iter()
        .map(|gate| {
            let value = gate.value.map_or_else(|| "–".to_owned(), number);
            let class = match gate.verdict {
                Verdict::Pass => "pass",
                Verdict::Fail => "fail",
                Verdict::NotEnoughData | Verdict::NoFigure => "open",
            };
            format!(
                "<tr><th scope=\"row\">{}</th><td>{value}</td><td>{}</td><td class=\"{class}\">{}</td></tr>",
                escaped(&gate.demands),
                gate.n,
                gate.verdict.as_str()
            )
        })
        .collect();
    let rows = rows.concat();
    table(
        "Gates: what a careful house asks of its own engines",
        &["Demand", "Found", "Answers", "Verdict"],
        &rows,
    )
}

fn people(run: &RunReport) -> String {
    let Some(people) = &run.human_human else {
        return String::new();
    };
    let rows: Vec<String> = NAMES
        .iter()
        .filter(|(name, ..)| people.figures.get(*name).is_some_and(|f| f.value.is_some()))
        .map(|(name, title, _)| {
            let (between, machine) = (people.figures.get(*name), people.machine.get(*name));
            let (between, machine) = (cell(between), cell(machine));
            format!("<tr><th scope=\"row\">{title}</th>{between}{machine}</tr>")
        })
        .collect();
    let rows = rows.concat();
    let caption = format!("Two people on the same {} answers", people.n);
    table(&caption, &["Figure", "Second person", "Grader"], &rows)
}

fn bands(run: &RunReport) -> String {
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let rows: Vec<String> = run
        .score_bands
        .iter()
        .map(|band| {
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&band.name),
                band.n,
                shown(band.human_mean),
                shown(band.machine_mean),
                shown(band.mae),
                shown(band.accuracy)
            )
        })
        .collect();
    let rows = rows.concat();
    table(
        "Weak (below 0.35), middling and strong (from 0.75) answers, by the person's score",
        &[
            "Answers",
            "Number",
            "Person's mean",
            "Grader's mean",
            "Mean distance",
            "Same side",
        ],
        &rows,
    )
}

fn groups(run: &RunReport) -> String {
    if run.groups.is_empty() {
        return String::new();
    }
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let rows: Vec<String> = run
        .groups
        .iter()
        .map(|(name, group)| {
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(name),
                group.n,
                shown(group.human_mean),
                shown(group.machine_mean),
                shown(group.smd),
                shown(group.dsm)
            )
        })
        .collect();
    let rows = rows.concat();
    table(
        "Groups: differences in standard deviations; the last column is 0 for a grader equally strict to all",
        &[
            "Group",
            "Answers",
            "Person's mean",
            "Grader's mean",
            "SMD",
            "Against all",
        ],
        &rows,
    )
}

fn conduct(run: &RunReport) -> String {
    let percent = |share: Option<f64>| {
        share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
    };
    let mut rows = vec![
        (
            "Answers it wants a person to look at".to_owned(),
            percent(run.flags.any),
        ),
        (
            "Answers in which it suspects an attack".to_owned(),
            percent(run.flags.security),
        ),
        (
            format!("Passages that stand in the answer, of {}", run.quotes.named),
            percent(run.quotes.rate),
        ),
    ];
    for (reason, n) in &run.flags.by_reason {
        rows.push((format!("Reason {reason}"), n.to_string()));
    }
    for (why, n) in &run.missing {
        rows.push((format!("Without a score: {why}"), n.to_string()));
    }
    rows.extend(came(run.validity));
    rows.extend(took(&run.effort));
    let rows: Vec<String> = rows
        .iter()
        .map(|(name, value)| {
            let (name, value) = (escaped(name), escaped(value));
            format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>")
        })
        .collect();
    let rows = rows.concat();
    table("Conduct and effort", &["What", "How much"], &rows)
}

fn came(validity: Validity) -> [(String, String); 2] {
    [
        (
            "Usable at once / after a repair".to_owned(),
            format!("{} / {}", validity.first_time, validity.after_repair),
        ),
        (
            "Unusable / refused".to_owned(),
            format!("{} / {}", validity.failed, validity.refused),
        ),
    ]
}

fn took(effort: &Effort) -> Vec<(String, String)> {
    let mut rows = vec![(
        "Tokens read (of these still known) / written".to_owned(),
        format!(
            "{} ({}) / {}",
            effort.tokens_in, effort.tokens_cached, effort.tokens_out
        ),
    )];
    if let Some((all, hundred)) = effort.cost_usd.zip(effort.cost_per_100_usd) {
        rows.push((
            "US dollars / per 100 answers".to_owned(),
            format!("{all:.4} / {hundred:.4}"),
        ));
    }
    if let Some((half, most)) = effort.latency_p50_ms.zip(effort.latency_p95_ms) {
        rows.push((
            "Milliseconds: half within / 95 % within".to_owned(),
            format!("{half:.0} / {most:.0}"),
        ));
    }
    rows
}

fn section(title: &str, body: &str) -> String {
    format!("<section><h2>{}</h2>{body}</section>", escaped(title))
}

fn table(caption: &str, heads: &[&str], rows: &str) -> String {
    let heads: Vec<String> = heads
        .iter()
        .map(|head| format!("<th scope=\"col\">{}</th>", escaped(head)))
        .collect();
    let heads = heads.concat();
    format!(
        "<div class=\"wide\"><table><caption>{}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>",
        escaped(caption)
    )
}

/// Three decimals, with a true minus.
fn number(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}

fn short(hash: &str) -> String {
    hash.chars().take(12).collect()
}

/// A text that HTML takes for nothing else.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
