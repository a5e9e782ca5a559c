//! Texts that are to talk, or to trick, a grader into points, made of what a teacher wrote.
//!
//! Nothing here grades, and nothing here knows how the graders of this crate work: attacks that were made with their weak places
//! in view would be found by them and by nobody else. No clock, network or randomness comes in but the seed.

mod bases;
mod crafting;
mod disguises;
mod orders;
mod persuading;
mod texts;
mod tricks;

#[cfg(test)]
mod tests;

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::red_team::{Attack, AttackTask};
use lyceum_ports::grading::attacking::{AttackMaker, TrickMaker};

use bases::Bases;

/// Makes attacks by itself, from word lists and the task's own words.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltinAttacks;

impl AttackMaker for BuiltinAttacks {
    fn attacks(&self, task: &AttackTask, seed: u64) -> Vec<Attack> {
        let (mut bases, draws) = (Bases::of(task), Draws::new(seed));
        let mut made = crafting::all(task, &mut bases, &draws);
        made.extend(persuading::all(
            &task.language,
            made.len(),
            &mut bases,
            &draws,
        ));
        made
    }
}

impl TrickMaker for BuiltinAttacks {
    fn of_task(&self, task: &AttackTask, draws: &mut Draws) -> Vec<Attack> {
        tricks::of_task(task, draws)
    }

    fn of_right_answer(&self, answer: &str, language: &str) -> Vec<Attack> {
        tricks::of_right_answer(answer, language)
    }
}
