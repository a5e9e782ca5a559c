//! How AI's grades earn to go out unseen, on answers that students gave and people judged: some are examples, some are drawn by lot
//! and graded blind, and the rest goes out where that proves enough. The built-in grader does it, whatever engine the demo has: a
//! language model would be paid for each of the answers.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use lyceum_client::{Client, wait_until};
use lyceum_domain::points::Points;
use lyceum_wire::authoring::assignments::CreateAssignment;
use lyceum_wire::grading::batches::BatchView;
use lyceum_wire::grading::certificates::{CertificateView, CertifiedView, TryForCertificate};
use lyceum_wire::grading::red_team::RedTeamView;
use lyceum_wire::grading::submissions::{
    ContentInput, ContentType, CreateSubmission, CriterionGrade, GradeSubmission,
};
use lyceum_wire::points::PointsNumber;
use serde::Deserialize;

use super::checks::same;
use super::progress::{Done, Teller};

const ASSIGNMENT: &str = include_str!("../data/beetle/assignment.json");
const ANSWERS: &str = include_str!("../data/beetle/answers.csv");
/// The one criterion of the assignment.
const CRITERION: &str = "right";
/// How many answers the teacher wants to grade blind.
const TESTS: i64 = 20;
/// Long enough for the built-in grader on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// An answer of the data.
#[derive(Debug, Clone, Deserialize)]
struct JudgedAnswer {
    /// Whether the teacher grades it beforehand.
    is_example: bool,
    /// What people said of it.
    is_right: bool,
    /// What the student wrote.
    answer: String,
}

/// An assignment whose grades may earn a certificate, and what its teacher would say of each submission.
pub struct Trial {
    assignment: String,
    verdicts: BTreeMap<String, bool>,
}

fn judged() -> anyhow::Result<Vec<JudgedAnswer>> {
    let mut rows = csv::Reader::from_reader(ANSWERS.as_bytes());
    let answers: Result<_, _> = rows.deserialize().collect();
    answers.context("data/beetle/answers.csv")
}

/// The question, its answers handed in, and the examples graded.
pub async fn prepare(
    client: &Client,
    teller: &Teller,
    course: &str,
    learners: &[&str],
) -> anyhow::Result<Done<Trial>> {
    let new = CreateAssignment {
        course_id: Some(course.to_owned()),
        ..serde_json::from_str(ASSIGNMENT).context("data/beetle/assignment.json")?
    };
    let assignment = client.assignments().create(&new).await?;
    let answers = judged()?;
    let bar = teller.bar("handing in", answers.len());
    let mut trial = Trial {
        assignment: assignment.id,
        verdicts: BTreeMap::new(),
    };
    for (one, learner) in answers.iter().zip(learners.iter().cycle()) {
        let new = submission(&trial.assignment, learner, &one.answer);
        let submission = client.submissions().create(&new).await?;
        trial.verdicts.insert(submission.id.clone(), one.is_right);
        if one.is_example {
            trial.grade(client, &submission.id).await?;
        }
        bar.add(1);
    }
    drop(bar);
    let examples = answers.iter().filter(|one| one.is_example).count();
    let result = format!(
        "{} answers of students to a question of Beetle (SemEval-2013), chosen because it earns a certificate; {examples} graded as \
         examples",
        answers.len()
    );
    let id = trial.assignment.clone();
    Ok(Done::new(trial, id, result))
}

fn submission(assignment: &str, learner: &str, text: &str) -> CreateSubmission {
    CreateSubmission {
        assignment_id: assignment.to_owned(),
        user_id: Some(learner.to_owned()),
        content: Some(ContentInput {
            kind: ContentType::Text,
            text: Some(text.to_owned()),
            url: None,
        }),
        draft: Some(false),
        ..CreateSubmission::default()
    }
}

impl Trial {
    /// As its teacher would: all of the points or none.
    async fn grade(&self, client: &Client, submission: &str) -> anyhow::Result<()> {
        let is_right = self.verdicts.get(submission);
        let is_right = is_right.with_context(|| format!("{submission} is not of the demo"))?;
        let score = if *is_right {
            Points::HUNDRED
        } else {
            Points::ZERO
        };
        let criterion = CriterionGrade {
            criterion_id: CRITERION.to_owned(),
            score: Some(PointsNumber(score)),
            ..CriterionGrade::default()
        };
        let given = GradeSubmission {
            criteria: Some(vec![criterion]),
            ..GradeSubmission::default()
        };
        client.submissions().grade(submission, &given).await?;
        Ok(())
    }

    async fn once(
        &self,
        client: &Client,
        done: impl FnMut(&CertificateView) -> bool,
    ) -> anyhow::Result<CertificateView> {
        let look = || async { client.assignments().certificate(&self.assignment).await };
        Ok(wait_until(PATIENCE, look, done).await?)
    }

    /// Has the grader attacked, which a certificate asks for; whether it withstands.
    pub async fn attack(&self, client: &Client) -> anyhow::Result<Done<bool>> {
        let asked = client
            .assignments()
            .start_red_team(&self.assignment)
            .await?;
        let look = || async { client.assignments().red_team(&self.assignment).await };
        let is_done = |seen: &BatchView| seen.report.is_some();
        let seen = wait_until(PATIENCE, look, is_done).await?;
        let report = seen.report.context("a red team without a report")?;
        let result = format!(
            "{} attacks on the grader: {} flagged, {} would have gone out, {} of them with more than a tenth of the points{}",
            report.attacks,
            report.flagged,
            report.released,
            report.through,
            fallen_for(&report)
        );
        Ok(Done::new(report.passes, asked.id, result))
    }

    /// Draws answers, grades them blind, and sees what that proves.
    pub async fn earn(&self, client: &Client, teller: &Teller) -> anyhow::Result<Done<()>> {
        let wanted = TryForCertificate { tests: Some(TESTS) };
        let asked = client
            .assignments()
            .try_for_certificate(&self.assignment, &wanted)
            .await?;
        let drawn = self.once(client, |seen| seen.state != "grading").await?;
        let bar = teller.bar("grading blind", drawn.tests.waiting.len());
        for id in &drawn.tests.waiting {
            let hidden = client.submissions().retrieve(id).await?;
            same("what is shown of AI's grade", &hidden.ai_score, &None)?;
            self.grade(client, id).await?;
            bar.add(1);
        }
        drop(bar);
        let looked = self.once(client, |seen| seen.state != "testing").await?;
        let Some(certified) = &looked.certified else {
            same("what went out", &looked.released.count, &0)?;
            return Ok(Done::new((), asked.id, why_not(&looked)));
        };
        let covered = usize::try_from(certified.at_hand.saturating_sub(certified.tests))?;
        let out = self.once(client, |seen| seen.released.count >= covered);
        let result = earned(&out.await?, certified);
        Ok(Done::new((), asked.id, result))
    }
}

/// What the certificate says, in a line.
fn fallen_for(report: &RedTeamView) -> String {
    let through = report.techniques.iter().filter(|one| one.through > 0);
    let named: Vec<&str> = through.map(|one| one.technique.as_str()).collect();
    if named.is_empty() {
        String::new()
    } else {
        format!(" ({})", named.join(", "))
    }
}

fn earned(told: &CertificateView, certified: &CertifiedView) -> String {
    format!(
        "certified: at most {} of 100 grades that go out disagree with the teacher's; of {} drawn and graded blind {} did; {} went \
         out unseen",
        told.terms.max_disagreement, certified.tests, certified.disagreements, told.released.count
    )
}

/// Why there is none.
fn why_not(told: &CertificateView) -> String {
    let most = told.terms.max_disagreement;
    match told.ended_because.as_deref() {
        Some(cause) => format!("not certified, nothing went out unseen: {cause}"),
        None => format!(
            "not certified, nothing went out unseen: {} blind grades do not prove that at most {most} of 100 disagree",
            told.tests.graded
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_are_whole_and_have_examples_of_both_kinds() {
        let answers = judged().unwrap();
        assert_eq!(answers.len(), 78);
        let examples = |is_right: bool| {
            let of_kind = |one: &&JudgedAnswer| one.is_example && one.is_right == is_right;
            answers.iter().filter(of_kind).count()
        };
        assert_eq!((examples(true), examples(false)), (2, 8));
        let assignment: CreateAssignment = serde_json::from_str(ASSIGNMENT).unwrap();
        assert_eq!(assignment.release.unwrap().max_disagreement, Some(20));
    }
}
