//! Groups of alike answers on the wire, and a judgement given to more than one of them.

use lyceum_domain::Invalid;
use lyceum_domain::grading::grades::{CriterionResult, GradeSource};
use lyceum_domain::grading::groups::{AnswerGroup, AnswerGroups, GroupLevel, NotAlike};
use lyceum_domain::grading::submissions::{Submission, SubmissionStatus};
use lyceum_domain::ids::{AssignmentId, SubmissionId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::common_ids::reference;
use crate::grading::grades::CriterionResultView;
use crate::points::PointsNumber;
use crate::shapes;

/// So many answers are given a judgement at once.
pub const MOST_AT_ONCE: usize = 50;

/// Answers of an assignment that say nearly the same. That they deserve the same grade is not claimed: a person says so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupsView {
    /// Always `groups`.
    pub object: String,
    /// The assignment.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub assignment_id: String,
    /// How many texts were handed in, of the newest 10 000.
    pub answers: usize,
    /// How many of these were compared: the newest, fewer of long ones.
    pub compared: usize,
    /// How many judgements are spared by giving one to each group that is to be graded together.
    pub spared: usize,
    /// Those to be graded together first, the largest first.
    pub groups: Vec<GroupView>,
}

/// Two answers at least that are alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupView {
    /// `grade_together` (nearly the same words, and nothing found that turns what they say) or `look_together` (much the same words:
    /// each is judged by itself).
    #[schema(schema_with = shapes::word::<GroupLevel>)]
    pub level: String,
    /// How alike any two of them are in the mean, up to 1: the cosine of their words, pairs of words and runs of four letters.
    pub similarity: f64,
    /// The one most like all others.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub representative_id: String,
    /// All of them, newest first.
    pub members: Vec<GroupMemberView>,
}

/// An answer of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupMemberView {
    /// The submission.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// `submitted`, `in_review`, `graded` or `returned`.
    #[schema(schema_with = shapes::word::<SubmissionStatus>)]
    pub status: String,
    /// The points that stand; null where none do, and of what waits for a blind grade.
    #[schema(value_type = Option<f64>, required)]
    pub score: Option<PointsNumber>,
    /// Who gave them.
    #[schema(schema_with = shapes::optional_word::<GradeSource>, required)]
    pub graded_by: Option<String>,
    /// Whether a person had the last word, so that a judgement of the group leaves it alone.
    pub decided: bool,
}

/// What a list of groups says of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupedAnswer(GroupMemberView);

impl GroupedAnswer {
    /// Of a submission; who waits to grade it blind is not told what AI gave.
    pub fn of(submission: &Submission) -> Self {
        let grade = submission.grade.as_ref();
        let grade = grade.filter(|_| !submission.is_blind());
        let status = if submission.is_blind() {
            SubmissionStatus::Submitted
        } else {
            submission.status
        };
        Self(GroupMemberView {
            submission_id: submission.id.to_string(),
            status: status.to_string(),
            score: grade.map(|grade| PointsNumber(grade.score)),
            graded_by: grade.map(|grade| grade.by.to_string()),
            decided: submission.is_decided_by_person(),
        })
    }
}

impl GroupsView {
    /// Of an assignment with so many answers, of which these were compared.
    pub fn new(
        assignment: AssignmentId,
        answers: usize,
        compared: &[&GroupedAnswer],
        groups: &AnswerGroups,
    ) -> Self {
        let of = |group: &AnswerGroup| GroupView::new(group, compared);
        Self {
            object: "groups".to_owned(),
            assignment_id: assignment.to_string(),
            answers,
            compared: compared.len(),
            spared: groups.spared(),
            groups: groups.all().iter().map(of).collect(),
        }
    }
}

impl GroupView {
    fn new(group: &AnswerGroup, compared: &[&GroupedAnswer]) -> Self {
        let at = |place: &usize| compared.get(*place).map(|one| one.0.clone());
        let representative = at(&group.representative);
        Self {
            level: group.level.to_string(),
            similarity: group.similarity,
            representative_id: representative
                .map(|one| one.submission_id)
                .unwrap_or_default(),
            members: group.members.iter().filter_map(at).collect(),
        }
    }
}

/// The judgement of one answer, to be given to others.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GradeAlike {
    /// The answers that get it, of the same assignment.
    #[schema(min_items = 1, max_items = 50)]
    pub submission_ids: Vec<String>,
    /// For each of the students; none where it is absent. What the first student was told is not told to others.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Only say what each would get; nothing is graded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub preview: bool,
}

/// The same, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedAlike {
    /// Who gets it, each once.
    pub submission_ids: Vec<SubmissionId>,
    /// For each of the students.
    pub feedback: String,
    /// Whether nothing is graded.
    pub preview: bool,
}

impl Command for GradeAlike {
    type Of = AskedAlike;

    fn command(self) -> Result<AskedAlike, Invalid> {
        if self.submission_ids.is_empty() {
            return Err(Invalid::missing("submission_ids"));
        }
        if self.submission_ids.len() > MOST_AT_ONCE {
            let text = format!("must name at most {MOST_AT_ONCE}");
            return Err(Invalid::new("submission_ids", text));
        }
        let mut submission_ids: Vec<SubmissionId> = Vec::new();
        for (at, id) in self.submission_ids.iter().enumerate() {
            let id = reference(id);
            if submission_ids.contains(&id) {
                return Err(Invalid::new(
                    format!("submission_ids[{at}]"),
                    "is given twice",
                ));
            }
            submission_ids.push(id);
        }
        Ok(AskedAlike {
            submission_ids,
            feedback: self.feedback.unwrap_or_default(),
            preview: self.preview,
        })
    }
}

/// What became of a judgement that was given to others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AlikeView {
    /// Always `alike`.
    pub object: String,
    /// The answer whose judgement it is.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// Whether nothing was graded.
    pub preview: bool,
    /// Its points.
    #[schema(value_type = f64)]
    pub score: PointsNumber,
    /// Each that was named, in that order.
    pub members: Vec<AlikeMemberView>,
}

/// One that was named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AlikeMemberView {
    /// The submission.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Submission>)]
    pub submission_id: String,
    /// Whether it got the judgement; in a preview, whether it would.
    pub graded: bool,
    /// Why not: `not_found`, `other_assignment`, `not_handed_in`, `no_text`, `blind` (it waits for a blind grade), `decided` (a person
    /// had the last word), `returned` or `other_maximum`.
    #[schema(schema_with = shapes::optional_word::<NotAlike>, required)]
    pub left_because: Option<String>,
    /// The judgement with its own passages.
    pub criteria: Vec<CriterionResultView>,
    /// Criteria that rest on a passage of the judged answer and have nothing like it in this one.
    pub unquoted: Vec<String>,
}

impl AlikeMemberView {
    /// Of one that is left alone.
    pub fn left(id: SubmissionId, because: NotAlike) -> Self {
        Self {
            submission_id: id.to_string(),
            graded: false,
            left_because: Some(because.to_string()),
            criteria: Vec::new(),
            unquoted: Vec::new(),
        }
    }

    /// Of one that gets it.
    pub fn given(id: SubmissionId, criteria: &[CriterionResult], unquoted: Vec<String>) -> Self {
        Self {
            submission_id: id.to_string(),
            graded: true,
            left_because: None,
            criteria: CriterionResultView::all(criteria, false),
            unquoted,
        }
    }
}
