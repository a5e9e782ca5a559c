//! Answers of an assignment that say nearly the same, so that a person judges them at once.
//!
//! What a group is, and what the judgement of one of its answers proposes for another. How alike texts are is measured behind
//! a port; nothing here knows a language, and nothing here gives a grade: a person confirms, and may take members out.

mod proposing;

pub use proposing::{AlikeProposal, LIKE_A_QUOTE, given_alike, propose};

use std::collections::{BTreeMap, BTreeSet};

use crate::grading::submissions::{Submission, SubmissionContent, SubmissionStatus};
use crate::words::words;

/// From this mean similarity on, of 1, the answers of a group are graded together.
///
/// Measured on 10 000 short answers that people graded, with the built-in engine (see "Answer groups" in
/// `docs/ai-internals.md`).
pub const GRADE_TOGETHER: f64 = 0.8;
/// From this mean similarity on, of 1, the answers of a group are worth looking at one after the other.
pub const LOOK_TOGETHER: f64 = 0.6;
/// Sums of the same numbers in another order differ in their last digits, by less than this.
const ROUNDING: f64 = 1e-9;
/// So many answers are grouped at once; those behind them are in no group.
pub const MOST_GROUPED: usize = 10_000;

words!(
    /// What a group is good for.
    GroupLevel {
        /// Nearly the same words, and nothing found that turns what they say: one judgement is proposed for all.
        Grade = "grade_together",
        /// Much the same words: looked at one after the other, and each judged by itself.
        Look = "look_together",
    }
);

words!(
    /// Why an answer does not get the judgement of another.
    NotAlike {
        /// It is not there.
        NotFound = "not_found",
        /// It answers something else: another assignment, or the same as its cohort sees it otherwise.
        OtherAssignment = "other_assignment",
        /// Its student still writes it.
        NotHandedIn = "not_handed_in",
        /// There is nothing to read in it.
        NoText = "no_text",
        /// It waits for a person who does not know what was said of it.
        Blind = "blind",
        /// A person had the last word about it.
        Decided = "decided",
        /// Its student has it back.
        Returned = "returned",
        /// Its points are out of another maximum.
        OtherMaximum = "other_maximum",
    }
);

impl NotAlike {
    /// Why a submission does not get the judgement of another; nothing where it may.
    pub fn of(judged: &Submission, member: &Submission) -> Option<Self> {
        let is_text = matches!(member.content, SubmissionContent::Text(_));
        if member.assignment_id != judged.assignment_id {
            return Some(Self::OtherAssignment);
        }
        match member.status {
            SubmissionStatus::Draft => return Some(Self::NotHandedIn),
            SubmissionStatus::Returned => return Some(Self::Returned),
            SubmissionStatus::Submitted | SubmissionStatus::InReview | SubmissionStatus::Graded => {
            }
        }
        if !is_text {
            Some(Self::NoText)
        } else if member.is_blind() {
            Some(Self::Blind)
        } else if member.is_decided_by_person() {
            Some(Self::Decided)
        } else {
            (member.max_score != judged.max_score).then_some(Self::OtherMaximum)
        }
    }
}

impl GroupLevel {
    /// The least mean similarity of its groups, of 1.
    pub const fn least_similarity(self) -> f64 {
        match self {
            Self::Grade => GRADE_TOGETHER,
            Self::Look => LOOK_TOGETHER,
        }
    }
}

/// Answers that are alike, named by their places among all that were looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerGroup {
    /// What it is good for.
    pub level: GroupLevel,
    /// Two at least, in order.
    pub members: Vec<usize>,
    /// The one most like all others (the medoid); of equals the first.
    pub representative: usize,
    /// How alike any two of them are in the mean, up to 1.
    pub similarity: f64,
}

impl AnswerGroup {
    /// Whether it is what it says: two members at least, in order, each there and once, its representative among them, and
    /// alike enough for its level.
    fn is_sound(&self, answers: usize) -> bool {
        self.members.len() >= 2
            && self.members.is_sorted_by(|a, b| a < b)
            && self.members.last().is_some_and(|last| *last < answers)
            && self.holds(self.representative)
            && (self.level.least_similarity() - ROUNDING..=1.0 + ROUNDING)
                .contains(&self.similarity)
    }

    /// Whether an answer is one of its members.
    pub fn holds(&self, answer: usize) -> bool {
        self.members.binary_search(&answer).is_ok()
    }

    fn holds_all(&self, other: &Self) -> bool {
        other.members.iter().all(|member| self.holds(*member))
    }
}

/// The place of the group of a level that an answer is in.
type Owners = BTreeMap<(GroupLevel, usize), usize>;

/// All groups of an assignment's answers. No answer is in two of a level, and a group to be graded together lies whole in
/// at most one to be looked at together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnswerGroups {
    groups: Vec<AnswerGroup>,
}

impl AnswerGroups {
    /// Takes what was found among so many answers, and trusts none of it: what is no group, or would break what is said of all,
    /// is dropped, the smaller first. A group to be looked at with the very members of one to be graded says no more and goes, too.
    pub fn of(answers: usize, mut found: Vec<AnswerGroup>) -> Self {
        found.retain(|group| group.is_sound(answers));
        found.sort_by(|a, b| {
            let larger = b.members.len().cmp(&a.members.len());
            let level = a.level.cmp(&b.level);
            level.then(larger).then_with(|| a.members.cmp(&b.members))
        });
        let mut kept = Self::default();
        let mut owners = Owners::new();
        for group in found {
            if kept.takes(&group, &owners) {
                let (level, at) = (group.level, kept.groups.len());
                let members = group.members.iter();
                owners.extend(members.map(|member| ((level, *member), at)));
                kept.groups.push(group);
            }
        }
        kept
    }

    /// Whether nobody in a group is in another of its level, and each group in it lies in it whole and is smaller.
    fn takes(&self, group: &AnswerGroup, owners: &Owners) -> bool {
        let owned = |level: GroupLevel, member: &usize| owners.get(&(level, *member)).copied();
        let mut members = group.members.iter();
        let is_free = members.all(|member| owned(group.level, member).is_none());
        let inner: BTreeSet<usize> = group
            .members
            .iter()
            .filter_map(|member| owned(GroupLevel::Grade, member))
            .collect();
        let mut inner = inner.into_iter().filter_map(|at| self.groups.get(at));
        is_free
            && inner
                .all(|inner| group.holds_all(inner) && inner.members.len() < group.members.len())
    }

    /// The groups: those to be graded together first, the largest of a level first, then by their first members.
    pub fn all(&self) -> &[AnswerGroup] {
        &self.groups
    }

    /// Those of a level.
    pub fn at(&self, level: GroupLevel) -> impl Iterator<Item = &AnswerGroup> {
        self.groups.iter().filter(move |group| group.level == level)
    }

    /// The group to be looked at that a group to be graded lies in, if it lies in a larger one.
    pub fn around(&self, group: &AnswerGroup) -> Option<&AnswerGroup> {
        let inner = group.level == GroupLevel::Grade;
        let mut outer = self.at(GroupLevel::Look).filter(|_| inner);
        outer.find(|outer| outer.holds_all(group))
    }

    /// How many judgements need not be given one by one: all members of groups to be graded together but one of each.
    pub fn spared(&self) -> usize {
        self.at(GroupLevel::Grade)
            .map(|group| group.members.len() - 1)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn group(level: GroupLevel, members: &[usize]) -> AnswerGroup {
        AnswerGroup {
            level,
            members: members.to_vec(),
            representative: members.first().copied().unwrap_or(0),
            similarity: 0.9,
        }
    }

    fn grade(members: &[usize]) -> AnswerGroup {
        group(GroupLevel::Grade, members)
    }

    fn look(members: &[usize]) -> AnswerGroup {
        group(GroupLevel::Look, members)
    }

    fn kept(found: Vec<AnswerGroup>) -> Vec<AnswerGroup> {
        AnswerGroups::of(9, found).all().to_vec()
    }

    #[rstest]
    #[case::one_alone(grade(&[3]))]
    #[case::nobody(grade(&[]))]
    #[case::twice_the_same(grade(&[3, 3]))]
    #[case::out_of_order(grade(&[4, 3]))]
    #[case::who_is_not_there(grade(&[3, 9]))]
    #[case::a_stranger_for_all(AnswerGroup { representative: 5, ..grade(&[3, 4]) })]
    #[case::too_unlike(AnswerGroup { similarity: 0.79, ..grade(&[3, 4]) })]
    #[case::too_unlike_to_look_at(AnswerGroup { similarity: 0.59, ..look(&[3, 4]) })]
    #[case::more_than_the_same(AnswerGroup { similarity: 1.1, ..grade(&[3, 4]) })]
    #[case::no_number(AnswerGroup { similarity: f64::NAN, ..grade(&[3, 4]) })]
    fn what_is_no_group_is_dropped(#[case] broken: AnswerGroup) {
        assert_eq!(kept(vec![broken, grade(&[0, 1])]), [grade(&[0, 1])]);
    }

    #[test]
    fn an_answer_is_in_one_group_of_a_level_and_the_larger_counts() {
        let found = vec![grade(&[0, 1]), grade(&[1, 2, 3]), grade(&[4, 5])];
        assert_eq!(kept(found), [grade(&[1, 2, 3]), grade(&[4, 5])]);
    }

    #[test]
    fn what_is_graded_together_is_looked_at_together() {
        let across = vec![look(&[1, 2, 3]), grade(&[0, 1])];
        assert_eq!(kept(across), [grade(&[0, 1])]);
        let around = AnswerGroups::of(9, vec![look(&[0, 1, 2]), grade(&[0, 1]), grade(&[4, 5])]);
        assert_eq!(around.around(&grade(&[0, 1])), Some(&look(&[0, 1, 2])));
        assert_eq!(around.around(&grade(&[4, 5])), None);
        assert_eq!(around.around(&look(&[0, 1, 2])), None);
    }

    #[test]
    fn a_group_to_look_at_says_more_than_the_one_in_it() {
        assert_eq!(kept(vec![look(&[0, 1]), grade(&[0, 1])]), [grade(&[0, 1])]);
    }

    #[test]
    fn all_but_one_of_a_group_to_be_graded_are_spared() {
        let groups = vec![grade(&[0, 1, 2]), grade(&[3, 4]), look(&[0, 1, 2, 3, 4, 5])];
        assert_eq!(AnswerGroups::of(9, groups).spared(), 3);
    }
}
