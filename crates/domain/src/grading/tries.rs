//! Rubrics that are tried on an answer: what a grade would be, and which of what it rests on nobody has saved.

use crate::authoring::assignments::{FeedbackStyle, HumanReview};
use crate::authoring::rubric::Rubric;
use crate::grading::grades::{GradeStatus, HELD_BY_NO_LOT, Judgement, LandingFacts, route};
use crate::ids::AssignmentId;
use crate::points::Points;
use crate::text::LongText;
use crate::words::words;

words!(
    /// What a grade rests on, and may be tried before it is saved.
    UnsavedTerm {
        /// The rubric.
        Rubric = "rubric",
        /// The instructions.
        Instructions = "instructions",
        /// The model.
        Model = "model",
        /// How feedback is written.
        Feedback = "feedback",
        /// Whether a person looks at it.
        HumanReview = "human_review",
    }
);

/// What a grade rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct GradingTerms {
    /// What is judged.
    pub rubric: Rubric,
    /// What was to be done.
    pub instructions: LongText,
    /// The model that is asked; empty means the provider's own.
    pub model: String,
    /// How feedback is written.
    pub feedback: FeedbackStyle,
    /// Whether a person looks at it.
    pub human_review: HumanReview,
}

impl GradingTerms {
    /// Which of these are not as they are saved.
    pub fn unlike(&self, saved: &Self) -> Vec<UnsavedTerm> {
        let differ = [
            // Rubrics that say the same are the same, in whatever order their members came.
            (
                UnsavedTerm::Rubric,
                self.rubric.hash() != saved.rubric.hash(),
            ),
            (
                UnsavedTerm::Instructions,
                self.instructions != saved.instructions,
            ),
            (UnsavedTerm::Model, self.model != saved.model),
            (UnsavedTerm::Feedback, self.feedback != saved.feedback),
            (
                UnsavedTerm::HumanReview,
                self.human_review != saved.human_review,
            ),
        ];
        let unsaved = differ.into_iter().filter(|(_, differs)| *differs);
        unsaved.map(|(term, _)| term).collect()
    }
}

/// What a grade would be worth that is given to nobody.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The assignment.
    pub assignment_id: AssignmentId,
    /// Whether it would count, or wait for a person.
    pub status: GradeStatus,
    /// Why a person should look, sorted.
    pub reasons: Vec<String>,
    /// Best possible score.
    pub max_score: Points,
    /// SHA-256 of the rubric that it was judged by.
    pub rubric_hash: String,
    /// What it rests on that is not saved.
    pub unsaved: Vec<UnsavedTerm>,
}

impl Tried {
    /// Of a judgement by this rubric, on an assignment where these are the facts.
    pub fn of(
        (assignment_id, max_score): (AssignmentId, Points),
        rubric: &Rubric,
        unsaved: Vec<UnsavedTerm>,
        judgement: &Judgement,
        facts: LandingFacts,
    ) -> Self {
        let route = route(judgement, max_score, facts, HELD_BY_NO_LOT);
        Self {
            assignment_id,
            status: if route.held {
                GradeStatus::Suggested
            } else {
                GradeStatus::Final
            },
            reasons: route.reasons,
            max_score,
            rubric_hash: rubric.hash(),
            unsaved,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::assignments::Tone;
    use crate::text::LanguageTag;
    use crate::{Id, InvalidValue};

    fn terms() -> Result<GradingTerms, InvalidValue> {
        Ok(GradingTerms {
            rubric: Rubric::overall(),
            instructions: LongText::parse("Say why.")?,
            model: String::new(),
            feedback: FeedbackStyle::of_course(LanguageTag::parse("en")?),
            human_review: HumanReview::Optional,
        })
    }

    #[test]
    fn what_is_not_as_it_is_saved_is_named_and_nothing_else() {
        let saved = terms().unwrap();
        assert_eq!(saved.unlike(&saved), []);
        let mut asked = saved.clone();
        asked.rubric.criteria[0].weight = 200;
        assert_eq!(asked.unlike(&saved), [UnsavedTerm::Rubric]);
        asked.instructions = LongText::parse("Say how.").unwrap();
        asked.model = "builtin".to_owned();
        asked.feedback.tone = Tone::Demanding;
        asked.human_review = HumanReview::Off;
        assert_eq!(asked.unlike(&saved), UnsavedTerm::ALL);
    }

    #[test]
    fn a_grade_that_a_person_would_look_at_is_suggested() {
        let judged = Judgement {
            criteria: Vec::new(),
            score: Points::HUNDRED,
            review_reasons: Vec::new(),
        };
        let id = Id::from_uuid(<_>::default());
        let status = |review| {
            let facts = LandingFacts::settled(review);
            let by = Rubric::overall();
            Tried::of((id, Points::HUNDRED), &by, Vec::new(), &judged, facts).status
        };
        assert_eq!(status(HumanReview::Required), GradeStatus::Suggested);
        assert_eq!(status(HumanReview::Off), GradeStatus::Final);
    }
}
