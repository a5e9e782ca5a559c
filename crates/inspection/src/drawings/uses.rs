//! How much there is to draw: elements may stand for others many times over, and those for others again, so that a few lines
//! keep a browser busy for good.

use std::collections::HashMap;

use crate::reading::{Looked, damaged};

/// How many elements a drawing may come to.
const MOST_DRAWN: u64 = 200_000;
/// How far it may go from one element with an id to the next, within each other or by standing for each other.
const MOST_STEPS: u32 = 500;

/// What the whole drawing is called here; no id is empty.
const ALL: &str = "";

/// What is in an element that has an id, without what is in others within it.
#[derive(Default)]
struct Inside {
    elements: u64,
    /// The ids of those within it, and of those that something in it stands for.
    others: Vec<String>,
}

/// Counts elements as they come.
#[derive(Default)]
pub struct Uses {
    inside: HashMap<String, Inside>,
    /// For each open element the id it has, if any.
    open: Vec<Option<String>>,
}

impl Uses {
    /// An element begins.
    pub fn begin(&mut self, id: Option<&str>, stands_for: Option<&str>) {
        // An id that is there twice is the outer one's.
        let is_new = |id: &&str| self.open.iter().flatten().all(|open| open != id);
        let id = id.filter(|id| !id.is_empty()).filter(is_new);
        if let Some(id) = id {
            self.innermost().others.push(id.to_owned());
        }
        self.open.push(id.map(str::to_owned));
        let innermost = self.innermost();
        innermost.elements += 1;
        innermost.others.extend(stands_for.map(str::to_owned));
    }

    fn innermost(&mut self) -> &mut Inside {
        let id = self.open.iter().rev().flatten().next();
        let id = id.map_or(ALL, String::as_str);
        self.inside.entry(id.to_owned()).or_default()
    }

    /// It ends.
    pub fn end(&mut self) {
        self.open.pop();
    }

    /// Refuses what comes to more than browsers should be asked for.
    pub fn check(&self) -> Looked<()> {
        let drawn = self.drawn(ALL, MOST_STEPS, &mut HashMap::new());
        let is_fair = drawn.is_some_and(|drawn| drawn <= MOST_DRAWN);
        is_fair
            .then_some(())
            .ok_or_else(|| damaged("it repeats parts of itself without end"))
    }

    /// How many elements something comes to; none if it stands for itself.
    fn drawn<'a>(
        &'a self,
        id: &'a str,
        steps: u32,
        known: &mut HashMap<&'a str, u64>,
    ) -> Option<u64> {
        if let Some(known) = known.get(id) {
            return Some(*known);
        }
        let Some(inside) = self.inside.get(id) else {
            return Some(0);
        };
        let steps = steps.checked_sub(1)?;
        let mut sum = inside.elements;
        for other in &inside.others {
            sum = sum.saturating_add(self.drawn(other, steps, known)?);
        }
        known.insert(id, sum);
        Some(sum)
    }
}
