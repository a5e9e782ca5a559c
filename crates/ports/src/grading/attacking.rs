//! Texts that are to talk, or to trick, a grader into points.
//!
//! Only making them: who grades them, and what is made of the grades, is no business of whoever makes them. The same task and
//! the same draws give the same texts on every machine.

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::red_team::{Attack, AttackTask};

/// Makes the attacks on an assignment's grader.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AttackMaker: Send + Sync {
    /// About sixty attacks made for this task; fewer where a technique has nothing to work on, such as model answers. None is
    /// longer than an answer may be, and one that says which weak answer it is made over has all of it, as
    /// [`AttackTask::bases`] gives it.
    fn attacks(&self, task: &AttackTask, seed: u64) -> Vec<Attack>;
}

/// Makes tricks on graders that compare words, each standing by itself: texts with the right words that say nothing, or the
/// contrary.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait TrickMaker: Send + Sync {
    /// Those made of a task and its rubric's model answers, one by one.
    fn of_task(&self, task: &AttackTask, draws: &mut Draws) -> Vec<Attack>;
    /// Those made of an answer that is right, in this language (a BCP-47 tag).
    fn of_right_answer(&self, answer: &str, language: &str) -> Vec<Attack>;
}
