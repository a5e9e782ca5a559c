//! When PostgreSQL plans anew what is kept prepared.
//!
//! It keeps a plan until it hears that a table is another, from autovacuum, which looks once a minute. A plan that was made while a
//! table was almost empty reads all of it, and goes on to when it has thousands of rows: the first minute of a new installation, and of
//! a morning on which the table of replies is empty. How large a table is it sees whenever it plans, whatever it was told.

use std::sync::atomic::{AtomicU32, Ordering};

/// Has a session plan anew, each statement when it is next used.
pub const ANEW: &str = "DISCARD PLANS";

/// Fewer uses than this are planned one by one anyway.
const FEW: u32 = 8;

/// How often what a session keeps prepared was used.
pub struct Plans {
    uses: AtomicU32,
    every: u32,
}

impl Plans {
    /// Of a new session, where no plan is to be older than so many uses. What is used grows fastest at first: until then no plan stays for
    /// more uses than there were before it.
    pub const fn renewed_every(every: u32) -> Self {
        Self {
            uses: AtomicU32::new(0),
            every,
        }
    }

    /// Counts one more, and says whether it is to be planned anew.
    pub fn are_due(&self) -> bool {
        let uses = self.uses.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        uses >= FEW && (uses.is_power_of_two() || uses.is_multiple_of(self.every))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_renewed_often_at_first_and_never_grow_old() {
        let plans = Plans::renewed_every(48);
        let due: Vec<u32> = (1..=200).filter(|_| plans.are_due()).collect();
        assert_eq!(due, [8, 16, 32, 48, 64, 96, 128, 144, 192]);
    }
}
