//! What people add to AI grades: grades of their own, which calibrate the next run, reasons for one of them in words,
//! and the chain that shows that no record was changed.

use std::time::Duration;

use anyhow::{Context, ensure};
use lyceum_client::{Client, wait_until};
use lyceum_wire::grading::grades::GradeView;
use lyceum_wire::grading::submissions::{
    CriterionGrade, GradeSubmission, GradeWithAi, SubmissionView,
};
use serde_json::{Value, json};

use super::checks::same;
use super::grading::{GRADING, Graded};
use super::progress::{Done, Teller};
use super::words::Criterion;

/// Most answers of one level that the teacher grades.
const PER_LEVEL: usize = 2;

/// An answer that was graded a second time, by what the teacher's own grades taught.
pub struct Regraded {
    /// Its place among all answers.
    pub place: usize,
    /// The score before.
    pub before: f64,
    /// The grade after.
    pub grade: GradeView,
    /// The score that the teacher's level stands for, where the rubric knows the level.
    pub teacher: Option<f64>,
    /// Whether it still waits for a person, by a reason of its own.
    pub waits: bool,
}

/// A person's grade, and why it is what it is.
pub struct Explained {
    /// Its place among all answers.
    pub place: usize,
    /// The reasons.
    pub rationale: String,
    /// Who gave them.
    pub model: String,
}

/// What the teacher and the second run made of the answers.
pub struct Review {
    /// Places of the answers that the teacher graded.
    pub by_hand: Vec<usize>,
    /// The others.
    pub regraded: Vec<Regraded>,
}

impl Review {
    /// The mean distance from the teacher's levels, before and after, over the answers whose level is known.
    pub fn distances(&self) -> Option<(f64, f64)> {
        let known: Vec<(f64, f64)> = self
            .regraded
            .iter()
            .filter_map(|one| {
                let teacher = one.teacher?;
                let after = one.grade.score.0.to_number();
                Some(((one.before - teacher).abs(), (after - teacher).abs()))
            })
            .collect();
        let count = f64::from(u32::try_from(known.len()).ok().filter(|count| *count > 0)?);
        let sum = |pick: fn(&(f64, f64)) -> f64| known.iter().map(pick).sum::<f64>() / count;
        Some((sum(|pair| pair.0), sum(|pair| pair.1)))
    }
}

/// The teacher grades a few answers of every level by the rubric; they stand whatever AI said.
pub async fn grade_by_hand(
    client: &Client,
    graded: &[Graded],
    criteria: &[Criterion],
) -> anyhow::Result<Done<Vec<usize>>> {
    let mut by_hand: Vec<usize> = Vec::new();
    for (place, one) in graded.iter().enumerate() {
        let level = &one.answer.teacher_level;
        let of_level = |other: &&usize| {
            let other = graded.get(**other);
            other.is_some_and(|other| other.answer.teacher_level == *level)
        };
        let levels = levels_of(criteria, level);
        if levels.is_empty() || by_hand.iter().filter(of_level).count() >= PER_LEVEL {
            continue;
        }
        let grade = GradeSubmission {
            criteria: Some(levels),
            feedback: Some(format!("{level}, as I read it.")),
            reason: Some("graded by the rubric".to_owned()),
            ..GradeSubmission::default()
        };
        let stands = client
            .submissions()
            .grade(&one.submission.id, &grade)
            .await?;
        same("who graded", &stands.graded_by.as_deref(), &Some("human"))?;
        same("its status", stands.status.as_str(), "graded")?;
        by_hand.push(place);
    }
    ensure!(!by_hand.is_empty(), "no answer has a level of the rubric");
    let result = format!("{} of {} by the teacher", by_hand.len(), graded.len());
    Ok(Done::new(by_hand, "", result))
}

/// The level of this name in every criterion, where all of them have it.
fn levels_of(criteria: &[Criterion], name: &str) -> Vec<CriterionGrade> {
    let level = |criterion: &Criterion| {
        let mut levels = criterion.levels.iter();
        let level = levels.find(|level| level.label.eq_ignore_ascii_case(name))?;
        Some(CriterionGrade {
            criterion_id: criterion.id.clone(),
            level_id: Some(level.id.clone()),
            ..CriterionGrade::default()
        })
    };
    let all: Option<Vec<CriterionGrade>> = criteria.iter().map(level).collect();
    all.unwrap_or_default()
}

/// AI grades the other answers once more, calibrated by the teacher's grades.
pub async fn grade_again(
    client: &Client,
    teller: &Teller,
    graded: &[Graded],
    criteria: &[Criterion],
    by_hand: Vec<usize>,
) -> anyhow::Result<Done<Review>> {
    let others: Vec<(usize, &Graded)> = graded
        .iter()
        .enumerate()
        .filter(|(place, _)| !by_hand.contains(place))
        .collect();
    for (_, one) in &others {
        let run = GradeWithAi::default();
        client
            .submissions()
            .grade_with_ai(&one.submission.id, &run)
            .await?;
    }
    let bar = teller.bar("grading again", others.len());
    let mut regraded = Vec::new();
    for (place, one) in others {
        let again = calibrated(client, &one.submission.id, by_hand.len());
        let (seen, grade) = again.await.with_context(|| one.answer.email.clone())?;
        regraded.push(Regraded {
            place,
            before: one.grade.score.0.to_number(),
            grade,
            teacher: teachers_score(one, criteria),
            waits: seen.status == "in_review",
        });
        bar.add(1);
    }
    drop(bar);
    let review = Review { by_hand, regraded };
    let waiting = review.regraded.iter().filter(|one| one.waits).count();
    let released = review.regraded.len() - waiting;
    let distances = review
        .distances()
        .map_or_else(String::new, |(before, after)| {
            format!("mean distance from the teacher {before:.0} before, {after:.0} after; ")
        });
    let result = format!("{distances}{released} released, {waiting} wait for a person");
    Ok(Done::new(review, "", result))
}

/// A submission after a run that knew the teacher's grades, and its record.
async fn calibrated(
    client: &Client,
    id: &str,
    anchors: usize,
) -> anyhow::Result<(SubmissionView, GradeView)> {
    let seen = client.submissions().wait(id).within(GRADING).await?;
    same("ai_status", &seen.ai_status.as_deref(), &Some("ready"))?;
    let history = client
        .submissions()
        .grades(id)
        .collect()
        .await
        .context("its grade history")?;
    let newest = history.into_iter().next().context("no grade on record")?;
    same(
        "the number of examples it was calibrated by",
        &newest.grader.anchors.len(),
        &anchors,
    )?;
    Ok((seen, newest))
}

/// What the level that the teacher gave is worth, out of the best possible score.
fn teachers_score(one: &Graded, criteria: &[Criterion]) -> Option<f64> {
    let max = one.grade.max_score.0.to_number();
    let (mut reached, mut possible) = (0.0, 0.0);
    for criterion in criteria {
        let mut levels = criterion.levels.iter();
        let level = levels.find(|level| {
            let wanted = &one.answer.teacher_level;
            level.label.eq_ignore_ascii_case(wanted)
        })?;
        let best = criterion.levels.iter().map(|level| level.points);
        let best = best.fold(f64::MIN_POSITIVE, f64::max);
        reached += criterion.weight * level.points / best;
        possible += criterion.weight;
    }
    (possible > 0.0).then(|| max * reached / possible)
}

/// AI says in words why a person's grade is what it is, and changes nothing.
pub async fn explain(
    client: &Client,
    graded: &[Graded],
    by_hand: &[usize],
) -> anyhow::Result<Done<Explained>> {
    let place = *by_hand.first().context("nobody graded by hand")?;
    let one = graded.get(place).context("the answer graded by hand")?;
    let id = &one.submission.id;
    let before: SubmissionView = client.submissions().retrieve(id).await?;
    let path = format!("/v1/submissions/{id}/explain");
    client.post::<Value, Value>(&path, &json!({})).await?;
    let look = || async { client.submissions().retrieve(id).await };
    let changed = |seen: &SubmissionView| seen.ai_rationale != before.ai_rationale;
    let after = wait_until(Duration::from_mins(3), look, changed).await?;
    same("the score explained", &after.score, &before.score)?;
    same("who graded it", &after.graded_by, &before.graded_by)?;
    same("its ai_status", &after.ai_status, &before.ai_status)?;
    let rationale = after.ai_rationale.unwrap_or_default();
    ensure!(!rationale.trim().is_empty(), "an empty explanation");
    let words = rationale.split_whitespace().count();
    let explained = Explained {
        place,
        rationale,
        model: after.ai_model.unwrap_or_default(),
    };
    Ok(Done::new(
        explained,
        id,
        format!("{words} words of reasons"),
    ))
}

/// Every record of every submission is as it was written, and follows the one before it.
pub async fn verify(client: &Client, graded: &[Graded]) -> anyhow::Result<Done<u64>> {
    let mut records = 0;
    for one in graded {
        let id = &one.submission.id;
        let path = format!("/v1/submissions/{id}/grades?verify=true");
        let answer: Value = client.get(&path).await?;
        let told = answer.get("verification").context("no verification")?;
        same(
            "the chain of grades",
            &told.get("holds"),
            &Some(&json!(true)),
        )
        .with_context(|| format!("{id}: {told}"))?;
        records += told.get("records").and_then(Value::as_u64).unwrap_or(0);
    }
    let result = format!("{records} records in {} unbroken chains", graded.len());
    Ok(Done::new(records, "", result))
}
