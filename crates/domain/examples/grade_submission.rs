//! Grades a submission: a rubric, a text and what a grader says in, points with evidence out.
//!
//! `cargo run -p lyceum-domain --example grade_submission [FOLDER]`, where the folder holds `rubric.json`,
//! `submission.txt` and `proposal.json`. Where the grader's words come from, a model or a person, is not the
//! domain's business: it holds them against the text and does the sums.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use lyceum_domain::authoring::assignments::HumanReview;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{
    CriterionProposal, CriterionResult, GradeProposal, LandingFacts, judge, route,
};
use lyceum_domain::points::Points;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).map_or_else(own_folder, PathBuf::from);
    io::stdout().write_all(graded(&folder)?.as_bytes())?;
    Ok(())
}

fn own_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/grading")
}

/// The grade of what lies in the folder, as a report.
fn graded(folder: &Path) -> Result<String, Box<dyn Error>> {
    let rubric: Value = serde_json::from_str(&fs::read_to_string(folder.join("rubric.json"))?)?;
    let rubric = rubric.as_object().ok_or("a rubric is an object")?;
    let rubric = Rubric::parse("rubric", rubric)?;
    let proposal = fs::read_to_string(folder.join("proposal.json"))?;
    let proposal = proposal_from(&serde_json::from_str(&proposal)?)?;
    let text = fs::read_to_string(folder.join("submission.txt"))?;

    let judged = judge(&rubric, &text, &proposal, Points::HUNDRED);
    let facts = LandingFacts::settled(HumanReview::Optional);
    let route = route(&judged, Points::HUNDRED, facts, 1);

    let mut report = String::new();
    for result in &judged.criteria {
        line_of(&mut report, result)?;
    }
    writeln!(report, "Score: {} of {}", judged.score, Points::HUNDRED)?;
    if route.held {
        let reasons = route.reasons.join(", ");
        writeln!(report, "A person should look first: {reasons}")?;
    } else {
        writeln!(report, "Released")?;
    }
    Ok(report)
}

fn line_of(report: &mut String, result: &CriterionResult) -> std::fmt::Result {
    let (name, score, max) = (&result.name, result.score, result.max_score);
    write!(report, "{name}: {score} of {max}")?;
    for passage in &result.evidence {
        write!(
            report,
            ", {}..{} “{}”",
            passage.start, passage.end, passage.quote
        )?;
    }
    writeln!(report)
}

fn proposal_from(value: &Value) -> Result<GradeProposal, Box<dyn Error>> {
    let criteria = value["criteria"].as_array().ok_or("criteria are a list")?;
    Ok(GradeProposal {
        criteria: criteria
            .iter()
            .map(criterion_from)
            .collect::<Result<_, _>>()?,
        feedback: value["feedback"].as_str().unwrap_or_default().to_owned(),
        flags: Vec::new(),
    })
}

fn criterion_from(value: &Value) -> Result<CriterionProposal, Box<dyn Error>> {
    let quotes = value["quotes"].as_array().into_iter().flatten();
    let quotes = quotes.filter_map(Value::as_str);
    Ok(CriterionProposal {
        criterion_id: value["id"]
            .as_str()
            .ok_or("a criterion has an id")?
            .to_owned(),
        level_id: value["level"].as_str().map(str::to_owned),
        points: Points::from_json(&value["points"])?,
        rationale: String::new(),
        // The first passage that reads so, wherever a text repeats itself.
        quotes: quotes.map(|quote| (quote.to_owned(), 1)).collect(),
        confidence: value["confidence"]
            .as_u64()
            .and_then(|said| said.try_into().ok()),
        missing: Vec::new(),
        not_judged: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_written_is_no_evidence_and_a_person_looks() {
        let report = graded(&own_folder()).unwrap();
        assert_eq!(
            report,
            "Accuracy: 7.5 of 10, 0..19 “Keep raw meat below”\n\
             Gives reasons: 2 of 4, 33..52 “because juices drip”\n\
             Score: 68.75 of 100\n\
             A person should look first: evidence_not_found\n"
        );
    }
}
