//! Whether what was answered is there afterwards: a server that forgets is fast.

use anyhow::{Context, ensure};

use crate::figures::number;
use crate::load::{Load, Measured};

/// New courses that were answered, beside those that are there.
#[derive(Debug)]
pub struct Kept {
    before: u64,
    answered: f64,
    unanswered: f64,
}

impl Kept {
    /// From so many courses on.
    pub fn since(before: u64) -> Self {
        Self {
            before,
            answered: 0.0,
            unanswered: 0.0,
        }
    }

    /// One round more of this load; its connections may each have had a request under way at the end.
    pub fn note(&mut self, load: &Load, measured: &Measured) {
        self.answered += measured.created;
        self.unanswered += number(load.connections);
    }

    /// Holds it against how many courses there are now.
    ///
    /// # Errors
    /// If there are fewer than were answered, or more than were asked for.
    pub fn is_there(&self, now: u64) -> anyhow::Result<()> {
        let grown = now.checked_sub(self.before).context("courses are gone")?;
        let (grown, least) = (number(grown), self.answered);
        let most = least + self.unanswered;
        ensure!(
            grown >= least && grown <= most,
            "{least} new courses were answered and at most {most} asked for, but {grown} are there"
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Asked;
    use crate::report::tests::measured;

    #[test]
    fn what_was_answered_is_there_and_no_more_than_was_asked_for() {
        let load = Load {
            asked: Asked::new_courses(),
            keys: Vec::new(),
            connections: 4,
            seconds: 1,
        };
        let round = Measured {
            created: 10.0,
            ..measured()
        };
        let mut kept = Kept::since(100);
        kept.note(&load, &round);
        kept.note(&load, &round);
        let right = [99, 119, 120, 128, 129].map(|now| kept.is_there(now).is_ok());
        assert_eq!(right, [false, false, true, true, false]);
    }
}
