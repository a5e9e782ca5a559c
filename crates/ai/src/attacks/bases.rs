//! The weak answers that attacks are made over, in turn.

use lyceum_domain::grading::red_team::{Attack, AttackTask, AttackTechnique};

/// So many characters of what is put beside a weak answer; with the longest of those it is far from the longest that may be
/// handed in.
const MOST_CHARS: usize = 20_000;

/// Weak answers, and whose turn it is.
pub(super) struct Bases {
    texts: Vec<String>,
    turn: usize,
}

impl Bases {
    pub(super) fn of(task: &AttackTask) -> Self {
        Self {
            texts: task.bases(),
            turn: 0,
        }
    }

    /// A text behind the next weak answer.
    pub(super) fn behind(&mut self, technique: AttackTechnique, text: &str) -> Attack {
        self.with(technique, |base| format!("{base}\n\n{}", clipped(text)))
    }

    /// A text before the next weak answer.
    pub(super) fn before(&mut self, technique: AttackTechnique, text: &str) -> Attack {
        self.with(technique, |base| format!("{}\n\n{base}", clipped(text)))
    }

    fn with(&mut self, technique: AttackTechnique, write: impl Fn(&str) -> String) -> Attack {
        let place = self.turn.checked_rem(self.texts.len());
        self.turn += 1;
        let base = place.and_then(|place| self.texts.get(place));
        Attack {
            technique,
            base: place,
            text: write(base.map_or("", String::as_str)),
        }
    }
}

/// As much of a text as an attack has.
pub(super) fn clipped(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| *c != '\0');
    kept.take(MOST_CHARS).collect()
}
