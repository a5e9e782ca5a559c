//! Who stands in line for what ([`Line`]), and what a transaction came to wait for.
//!
//! At REPEATABLE READ the second who changes a row fails, however the statement is written, and so does whoever waits
//! for it: what they see was taken before. So nobody waits inside a transaction. One that meets others is given up, and
//! run again by whoever is first in the lines that it met: those of one process wait for each other without a
//! connection, and the first of each process for the first of the others (`postgres.rs`).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_ports::store::Line;
use tokio::sync::{Mutex as Waiting, OwnedMutexGuard};

type Heads = Arc<Mutex<HashMap<Line, Arc<Waiting<()>>>>>;

/// The lines of a process; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Lines(Heads);

/// Standing in a line, and being first in it once it is held, until it is dropped.
#[derive(Debug)]
pub struct First {
    line: Line,
    head: Arc<Waiting<()>>,
    held: Option<OwnedMutexGuard<()>>,
    heads: Heads,
}

impl Lines {
    /// Waits to be first in all of these, one after the other in their order, so that nobody waits for each other.
    pub async fn wait(&self, lines: &BTreeSet<Line>) -> Vec<First> {
        let mut first = Vec::with_capacity(lines.len());
        for line in lines {
            let mut one = self.join(line.clone());
            one.held = Some(Arc::clone(&one.head).lock_owned().await);
            first.push(one);
        }
        first
    }

    fn join(&self, line: Line) -> First {
        let mut heads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        First {
            head: Arc::clone(heads.entry(line.clone()).or_default()),
            line,
            held: None,
            heads: Arc::clone(&self.0),
        }
    }

    /// Whether anybody stands there.
    pub fn is_stood_in(&self, line: &Line) -> bool {
        let heads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heads.contains_key(line)
    }
}

impl Drop for First {
    fn drop(&mut self) {
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        self.held = None;
        // The table has it, and this; whoever waits has it too.
        if Arc::strong_count(&self.head) == 2 {
            heads.remove(&self.line);
        }
    }
}

/// The number under which nodes know a line. Two lines of one number wait for each other, which is no harm.
pub fn number(line: &Line) -> i64 {
    // FNV-1a: the same in every version of the program, which the standard library's hashes need not be.
    let hash = line
        .as_str()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    i64::from_be_bytes(hash.to_be_bytes())
}

/// What a piece of work has met in its runs so far.
#[derive(Debug, Default)]
pub struct Met {
    /// Where it stands in line from its next run on.
    pub lines: BTreeSet<Line>,
    /// What was taken when it looked for it in vain: twice the same is no race.
    taken: BTreeSet<Line>,
    /// Whether something that it refers to was gone.
    dangled: bool,
}

impl Met {
    /// Somebody was faster with a unique value. Whether it may be otherwise with what they left in view.
    pub fn taken(&mut self, what: Line) -> bool {
        let is_new = self.taken.insert(what.clone());
        self.lines.insert(what);
        is_new
    }

    /// Something that was referred to is gone. Whether it may be otherwise with that in view.
    pub const fn dangled(&mut self) -> bool {
        let is_new = !self.dangled;
        self.dangled = true;
        is_new
    }
}

/// The place of one run among others: where it stands, and what it meets.
#[derive(Debug)]
pub struct Among<'a> {
    /// In which lines it is first.
    pub first_in: &'a BTreeSet<Line>,
    /// All of this process.
    pub lines: &'a Lines,
    /// What it met.
    pub met: &'a mut Met,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(names: &[&str]) -> BTreeSet<Line> {
        names.iter().map(Line::at).collect()
    }

    #[tokio::test]
    async fn those_in_one_line_are_served_in_the_order_of_their_coming() {
        let all = Lines::default();
        let wanted = lines(&["a"]);
        let first = all.wait(&wanted).await;
        let served = Arc::new(Mutex::new(Vec::new()));
        let waiting: Vec<_> = (0..5)
            .map(|number| {
                let (all, wanted, served) = (all.clone(), wanted.clone(), Arc::clone(&served));
                tokio::spawn(async move {
                    let _first = all.wait(&wanted).await;
                    served.lock().unwrap().push(number);
                })
            })
            .collect();
        tokio::task::yield_now().await;
        assert!(served.lock().unwrap().is_empty());
        drop(first);
        for one in waiting {
            one.await.unwrap();
        }
        assert_eq!(*served.lock().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn a_line_in_which_nobody_stands_is_forgotten() {
        let all = Lines::default();
        let first = all.wait(&lines(&["a", "b"])).await;
        assert!(all.is_stood_in(&Line::at("a")) && all.is_stood_in(&Line::at("b")));
        drop(first);
        assert!(!all.is_stood_in(&Line::at("a")));
        assert!(all.0.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn whoever_gives_up_waiting_leaves_the_line() {
        let all = Lines::default();
        let wanted = lines(&["a"]);
        let first = all.wait(&wanted).await;
        let gone = tokio::time::timeout(std::time::Duration::ZERO, all.wait(&wanted)).await;
        assert!(gone.is_err());
        drop(first);
        assert!(all.0.lock().unwrap().is_empty());
    }

    #[test]
    fn the_same_unique_value_taken_twice_is_no_race() {
        let mut met = Met::default();
        assert!(met.taken(Line::at("attempt 1")));
        assert!(met.taken(Line::at("attempt 2")));
        assert!(!met.taken(Line::at("attempt 1")));
        assert!(met.dangled() && !met.dangled());
    }
}
