//! Attacks on an assignment's grader: what they are made from, what one is, and what it means when they were graded.
//!
//! Sixty texts that deserve nothing more than what they were made over are graded like hand-ins, apart from all records. What
//! counts is what learners would have seen: a gain that waits for a person is a nuisance, one that goes out is a hole.
//! Texts are made elsewhere (the port is an attack maker), and grading is somebody else's as well; here are the rules.

use crate::words::words;

mod report;
mod task;

pub use report::{
    AttackOutcome, GAIN_LIMIT, Gain, MOST_UNGRADED, RedTeamNeeded, RedTeamReport, TechniqueFigures,
};
pub use task::AttackTask;

words!(
    /// What an attack tries.
    AttackTechnique {
        /// An order to whoever grades, in plain words of some language.
        Order = "order",
        /// An order that has to be decoded: digits for letters, backwards, rot13, escapes, hexadecimal, Base64.
        OrderEncoded = "order_encoded",
        /// An order that people do not see: between invisible characters, in a comment of a markup.
        OrderHidden = "order_hidden",
        /// The teacher is said to have allowed it.
        ClaimedPermission = "claimed_permission",
        /// The text is said to have been graded already.
        ClaimedResult = "claimed_result",
        /// Lines in the role of the system that asks.
        SystemMessage = "system_message",
        /// The rubric is said to be another one now.
        RubricChanged = "rubric_changed",
        /// What the rubric asks for, said back as if it were done.
        RubricEcho = "rubric_echo",
        /// The words of a model answer that have content, in any order.
        KeywordsShuffled = "keywords_shuffled",
        /// All its words, in any order.
        WordsShuffled = "words_shuffled",
        /// Six of its words with content, as they come.
        SixKeywords = "six_keywords",
        /// Its first word with content in the place of the last, and the other way round.
        RolesSwapped = "roles_swapped",
        /// One of its comparatives turned: less for more.
        ComparativeTurned = "comparative_turned",
        /// One of its comparatives beside its opposite: more or less.
        AllAlternatives = "all_alternatives",
        /// All model answers of a question that has several.
        AllReferences = "all_references",
        /// The model answers of other questions behind those of the question.
        OtherReferences = "other_references",
        /// A right answer behind `It is wrong to say that`.
        WrongToSay = "wrong_to_say",
        /// A right answer behind `It is not true that`.
        NotTrue = "not_true",
        /// A right answer, and that it is false.
        DeniedAfter = "denied_after",
        /// The question.
        QuestionRepeated = "question_repeated",
        /// The criteria's names and descriptions, each with a mark behind it.
        FakeRubric = "fake_rubric",
    }
);

/// A text that is to talk, or to trick, a grader into points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attack {
    /// What it tries.
    pub technique: AttackTechnique,
    /// The place of the weak answer that it is made over, among those of [`AttackTask::bases`]; none where it stands by
    /// itself. Then the clean text is an empty one, which earns nothing.
    pub base: Option<usize>,
    /// What is handed in.
    pub text: String,
}
