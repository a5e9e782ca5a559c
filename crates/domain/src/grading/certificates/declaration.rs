//! What is promised about which answers, fixed before anybody grades one of them.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

pub use crate::authoring::release_terms::ReleaseScope;
use crate::authoring::release_terms::ReleaseTerms;
use crate::grading::release::bounds::Promise;
use crate::grading::release::disagreement::Disagreement;
use crate::grading::release::draw::Seed;
use crate::grading::release::thresholds::{Candidate, grid};
use crate::grading::release::{DELTA, Rate};
use crate::ids::SubmissionId;

/// With how many errors the first look of a declaration, the second and the third still hold.
const BEARABLE: [u32; 3] = [1, 3, 5];
/// Of how many answers at hand one looks for the fewest that are enough.
const MOST_AT_HAND: u32 = 2_000;

/// What a teacher asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The highest share of disagreements among what goes out.
    pub max_disagreement: Rate,
    /// What counts as one.
    pub disagreement: Disagreement,
    /// The lowest confidence that is ever tested, in hundredths.
    pub floor: u8,
    /// Which answers it is about.
    pub scope: ReleaseScope,
    /// What share of later answers is held for a blind look, after the first forty.
    pub audit_share: Rate,
}

impl From<&ReleaseTerms> for Terms {
    fn from(asked: &ReleaseTerms) -> Self {
        Self {
            max_disagreement: Rate::percent(asked.max_disagreement().into()),
            disagreement: Disagreement {
                points_share: asked.points_share(),
            },
            floor: asked.min_confidence(),
            scope: asked.scope(),
            audit_share: Rate::percent(asked.audit_share().into()),
        }
    }
}

impl Terms {
    /// The promise that look number 1, 2, 3, … of an assignment has to prove.
    pub fn promise(&self, look: NonZeroU32) -> Promise {
        Promise {
            max_disagreement: self.max_disagreement,
            delta: DELTA.of_look(look),
            of_later: self.scope == ReleaseScope::All,
        }
    }

    /// The fewest answers at hand with which a look of this number could prove the promise, if AI were equally sure of all; none
    /// where no number is enough.
    pub fn needed(&self, look: NonZeroU32) -> Option<u32> {
        (1..=MOST_AT_HAND).find(|at_hand| self.is_enough(look, *at_hand))
    }

    /// Whether so many answers, all of one confidence, are enough for a look at all.
    fn is_enough(&self, look: NonZeroU32, at_hand: u32) -> bool {
        let fewest = self.promise(look).fewest_tests(0, Some(at_hand));
        fewest.is_some_and(|tests| self.leaves_some(tests, at_hand))
    }

    /// Whether anything could go out after so many tests: of those at hand what is left, or later ones.
    pub(super) fn leaves_some(&self, tests: u32, at_hand: u32) -> bool {
        self.scope == ReleaseScope::All || tests < at_hand
    }
}

/// An answer that may go out, and how sure AI is of its grade, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Releasable {
    /// Whose answer it is.
    pub submission_id: SubmissionId,
    /// AI's confidence: a rank and nothing else.
    pub confidence: u8,
}

/// What is frozen while a certificate is sought or held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// What is asked for.
    pub terms: Terms,
    /// SHA-256 of everything that fixes a grade.
    pub grader_hash: String,
    /// SHA-256 of the report of attacks on this grader, where there is one.
    pub red_team_hash: Option<String>,
    /// The number of its first look in the life of the assignment.
    pub look: NonZeroU32,
    /// How many answers are drawn for its looks, growing.
    pub sizes: Vec<u32>,
    /// SHA-256 of the sealed seed.
    pub seed_hash: String,
    /// The answers at hand that may go out, by their ids; none below the floor.
    pub population: Vec<Releasable>,
}

/// The answers that are graded blind for a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The look's number in the life of the assignment.
    pub look: NonZeroU32,
    /// In the order of drawing; a later look of a declaration begins with those of the ones before.
    pub submission_ids: Vec<SubmissionId>,
    /// Which thresholds will be tested, fixed before the first grade.
    pub grid: Vec<Candidate>,
}

/// There are not enough answers for any promise like this. Nobody needs to grade one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{at_hand} answers may go out, and {needed:?} are needed")]
pub struct TooFewAtHand {
    /// How many may go out.
    pub at_hand: u32,
    /// With how many it could be tried, if AI were equally sure of all; none where no number is enough.
    pub needed: Option<u32>,
}

/// What is asked of a new declaration.
#[derive(Debug, Clone)]
pub struct NewDeclaration {
    /// What is asked for.
    pub terms: Terms,
    /// SHA-256 of everything that fixes a grade.
    pub grader_hash: String,
    /// SHA-256 of the report of attacks on this grader, where there is one.
    pub red_team_hash: Option<String>,
    /// How many looks the assignment has spent.
    pub looks_spent: u32,
    /// How many answers the teacher wants to grade for the first look, where a number was given.
    pub tests: Option<u32>,
    /// The answers that may go out, in any order.
    pub population: Vec<Releasable>,
}

impl NewDeclaration {
    /// Fixes it, and draws the first sample.
    ///
    /// # Errors
    /// [`TooFewAtHand`] where not even a sample without an error would prove the promise.
    pub fn declare(self, seed: &Seed) -> Result<(Declaration, Sample), TooFewAtHand> {
        let look = NonZeroU32::MIN.saturating_add(self.looks_spent);
        let mut population = self.population;
        population.retain(|one| one.confidence >= self.terms.floor);
        population.sort_unstable();
        population.dedup_by_key(|one| one.submission_id);
        let at_hand = number(population.len());
        let declaration = Declaration {
            sizes: sizes(&self.terms, look, at_hand, self.tests),
            terms: self.terms,
            grader_hash: self.grader_hash,
            red_team_hash: self.red_team_hash,
            look,
            seed_hash: seed.hash(),
            population,
        };
        let is_worth_it = |sample: &Sample| {
            let tests = number(sample.submission_ids.len());
            !sample.grid.is_empty() && declaration.terms.leaves_some(tests, at_hand)
        };
        let sample = declaration.draw(seed, look, &[]);
        match sample.filter(is_worth_it) {
            Some(sample) => Ok((declaration, sample)),
            None => Err(TooFewAtHand {
                at_hand,
                needed: declaration.terms.needed(look),
            }),
        }
    }
}

impl Declaration {
    /// The sample of a look; none where it has no such look. Who `left` is neither drawn nor at hand.
    pub fn draw(&self, seed: &Seed, look: NonZeroU32, left: &[SubmissionId]) -> Option<Sample> {
        let named: BTreeMap<String, SubmissionId> =
            self.ids().map(|id| (id.to_string(), id)).collect();
        let ids: Vec<&str> = named.keys().map(String::as_str).collect();
        let drawn = seed.sample(&ids, self.size(look)?).into_iter();
        let submission_ids = drawn.filter_map(|id| named.get(id).copied()).collect();
        Some(self.sample(look, submission_ids, left))
    }

    /// A sample of these answers without those who left. Its grid follows from confidences alone.
    #[must_use]
    pub fn sample(
        &self,
        look: NonZeroU32,
        submission_ids: Vec<SubmissionId>,
        left: &[SubmissionId],
    ) -> Sample {
        let stays = |id: &SubmissionId| !left.contains(id);
        let submission_ids: Vec<SubmissionId> = submission_ids.into_iter().filter(stays).collect();
        let drawn: Vec<u8> = submission_ids
            .iter()
            .filter_map(|id| self.confidence(*id))
            .collect();
        let grid = grid(
            &self.confidences(left),
            &drawn,
            self.terms.promise(look),
            self.terms.floor,
        );
        Sample {
            look,
            submission_ids,
            grid,
        }
    }

    /// The look after this one, where the declaration has one.
    pub fn look_after(&self, look: NonZeroU32) -> Option<NonZeroU32> {
        let next = look.saturating_add(1);
        self.size(next).map(|_| next)
    }

    /// How sure AI is of an answer at hand; none where it is not at hand.
    pub fn confidence(&self, id: SubmissionId) -> Option<u8> {
        let place = self
            .population
            .binary_search_by_key(&id, |one| one.submission_id);
        let one = place.ok().and_then(|place| self.population.get(place));
        one.map(|one| one.confidence)
    }

    /// How sure AI is of each answer at hand but those who left.
    pub fn confidences(&self, left: &[SubmissionId]) -> Vec<u8> {
        let stays = |one: &&Releasable| !left.contains(&one.submission_id);
        let all = self.population.iter().filter(stays);
        all.map(|one| one.confidence).collect()
    }

    fn ids(&self) -> impl Iterator<Item = SubmissionId> {
        self.population.iter().map(|one| one.submission_id)
    }

    fn size(&self, look: NonZeroU32) -> Option<usize> {
        let place = look.get().checked_sub(self.look.get())?;
        let size = self.sizes.get(usize::try_from(place).ok()?)?;
        usize::try_from(*size).ok()
    }
}

/// How many are drawn for the looks: with how few of those at hand one, three and five errors still hold, or as many as the
/// teacher wants; never fewer than hold without an error, never more than there are, and growing.
fn sizes(terms: &Terms, look: NonZeroU32, at_hand: u32, wanted: Option<u32>) -> Vec<u32> {
    let mut sizes: Vec<u32> = Vec::new();
    for (errors, step) in BEARABLE.into_iter().zip(0..) {
        let promise = terms.promise(look.saturating_add(step));
        let fewest = |errors| promise.fewest_tests(errors, Some(at_hand));
        let least = fewest(0);
        let usual = fewest(errors).or(least);
        let chosen = wanted.filter(|_| step == 0).or(usual);
        let size = chosen.max(least).unwrap_or(at_hand).min(at_hand);
        if sizes.last().is_none_or(|before| size > *before) {
            sizes.push(size);
        }
    }
    sizes
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
