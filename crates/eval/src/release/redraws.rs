//! Certificates tried for, again and again, by classes drawn from tasks.

use std::num::NonZeroU32;

use lyceum_domain::Id;
use lyceum_domain::draws::Draws;
use lyceum_domain::grading::certificates::declaration::{
    Declaration, NewDeclaration, Releasable, Sample, Terms,
};
use lyceum_domain::grading::release::draw::Seed;
use lyceum_domain::grading::release::offer;
use lyceum_domain::grading::release::thresholds::{Test, Verdict, look};
use lyceum_domain::ids::SubmissionId;
use uuid::Uuid;

use super::grading::Task;
use super::shares::{Share, part};
use super::{ReleaseRow, Simulation};
use crate::numbers::count;

/// What a promise is tried with.
#[derive(Clone, Copy)]
struct Trying {
    max_disagreement: u8,
    terms: Terms,
    tests: u32,
    as_offered: bool,
}

/// What came of one try.
#[derive(Default)]
struct Tried {
    drawn: u32,
    is_certified: bool,
    out: usize,
    wrong: usize,
    unseen: usize,
    broken_at_hand: bool,
    broken_of_later: bool,
}

/// What each promise comes to with each number of tests, tried everywhere and where it is offered.
pub fn rows(simulation: &Simulation, tasks: &[Task]) -> Vec<ReleaseRow> {
    let mut rows = Vec::new();
    for max_disagreement in &simulation.promises {
        let Some(terms) = simulation.terms(*max_disagreement) else {
            continue;
        };
        for tests in &simulation.tests {
            for as_offered in [false, true] {
                let trying = Trying {
                    max_disagreement: *max_disagreement,
                    terms,
                    tests: *tests,
                    as_offered,
                };
                rows.push(trying.row(simulation, tasks));
            }
        }
    }
    rows
}

impl Trying {
    fn row(self, simulation: &Simulation, tasks: &[Task]) -> ReleaseRow {
        let of_tasks: Vec<Vec<Tried>> = tasks
            .iter()
            .filter_map(|task| self.at_floor(task)?.tries(simulation, task).into())
            .collect();
        let mean = |of: &dyn Fn(&Tried) -> f64| {
            let of_task =
                |tries: &Vec<Tried>| tries.iter().map(of).sum::<f64>() / count(tries.len());
            Share::of(&of_tasks.iter().map(of_task).collect::<Vec<f64>>())
        };
        let is = |said: bool| f64::from(u8::from(said));
        let tries = || of_tasks.iter().flatten();
        let drawn = tries().filter(|one| one.drawn > 0);
        let drawn: Vec<u32> = drawn.map(|one| one.drawn).collect();
        let total = |of: fn(&Tried) -> usize| tries().map(of).sum::<usize>();
        let certified = tries().filter(|one| one.is_certified);
        let unseen = certified.map(|one| one.unseen).sum();
        ReleaseRow {
            max_disagreement: self.max_disagreement,
            tests: self.tests,
            as_offered: self.as_offered,
            tried: part(of_tasks.len(), tasks.len()).unwrap_or_default(),
            tries: u32::try_from(tries().count()).unwrap_or(u32::MAX),
            drawn: (!drawn.is_empty())
                .then(|| f64::from(drawn.iter().sum::<u32>()) / count(drawn.len())),
            certified: mean(&|one| is(one.is_certified)),
            released: mean(&|one| part(one.out, one.unseen).unwrap_or_default()),
            released_where_certified: part(total(|one| one.out), unseen),
            disagreement: part(total(|one| one.wrong), total(|one| one.out)),
            broken_at_hand: mean(&|one| is(one.broken_at_hand)),
            broken_of_later: mean(&|one| is(one.broken_of_later)),
        }
    }

    /// The same with the confidence down to which a task is worth it; none where it is not offered.
    fn at_floor(mut self, task: &Task) -> Option<Self> {
        if !self.as_offered {
            return Some(self);
        }
        let promise = self.terms.promise(NonZeroU32::MIN);
        let least = promise.fewest_tests(0, None).unwrap_or_default();
        self.terms.floor = offer::floor(&task.examples, self.tests.max(least), promise)?;
        Some(self)
    }

    /// Every class has its own number, so that what is drawn for one promise is drawn for each.
    fn tries(self, simulation: &Simulation, task: &Task) -> Vec<Tried> {
        let draws = Draws::named(simulation.choice.seed, &task.id);
        let class_of = |number: u32| {
            let mut draws = draws.apart(&number.to_string());
            (class(simulation.class, task, &mut draws), seed(&mut draws))
        };
        let classes = (0..simulation.redraws).map(class_of);
        classes
            .map(|(class, seed)| self.once(task, &class, &seed))
            .collect()
    }

    fn once(self, task: &Task, class: &[Option<Test>], seed: &Seed) -> Tried {
        let population = class.iter().zip(0_u128..).filter_map(|(one, number)| {
            let test = (*one)?;
            Some(Releasable {
                submission_id: submission(number),
                confidence: test.confidence,
            })
        });
        let new = NewDeclaration {
            terms: self.terms,
            grader_hash: String::new(),
            red_team_hash: None,
            looks_spent: 0,
            tests: Some(self.tests),
            population: population.collect(),
        };
        let Ok((declaration, sample)) = new.declare(seed) else {
            return Tried {
                unseen: class.len(),
                ..Tried::default()
            };
        };
        self.looked(task, class, &declaration, &sample)
    }

    fn looked(
        self,
        task: &Task,
        class: &[Option<Test>],
        declaration: &Declaration,
        sample: &Sample,
    ) -> Tried {
        let of = |id: &SubmissionId| {
            let number = usize::try_from(id.uuid().as_u128()).ok()?;
            *class.get(number)?
        };
        let tests: Vec<Test> = sample.submission_ids.iter().filter_map(of).collect();
        let looked = look(
            &declaration.confidences(&[]),
            &tests,
            self.terms.promise(sample.look),
            self.terms.floor,
        );
        let mut tried = Tried {
            drawn: u32::try_from(tests.len()).unwrap_or(u32::MAX),
            unseen: class.len() - tests.len(),
            ..Tried::default()
        };
        let Verdict::Certified(tested) = looked.verdict else {
            return tried;
        };
        let is_out = |one: &&Test| one.confidence >= tested.confidence;
        let at_hand = class.iter().flatten().filter(is_out);
        let drawn = tests.iter().filter(is_out);
        tried.is_certified = true;
        tried.out = at_hand.clone().count() - drawn.clone().count();
        tried.wrong = errors(at_hand) - errors(drawn);
        tried.broken_at_hand = self.is_more(tried.wrong, tried.out);
        let source = task.answers.iter().flatten().filter(is_out);
        tried.broken_of_later = self.is_more(errors(source.clone()), source.count());
        tried
    }

    /// Whether so many of so many are more than was promised.
    fn is_more(self, wrong: usize, of: usize) -> bool {
        100 * wrong > usize::from(self.max_disagreement) * of
    }
}

fn errors<'a>(tests: impl Iterator<Item = &'a Test>) -> usize {
    tests.filter(|one| one.is_error).count()
}

/// So many answers like those of the task.
fn class(size: usize, task: &Task, draws: &mut Draws) -> Vec<Option<Test>> {
    let mut one = |_| {
        let at = draws.below(task.answers.len());
        task.answers.get(at).copied().flatten()
    };
    (0..size).map(&mut one).collect()
}

fn seed(draws: &mut Draws) -> Seed {
    let mut bytes = [0; 32];
    for eight in bytes.chunks_mut(8) {
        eight.copy_from_slice(&draws.next().to_le_bytes());
    }
    Seed::new(bytes)
}

fn submission(number: u128) -> SubmissionId {
    Id::from_uuid(Uuid::from_u128(number))
}
