//! Attacks on an assignment's grader: what they are made from, where they stand among a batch's items, and what came of them.

use std::collections::BTreeMap;

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::grading::batches::{Batch, BatchItem, ItemState};
use lyceum_domain::grading::grades::{is_measured, least_confidence};
use lyceum_domain::grading::red_team::{Attack, AttackOutcome, AttackTask, RedTeamReport};
use lyceum_domain::points::Points;
use lyceum_ports::authoring::assignments::AssignmentFilter;
use lyceum_ports::grading::grades::ConfirmedGrade;

use crate::grading::rubrics;
use crate::prelude::*;

/// So many of a teacher's newest grades are looked at for weak answers and right ones.
const LOOKED_AT: usize = 100;
/// So many other assignments of the course lend their model answers.
const OTHERS: u16 = 20;
/// Answers with at most so many hundredths of the points deserve little.
const WEAK: i64 = 25;
/// Answers with at least so many are right.
const RIGHT: i64 = 90;

/// What attacks on the batch's grader are made from; none where the assignment is gone.
///
/// # Errors
/// Those of storage.
pub fn task_of_attacks(tx: &mut dyn Tx, batch: &Batch) -> Result<Option<AttackTask>, Error> {
    let (workspace, id) = (batch.workspace_id, batch.assignment_id);
    let Some(assignment) = tx.assignments().find(workspace, id)? else {
        return Ok(None);
    };
    let course_id = assignment.place.course_id;
    let Some(course) = tx.courses().find(workspace, course_id)? else {
        return Ok(None);
    };
    let rubric = batch.grader.rubric.clone();
    let criteria = rubric.criteria.iter();
    let criteria: Vec<String> = criteria.map(|one| one.id.clone()).collect();
    let graded = tx
        .grades()
        .confirmed(workspace, id, None, None, &criteria, LOOKED_AT)?;
    let (weak, right) = (i64::MIN..=WEAK, RIGHT..=i64::MAX);
    Ok(Some(AttackTask {
        instructions: assignment.instructions.to_string(),
        rubric,
        samples: with_share(&graded, right),
        others: others(tx, &assignment, &course)?,
        language: course.language.to_string(),
        weak_answers: with_share(&graded, weak),
    }))
}

/// The texts to which a person gave such a share of the points, in hundredths.
fn with_share(graded: &[ConfirmedGrade], range: std::ops::RangeInclusive<i64>) -> Vec<String> {
    let is_in = |one: &&ConfirmedGrade| {
        let score = i64::from(one.grade.score.hundredths());
        let max = i64::from(one.grade.max_score.hundredths());
        (100 * score)
            .checked_div(max)
            .is_some_and(|share| range.contains(&share))
    };
    graded
        .iter()
        .filter(is_in)
        .map(|one| one.text.clone())
        .collect()
}

/// The model answers of the course's other assignments.
fn others(tx: &mut dyn Tx, assignment: &Assignment, course: &Course) -> Result<Vec<String>, Error> {
    let filter = AssignmentFilter {
        course_id: Some(course.id),
        ..AssignmentFilter::default()
    };
    let first = PageRequest::first(OTHERS);
    let all = tx
        .assignments()
        .page(assignment.workspace_id, &filter, &first)?;
    let others = all.items.iter().filter(|one| one.id != assignment.id);
    let rubrics = others.map(|one| rubrics::usual(one, course));
    Ok(rubrics
        .flat_map(|rubric| {
            let criteria = rubric.criteria.into_iter();
            criteria.flat_map(|criterion| criterion.texts("reference_answers"))
        })
        .collect())
}

/// Notes the attacks as items of the batch, behind the clean texts that they are made over.
///
/// # Errors
/// Those of storage.
pub fn add_attacks(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut batch: Batch,
    bases: Vec<String>,
    attacks: Vec<Attack>,
) -> Result<(), Error> {
    let clean = bases.into_iter().map(|text| (None, None, text));
    let made = attacks.into_iter().map(|attack| {
        let base = attack.base.and_then(|base| u32::try_from(base).ok());
        (Some(attack.technique), base, attack.text)
    });
    let all = (0_u32..).zip(clean.chain(made));
    let items: Vec<BatchItem> = all
        .map(|(place, (technique, base, text))| BatchItem {
            technique,
            base,
            ..BatchItem::of_text(batch.id, place, text)
        })
        .collect();
    tx.batches().add_items(batch.workspace_id, &items)?;
    batch.collected(u32::try_from(items.len()).unwrap_or(u32::MAX), ctx.now);
    Ok(tx.batches().update(&batch)?)
}

/// What came of the attacks.
///
/// # Errors
/// Those of storage.
pub fn report_on(tx: &mut dyn Tx, batch: &Batch) -> Result<RedTeamReport, Error> {
    let (workspace, id) = (batch.workspace_id, batch.id);
    let most = Batch::MOST_ITEMS;
    let graded = tx
        .batches()
        .items_in(workspace, id, ItemState::Graded, 0, most)?;
    let failed = tx
        .batches()
        .items_in(workspace, id, ItemState::Failed, 0, most)?;
    let clean = graded.iter().filter(|item| item.technique.is_none());
    let clean: BTreeMap<u32, Points> = clean
        .filter_map(|item| Some((item.place, item.score()?)))
        .collect();
    let mut outcomes = Vec::new();
    let mut ungraded: Vec<_> = failed.iter().filter_map(|item| item.technique).collect();
    for item in &graded {
        let Some(technique) = item.technique else {
            continue;
        };
        match outcome(item, &clean) {
            Some(outcome) => outcomes.push(outcome),
            // What it was made over was not graded, or the grader has too few examples to let anything out: nobody knows what it
            // would gain.
            None => ungraded.push(technique),
        }
    }
    Ok(RedTeamReport::of(
        &outcomes,
        &ungraded,
        batch.grader.min_confidence,
    ))
}

fn outcome(item: &BatchItem, clean: &BTreeMap<u32, Points>) -> Option<AttackOutcome> {
    let (preview, seen) = (item.preview.as_ref()?, item.found.as_ref()?);
    if !is_measured(&preview.judgement.review_reasons) {
        return None;
    }
    let clean = match item.base {
        Some(base) => *clean.get(&base)?,
        None => Points::ZERO,
    };
    Some(AttackOutcome {
        technique: item.technique?,
        clean,
        attacked: preview.judgement.score,
        max_score: seen.max_score,
        review_reasons: preview.judgement.review_reasons.clone(),
        is_held: preview.is_held,
        confidence: least_confidence(&preview.judgement),
    })
}
