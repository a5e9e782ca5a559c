//! The grades as a table for spreadsheets.

use super::outcome::Outcome;
use super::words::{Criterion, criteria, result_of};

/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Writes one row per student.
pub fn table(outcome: &Outcome) -> anyhow::Result<Vec<u8>> {
    let criteria = criteria(&outcome.assignment);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(head(&criteria).iter().map(|cell| harmless(cell)))?;
    for one in &outcome.graded {
        let mut row = vec![
            one.answer.name.clone(),
            one.answer.email.clone(),
            one.answer.teacher_level.clone(),
            one.submission.status.clone(),
            one.grade.score.0.to_string(),
            one.grade.max_score.0.to_string(),
        ];
        for criterion in &criteria {
            let result = result_of(&one.grade, criterion);
            row.push(result.map_or_else(String::new, |result| result.score.0.to_string()));
            row.push(result.map_or_else(String::new, |result| criterion.label(result).to_owned()));
        }
        row.push(one.submission.review_reasons.join("; "));
        row.push(one.grade.grader.model.clone().unwrap_or_default());
        writer.write_record(row.iter().map(|cell| harmless(cell)))?;
    }
    Ok(writer.into_inner()?)
}

fn head(criteria: &[Criterion]) -> Vec<String> {
    let words = [
        "student",
        "email",
        "teacher_level",
        "status",
        "score",
        "max_score",
    ];
    let mut head: Vec<String> = words.map(str::to_owned).to_vec();
    for criterion in criteria {
        head.push(criterion.name.clone());
        head.push(format!("{} (level)", criterion.name));
    }
    head.extend(["review_reasons", "model"].map(str::to_owned));
    head
}

/// A cell that no spreadsheet runs: what looks like a formula gets an apostrophe in front.
fn harmless(cell: &str) -> String {
    if cell.starts_with(FORMULA) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"] {
            assert_eq!(harmless(formula), format!("'{formula}"));
        }
        for text in ["", "Amara", "7", "a=b"] {
            assert_eq!(harmless(text), text);
        }
    }
}
