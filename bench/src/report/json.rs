//! The report for programs.

use anyhow::Context;
use serde_json::{Value, json};

use super::{Line, Report};

/// Everything, with what follows from it: medians, spreads, and whether goals are met.
///
/// # Errors
/// Never, unless a figure has no form in JSON.
pub fn render(report: &Report) -> anyhow::Result<String> {
    let mut document = serde_json::to_value(report).context("the report has no form in JSON")?;
    if let Some(Value::Array(lines)) = document.get_mut("lines") {
        for (shown, line) in lines.iter_mut().zip(&report.lines) {
            conclude(shown, line);
        }
    }
    Ok(serde_json::to_string_pretty(&document)?)
}

fn conclude(shown: &mut Value, line: &Line) {
    if let Value::Object(members) = shown {
        let samples = &line.samples;
        for (name, figure) in [
            ("median", samples.median()),
            ("min", samples.min()),
            ("max", samples.max()),
        ] {
            members.insert(name.to_owned(), json!(figure));
        }
        members.insert("met".to_owned(), json!(line.met()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn what_follows_from_the_figures_is_said() {
        let document: Value = serde_json::from_str(&render(&report()).unwrap()).unwrap();
        let line = &document["lines"][0];
        assert_eq!((&line["median"], &line["met"]), (&json!(0.4), &json!(true)));
        assert_eq!(line["goal"], json!({"at_least": 0.4}));
        assert_eq!(line["samples"], json!([0.5, 0.3, 0.4]));
        assert_eq!(
            (&line["limit_cpu"], &line["cpu_ratio"]),
            (&json!(15.0), &json!(3.0))
        );
        assert_eq!(document["failures"][0], "row & column");
    }
}
