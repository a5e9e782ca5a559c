//! Telling which answers of an assignment say nearly the same.

use lyceum_domain::grading::groups::AnswerGroups;

/// Groups answers by what they say.
pub trait AnswerGrouper: Send + Sync {
    /// The groups of these answers, which are named by their places; `language` is a BCP-47 tag, or empty where nobody knows.
    ///
    /// The same answers in the same order make the same groups on every machine. Of more than
    /// [`MOST_GROUPED`](lyceum_domain::grading::groups::MOST_GROUPED) the first are looked at; answers that say nothing are in
    /// no group.
    ///
    /// Works for seconds on one processor and waits for nobody: whoever has others to serve runs it on a thread of its own.
    /// `stop` is asked now and then, some times a second; nothing comes of it once that says yes.
    fn group(
        &self,
        texts: &[String],
        language: &str,
        stop: &dyn Fn() -> bool,
    ) -> Option<AnswerGroups>;
}

/// A grouper that finds the same whatever it is asked, unless it is stopped first. Written by hand: functions in arguments are
/// beyond `mockall`.
#[cfg(feature = "mocks")]
#[derive(Debug, Clone, Default)]
pub struct MockAnswerGrouper {
    /// What it finds.
    pub groups: AnswerGroups,
}

#[cfg(feature = "mocks")]
impl AnswerGrouper for MockAnswerGrouper {
    fn group(&self, _: &[String], _: &str, stop: &dyn Fn() -> bool) -> Option<AnswerGroups> {
        (!stop()).then(|| self.groups.clone())
    }
}
