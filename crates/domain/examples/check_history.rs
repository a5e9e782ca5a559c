//! Seals a history of grades and checks it; then somebody changes points behind its back, and the check says where.
//!
//! `cargo run -p lyceum-domain --example check_history`

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use lyceum_domain::Timestamp;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{Grade, GradeStatus, Grader};
use lyceum_domain::grading::receipts::{ChainHead, Kept, Verification, verify};
use lyceum_domain::points::Points;

const TEXT: &str = "Wash your hands before you cook.";

/// Every record with what is kept beside it.
type Records = Vec<(Grade, Kept)>;

fn main() -> Result<(), Box<dyn Error>> {
    io::stdout().write_all(checked()?.as_bytes())?;
    Ok(())
}

/// What a check says of a history as it was sealed, and after each of three things that must not happen to one.
fn checked() -> Result<String, Box<dyn Error>> {
    let (sealed, head) = history(&[70, 85, 80])?;
    let mut improved = sealed.clone();
    if let Some((grade, _)) = improved.get_mut(1) {
        grade.score = Points::HUNDRED;
    }
    let (gap, cut) = (without(&sealed, 1), without(&sealed, 2));

    let mut report = String::new();
    for (what, records) in [
        ("as sealed", &sealed),
        ("points improved", &improved),
        ("a record taken out", &gap),
        ("the newest cut off", &cut),
    ] {
        writeln!(report, "{what}: {}", told(&verify(TEXT, &head, records)))?;
    }
    let other = verify("Wash your feet.", &head, &sealed);
    writeln!(report, "another text: {}", told(&other))?;
    Ok(report)
}

fn without(records: &Records, index: usize) -> Records {
    let mut records = records.clone();
    records.remove(index);
    records
}

fn told(verification: &Verification) -> String {
    match verification.first_broken {
        None => format!("{} records hold", verification.records),
        Some(broken) => {
            let place = broken.sequence.unwrap_or_default();
            format!("record {place} does not hold: {}", broken.reason)
        }
    }
}

/// One sealed record for each score, and the head that the submission keeps beside them.
fn history(scores: &[u16]) -> Result<(Records, ChainHead), Box<dyn Error>> {
    let mut head = ChainHead::default();
    let mut records = Records::new();
    for (number, score) in (1..).zip(scores) {
        let rubric = Rubric::overall();
        let kept = Kept {
            rubric: Some(rubric.canonical()),
            ..Kept::default()
        };
        let grade = grade(number, *score, &rubric)?.sealed(&head, TEXT, &kept);
        let receipt = grade
            .receipt
            .clone()
            .ok_or("a sealed grade has a receipt")?;
        head = ChainHead {
            sequence: receipt.sequence,
            hash: receipt.hash,
        };
        records.push((grade, kept));
    }
    Ok((records, head))
}

/// A grade that a teacher gave.
fn grade(number: u8, score: u16, rubric: &Rubric) -> Result<Grade, Box<dyn Error>> {
    Ok(Grade {
        workspace_id: "wsp_00000000000000000000000001".parse()?,
        id: format!("grd_{number:0>26}").parse()?,
        submission_id: "sub_00000000000000000000000002".parse()?,
        run: 0,
        status: GradeStatus::Final,
        score: Points::whole(score),
        max_score: Points::HUNDRED,
        rubric_hash: rubric.hash(),
        criteria: Vec::new(),
        feedback: String::new(),
        review_reasons: Vec::new(),
        grader: Grader::Human {
            user_id: "usr_00000000000000000000000003".parse()?,
            blind: false,
        },
        reason: None,
        created_at: Timestamp::parse("2026-11-22T12:00:00Z")?,
        receipt: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_happens_to_a_history_shows() {
        assert_eq!(
            checked().unwrap(),
            "as sealed: 3 records hold\n\
             points improved: record 2 does not hold: record_changed\n\
             a record taken out: record 2 does not hold: record_missing\n\
             the newest cut off: record 3 does not hold: record_missing\n\
             another text: record 1 does not hold: text_changed\n"
        );
    }
}
