//! Grading, and looking whether what it claims is true.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use lyceum_client::Client;
use lyceum_wire::grading::grades::GradeView;
use lyceum_wire::grading::submissions::{GradeWithAi, SubmissionView};

use super::checks::same;
use super::input::{Answer, Input};
use super::progress::{Done, Teller};

/// Long enough for a language model to read all answers.
pub const GRADING: Duration = Duration::from_mins(15);

/// An answer, what became of it, and its grade.
pub struct Graded {
    pub answer: Answer,
    pub submission: SubmissionView,
    pub grade: GradeView,
}

/// How many quotations were looked up.
pub struct Quotes {
    pub checked: usize,
}

/// Asks for every grade, then waits for all of them.
pub async fn grade(
    client: &Client,
    teller: &Teller,
    input: &Input,
    handed_in: &[SubmissionView],
) -> anyhow::Result<Done<Vec<Graded>>> {
    for submission in handed_in {
        let asked = client
            .submissions()
            .grade_with_ai(&submission.id, &GradeWithAi::default())
            .await?;
        same(
            "ai_status of the reply",
            &asked.ai_status.as_deref(),
            &Some("pending"),
        )?;
    }
    let bar = teller.bar("grading", handed_in.len());
    let end = tokio::time::Instant::now() + GRADING;
    let mut graded = Vec::new();
    for (answer, submission) in input.answers.iter().zip(handed_in) {
        let left = end.saturating_duration_since(tokio::time::Instant::now());
        let landed = wait(client, &submission.id, left).await;
        graded.push(landed.with_context(|| answer.email.clone())?.of(answer));
        bar.add(1);
    }
    drop(bar);
    let result = summary(&graded);
    Ok(Done::new(graded, "", result))
}

/// A submission with its grade.
struct Landed(SubmissionView, GradeView);

impl Landed {
    fn of(self, answer: &Answer) -> Graded {
        let Self(submission, grade) = self;
        Graded {
            answer: answer.clone(),
            submission,
            grade,
        }
    }
}

async fn wait(client: &Client, id: &str, deadline: Duration) -> anyhow::Result<Landed> {
    let submission = client.submissions().wait(id).within(deadline).await?;
    if let Some(problem) = &submission.ai_error {
        bail!("grading failed: {} ({})", problem.message, problem.code);
    }
    same(
        "ai_status",
        &submission.ai_status.as_deref(),
        &Some("ready"),
    )?;
    let history = client
        .submissions()
        .grades(id)
        .collect()
        .await
        .context("its grade history")?;
    let [grade] = history.as_slice() else {
        bail!("one grade should be on record and {} are", history.len());
    };
    same("who graded", grade.source.as_str(), "ai")?;
    same(
        "the graded submission",
        &grade.submission_id,
        &submission.id,
    )?;
    same(
        "the score on record",
        &Some(grade.score),
        &submission.ai_score,
    )?;
    Ok(Landed(submission, grade.clone()))
}

fn summary(graded: &[Graded]) -> String {
    let scores: Vec<f64> = graded
        .iter()
        .map(|one| one.grade.score.0.to_number())
        .collect();
    let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let model = graded
        .first()
        .and_then(|one| one.grade.grader.model.clone())
        .unwrap_or_default();
    format!("{} graded by {model}, scores {low} to {high}", graded.len())
}

/// Every quotation stands in the answer that was handed in, word for word and where it is said to stand.
pub fn check_evidence(graded: &[Graded]) -> anyhow::Result<Done<Quotes>> {
    let mut checked = 0;
    for one in graded {
        let stored = one
            .submission
            .content
            .0
            .get("text")
            .and_then(serde_json::Value::as_str);
        same("the stored text", &stored, &Some(one.answer.text.as_str()))?;
        let characters: Vec<char> = one.answer.text.chars().collect();
        for evidence in one
            .grade
            .criteria
            .iter()
            .flat_map(|criterion| &criterion.evidence)
        {
            let there: Option<String> = characters
                .get(evidence.start..evidence.end)
                .map(|span| span.iter().collect());
            same(
                "a quotation",
                &there.as_deref(),
                &Some(evidence.quote.as_str()),
            )
            .with_context(|| format!("{} of {}", one.submission.id, one.answer.name))?;
            ensure!(
                !evidence.quote.trim().is_empty(),
                "an empty quotation in {}",
                one.submission.id
            );
            checked += 1;
        }
    }
    ensure!(checked > 0, "no grade quotes anything");
    let result = format!("{checked} quotations stand word for word where they should");
    Ok(Done::new(Quotes { checked }, "", result))
}

/// What the outside should be told: the score of every submission, by its id.
pub fn announcements(graded: &[Graded]) -> BTreeMap<String, serde_json::Value> {
    let announced = |one: &Graded| {
        let score = one.submission.score.map(|score| score.0.to_json());
        (one.submission.id.clone(), score.unwrap_or_default())
    };
    graded.iter().map(announced).collect()
}
