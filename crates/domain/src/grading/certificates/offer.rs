//! Whether a try for a certificate is worth it, told before anybody grades an answer for one.
//!
//! It rests on examples, each graded by AI as if it had not seen them. Examples may have been chosen, so what follows from them is
//! advice: it proves nothing, and no test is spared by it.

use std::num::NonZeroU32;

use super::declaration::Terms;
use crate::authoring::assignments::HumanReview;
use crate::authoring::release_terms::ReleaseTerms;
use crate::grading::grades::{Judgement, LandingFacts, Release, least_confidence, route};
use crate::grading::release::Rate;
use crate::grading::release::bounds::Drawn;
use crate::grading::release::disagreement::Disagreement;
use crate::grading::release::offer;
use crate::grading::release::thresholds::Test;
use crate::points::Points;

/// A try is reckoned with as many tests as bear so many errors.
const BORNE: [u32; 3] = [0, 1, 3];
/// A try that nobody says a number for draws as many as bear so many errors.
const USUALLY_BORNE: u32 = 1;
/// A number that asks for no look by itself.
const NO_AUDIT: u32 = 1;

/// What is known of an assignment before a try.
#[derive(Debug, Clone, PartialEq)]
pub struct Beforehand {
    /// What has to be promised.
    pub terms: Terms,
    /// How many looks the assignment has spent.
    pub looks_spent: u32,
    /// How many answers wait that could be drawn from.
    pub at_hand: u32,
    /// What became of the examples that could have gone out.
    pub examples: Vec<Test>,
}

/// What a try is worth, as far as examples say.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// How many answers wait that could be drawn from.
    pub at_hand: u32,
    /// With how many it could be tried, if AI were equally sure of all; none where no number is enough.
    pub needed: Option<u32>,
    /// On how many of how many examples AI and teacher disagree. Only those count that are sure enough and that nothing else
    /// would hold.
    pub examples: Drawn,
    /// What tests of several numbers would come to.
    pub tries: Vec<Trial>,
    /// The lowest promise that is likely enough to be worth a try, in hundredths; none where none is.
    pub least_offered: Option<u8>,
}

/// What so many tests would come to, as far as examples say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// How many answers would be graded blind.
    pub tests: u32,
    /// With how many errors among them the promise would still hold.
    pub borne: u32,
    /// The chance that it holds down to `floor`; where it is not offered, the best that there is. None without an example.
    pub chance: Option<f64>,
    /// The lowest confidence, in hundredths, down to which the chance is at least one in five: where tests would be drawn.
    /// None where the promise is not offered.
    pub floor: Option<u8>,
}

/// An example as a test sees it: both grades of it, and how sure AI was; none where something else would hold AI's.
pub fn as_test(
    by_ai: &Judgement,
    teacher: Points,
    max: Points,
    rule: Disagreement,
) -> Option<Test> {
    let facts = LandingFacts {
        release: Release::Certified,
        ..LandingFacts::settled(HumanReview::Optional)
    };
    let is_held = route(by_ai, max, facts, NO_AUDIT).held;
    let confidence = least_confidence(by_ai).filter(|_| !is_held)?;
    Some(Test {
        confidence,
        is_error: rule.between(by_ai.score, teacher, max),
    })
}

impl Beforehand {
    /// What a try is worth.
    pub fn offer(mut self) -> Offer {
        let floor = self.terms.floor;
        self.examples.retain(|one| one.confidence >= floor);
        let trials = BORNE
            .into_iter()
            .filter_map(|borne| self.trial(&self.terms, borne));
        let mut tries: Vec<Trial> = trials.collect();
        tries.dedup_by_key(|one| one.tests);
        Offer {
            at_hand: self.at_hand,
            needed: self.terms.needed(self.look()),
            examples: Drawn::count(self.examples.iter().map(|one| one.is_error)),
            least_offered: self.least_offered(),
            tries,
        }
    }

    fn look(&self) -> NonZeroU32 {
        NonZeroU32::MIN.saturating_add(self.looks_spent)
    }

    fn trial(&self, terms: &Terms, borne: u32) -> Option<Trial> {
        let promise = terms.promise(self.look());
        // Of too few at hand it is told what enough of them would come to.
        let of_these = promise.fewest_tests(borne, Some(self.at_hand));
        let of_these = of_these.filter(|tests| terms.leaves_some(*tests, self.at_hand));
        let tests = of_these.or_else(|| promise.fewest_tests(borne, None))?;
        let floor = offer::floor(&self.examples, tests, promise);
        let all = offer::down_to(&self.examples).into_iter();
        let counted = all.filter(|(confidence, _)| floor.is_none_or(|floor| floor == *confidence));
        let chances = counted.map(|(_, seen)| offer::chance(seen, tests, promise, None));
        Some(Trial {
            tests,
            borne,
            chance: chances.reduce(f64::max),
            floor,
        })
    }

    fn least_offered(&self) -> Option<u8> {
        let (least, most) = ReleaseTerms::MAX_DISAGREEMENT;
        let range = u8::try_from(least).ok()?..=u8::try_from(most).ok()?;
        range.into_iter().find(|percent| {
            let terms = Terms {
                max_disagreement: Rate::percent((*percent).into()),
                ..self.terms
            };
            let trial = self.trial(&terms, USUALLY_BORNE);
            trial.is_some_and(|trial| trial.floor.is_some())
        })
    }
}

impl Offer {
    /// How many more answers have to wait before it can be tried; none where no number is enough.
    pub fn missing(&self) -> Option<u32> {
        let needed = self.needed?;
        Some(needed.saturating_sub(self.at_hand))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::grades::CriterionResult;

    fn beforehand(at_hand: u32, examples: &[(u8, bool)]) -> Beforehand {
        let test = |(confidence, is_error): &(u8, bool)| Test {
            confidence: *confidence,
            is_error: *is_error,
        };
        Beforehand {
            terms: Terms::from(&ReleaseTerms::default()),
            looks_spent: 0,
            at_hand,
            examples: examples.iter().map(test).collect(),
        }
    }

    fn right(count: usize) -> Vec<(u8, bool)> {
        vec![(90, false); count]
    }

    #[test]
    fn it_says_how_many_answers_are_missing_before_anybody_grades_one() {
        let none = beforehand(6, &[]).offer();
        assert_eq!((none.needed, none.missing()), (Some(16), Some(10)));
        let enough = beforehand(45, &[]).offer();
        assert_eq!((enough.needed, enough.missing()), (Some(16), Some(0)));
        let later = Beforehand {
            looks_spent: 2,
            ..beforehand(6, &[])
        };
        assert!(
            later.offer().needed > none.needed,
            "a later look takes more"
        );
    }

    #[test]
    fn the_chance_grows_with_the_tests_and_shrinks_with_errors() {
        let good = beforehand(200, &right(10)).offer();
        let chances: Vec<f64> = good.tries.iter().filter_map(|one| one.chance).collect();
        assert_eq!(chances.len(), 3, "{good:?}");
        assert!(chances.is_sorted() && chances[0] > 0.5, "{chances:?}");
        let mut some = right(10);
        some.extend([(90, true), (90, true), (90, true)]);
        let worse = beforehand(200, &some).offer();
        assert_eq!((worse.examples.errors(), worse.examples.tests()), (3, 13));
        assert!(worse.tries[1].chance < good.tries[1].chance);
    }

    #[test]
    fn tests_are_drawn_only_where_being_certified_is_likely() {
        let mut mixed = right(9);
        mixed.extend([(40, true); 5]);
        let found = beforehand(200, &mixed).offer();
        assert_eq!(found.tries[1].floor, Some(90), "{found:?}");
        let bad = beforehand(200, &[(90, true); 10]).offer();
        assert_eq!((bad.tries[1].floor, bad.least_offered), (None, None));
        assert!(bad.tries[1].chance < Some(0.2));
    }

    #[test]
    fn the_lowest_promise_that_is_worth_a_try_is_named() {
        let offered = beforehand(400, &right(10)).offer().least_offered;
        assert!((5..20).contains(&offered.unwrap()), "{offered:?}");
        let mut some = right(8);
        some.extend([(90, true), (90, true)]);
        let less = beforehand(400, &some).offer().least_offered;
        assert!(less > offered, "{less:?}");
    }

    #[test]
    fn what_is_less_sure_than_would_ever_go_out_is_no_example() {
        let mut one = beforehand(200, &[(90, false), (30, true)]);
        one.terms.floor = 50;
        assert_eq!(one.offer().examples, Drawn::count([false]));
        let none = beforehand(200, &[]).offer();
        assert_eq!((none.tries[0].chance, none.least_offered), (None, None));
    }

    #[test]
    fn an_example_that_would_wait_anyway_says_nothing() {
        let judged = |confidence, reasons: &[&str]| Judgement {
            criteria: vec![CriterionResult {
                criterion_id: "a".to_owned(),
                name: "A".to_owned(),
                level_id: None,
                score: Points::whole(9),
                max_score: Points::whole(10),
                rationale: String::new(),
                evidence: Vec::new(),
                confidence,
                missing: Vec::new(),
                not_judged: None,
            }],
            score: Points::whole(9),
            review_reasons: reasons.iter().map(|&one| one.to_owned()).collect(),
        };
        let ten = Points::whole(10);
        let seen = |judged: &Judgement, teacher| {
            as_test(judged, Points::whole(teacher), ten, Disagreement::default())
        };
        let sure = judged(Some(90), &[]);
        assert_eq!(seen(&sure, 9).map(|one| one.is_error), Some(false));
        assert_eq!(seen(&sure, 2).map(|one| one.is_error), Some(true));
        assert_eq!(seen(&judged(None, &[]), 9), None);
        assert_eq!(seen(&judged(Some(90), &["uncalibrated"]), 9), None);
    }
}
