//! Answers of an assignment that say nearly the same, so that a person judges them at once.
//!
//! Two steps, because comparing takes seconds: [`look`] reads, [`Grouping::of`] compares on a thread where nothing waits for it.
//! What one judgement proposes for others, and how a person confirms it, is [`alike`](super::submissions).

use std::sync::Arc;

use lyceum_domain::grading::groups::{AnswerGroups, MOST_GROUPED};
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::{AssignmentId, SubmissionId};
use lyceum_ports::grading::grouping::AnswerGrouper;
use lyceum_wire::grading::groups::{GroupedAnswer, GroupsView};

use crate::prelude::*;
use crate::turns::TurnsByName;

/// So many texts are read at a time; of each only the beginning is kept.
const READ_AT_A_TIME: usize = 50;
/// So many characters of an answer are compared.
const MOST_READ: usize = 4_000;
/// So much is compared at once, in answers times the characters of all of them: what takes some ten seconds of one
/// processor. Ten thousand answers of three hundred characters fit.
const MOST_WORK: usize = 30_000_000_000;

/// Groups answers for whoever asks, one assignment at a time in each workspace; clones are the same.
#[derive(Clone)]
pub struct Grouping {
    grouper: Arc<dyn AnswerGrouper>,
    turns: Arc<TurnsByName>,
}

impl Grouping {
    /// With what compares answers.
    pub fn by(grouper: Arc<dyn AnswerGrouper>) -> Self {
        Self {
            grouper,
            turns: Arc::default(),
        }
    }

    /// Waits until nothing else is grouped for the workspace: as long as what this returns is held, nothing will be.
    pub async fn turn(&self, read: &HandedIn) -> impl Drop + Send + use<> {
        self.turns.of(&read.workspace).await
    }

    /// Compares each with each: for a thread where nothing waits for it. Nothing where it was stopped.
    pub fn of(&self, read: &HandedIn, stop: &dyn Fn() -> bool) -> Option<GroupsView> {
        let texts: Vec<String> = read.texts().map(str::to_owned).collect();
        let groups = self.grouper.group(&texts, &read.language, stop)?;
        Some(read.shown(&groups))
    }
}

/// The answers of an assignment that were handed in, newest first.
pub struct HandedIn {
    workspace: String,
    assignment_id: AssignmentId,
    language: String,
    answers: Vec<(GroupedAnswer, String)>,
    /// How many there are, with those that were not read.
    all: usize,
}

impl HandedIn {
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().map(|(_, text)| text.as_str())
    }

    fn shown(&self, groups: &AnswerGroups) -> GroupsView {
        let answers = self.answers.iter().map(|(answer, _)| answer);
        let answers: Vec<&GroupedAnswer> = answers.collect();
        GroupsView::new(self.assignment_id, self.all, &answers, groups)
    }
}

/// Reads what was handed in, as many of the newest as can be compared at once.
///
/// # Errors
/// [`Error::NotFound`]
pub fn look(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<HandedIn, Error> {
    let workspace = ctx.workspace_id();
    let assignment = found(tx.assignments().find(workspace, id)?, "assignment")?;
    let course = tx.courses().find(workspace, assignment.place.course_id)?;
    let course = found(course, "course")?;
    let most = u16::try_from(MOST_GROUPED).unwrap_or(u16::MAX);
    let newest = tx.submissions().ai_standing(workspace, id, most)?;
    let ids: Vec<SubmissionId> = newest.iter().map(|one| one.id).collect();
    Ok(HandedIn {
        workspace: workspace.to_string(),
        assignment_id: id,
        language: course.language.to_string(),
        answers: answers(tx, workspace, &ids)?,
        all: ids.len(),
    })
}

/// Those of these that can be compared at once, in their order.
fn answers(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    ids: &[SubmissionId],
) -> Result<Vec<(GroupedAnswer, String)>, Error> {
    let mut answers: Vec<(GroupedAnswer, String)> = Vec::new();
    let mut characters = 0_usize;
    for part in ids.chunks(READ_AT_A_TIME) {
        let mut read = tx.submissions().with_ids(workspace, part)?;
        read.sort_by_key(|one| std::cmp::Reverse(one.id));
        for one in &read {
            let text = start_of(one);
            characters = characters.saturating_add(text.chars().count());
            if characters.saturating_mul(answers.len() + 1) > MOST_WORK {
                return Ok(answers);
            }
            answers.push((GroupedAnswer::of(one), text));
        }
    }
    Ok(answers)
}

fn start_of(submission: &Submission) -> String {
    let text = submission.content.as_text();
    text.chars().take(MOST_READ).collect()
}
