//! The tasks of a data set, graded once each.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use lyceum_domain::grading::certificates::offer::as_test;
use lyceum_domain::grading::grades::judge;
use lyceum_domain::grading::release::disagreement::Disagreement;
use lyceum_domain::grading::release::thresholds::Test;
use lyceum_domain::points::Points;

use super::{FEWEST_ANSWERS, Simulation};
use crate::asking::{Asker, Ending, Outcome, Response};
use crate::dataset::DatasetError;
use crate::report::GraderPart;

/// A question, and what a grader that was shown its examples made of its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The question's name.
    pub id: String,
    /// What became of the examples that could have gone out, each graded by the others.
    pub examples: Vec<Test>,
    /// Of each other answer how sure the grader was, and whether a person disagrees; none where something else would hold it.
    pub answers: Vec<Option<Test>>,
}

/// Which answers of a task are graded, and with which role.
struct TaskPlan {
    question: usize,
    examples: Vec<usize>,
    others: Vec<usize>,
}

/// Grades every task that has enough answers.
pub async fn graded(
    simulation: &Simulation,
    asker: &Asker,
    seen: &mut GraderPart,
    tell: &(dyn Fn() + Sync),
) -> Result<Vec<Task>, DatasetError> {
    let mut tasks = Vec::new();
    for plan in plans(simulation)? {
        let question = simulation.dataset.questions.get(plan.question);
        // Each example is graded by the others, so one fewer.
        let fewer = simulation.examples.saturating_sub(1);
        let examples = tests(simulation, asker, seen, (&plan.examples, fewer), tell).await;
        let others = (plan.others.as_slice(), simulation.examples);
        let answers = tests(simulation, asker, seen, others, tell).await;
        if asker.tally().stop.is_some() {
            break;
        }
        tasks.push(Task {
            id: question.map_or_else(String::new, |question| question.id.clone()),
            examples: examples.into_iter().flatten().collect(),
            answers,
        });
    }
    Ok(tasks)
}

fn plans(simulation: &Simulation) -> Result<Vec<TaskPlan>, DatasetError> {
    let dataset = &simulation.dataset;
    let chosen: BTreeSet<usize> = dataset.choose(&simulation.choice)?.into_iter().collect();
    let mut plans = Vec::new();
    for question in 0..dataset.questions.len() {
        let all = dataset.examples(question, simulation.choice.seed);
        let examples = all.iter().copied().take(simulation.examples).collect();
        let others = all.iter().copied().skip(simulation.examples);
        let others: Vec<usize> = others.filter(|at| chosen.contains(at)).collect();
        if others.len() >= FEWEST_ANSWERS {
            plans.push(TaskPlan {
                question,
                examples,
                others,
            });
        }
    }
    if plans.is_empty() {
        let why = format!("no question has {FEWEST_ANSWERS} beside its examples");
        return Err(DatasetError::Empty(why));
    }
    Ok(plans)
}

impl Simulation {
    /// How many answers are graded in all, examples among them.
    ///
    /// # Errors
    /// [`DatasetError::Empty`], also where no question has enough answers.
    pub fn number(&self) -> Result<usize, DatasetError> {
        let plans = plans(self)?;
        let each = plans.iter();
        Ok(each
            .map(|plan| plan.examples.len() + plan.others.len())
            .sum())
    }
}

async fn tests(
    simulation: &Simulation,
    asker: &Asker,
    seen: &mut GraderPart,
    (places, examples): (&[usize], usize),
    tell: &(dyn Fn() + Sync),
) -> Vec<Option<Test>> {
    let grade = |at: usize| test(simulation, asker, at, examples);
    let mut graded = futures_util::stream::iter(places.iter().copied())
        .map(grade)
        .buffered(asker.at_once());
    let mut all = Vec::with_capacity(places.len());
    while let Some((response, test)) = graded.next().await {
        if let Some(response) = response {
            seen.note(&response.model, &response.prompt_version);
        }
        all.push(test);
        tell();
    }
    all
}

/// An answer as a test sees it. What the grader could not grade waits.
async fn test(
    simulation: &Simulation,
    asker: &Asker,
    at: usize,
    examples: usize,
) -> (Option<Box<Response>>, Option<Test>) {
    let dataset = &simulation.dataset;
    let task = dataset.task(at, examples, simulation.choice.seed, &asker.engine.model);
    let (Some(task), Some(answer)) = (task, dataset.answers.get(at)) else {
        return (None, None);
    };
    let rubric = task.rubric.clone();
    let Outcome::Answered(response) = asker.ask(task, 0).await else {
        return (None, None);
    };
    let Ending::Proposed(proposal) = &response.ending else {
        return (Some(response), None);
    };
    let by_ai = judge(
        &rubric,
        &answer.text,
        &proposal.clone().restored(),
        Points::HUNDRED,
    );
    let teacher = Points::from_number(answer.score * Points::HUNDRED.to_number());
    let rule = Disagreement {
        points_share: simulation.points_share,
    };
    let test = as_test(&by_ai, teacher, Points::HUNDRED, rule);
    (Some(response), test)
}
