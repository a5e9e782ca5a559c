//! How far a long command has come: a bar on a terminal, and nothing where nobody watches.
//!
//! Bars are drawn on the standard error and taken away before anything else is said, so they never mix with what a
//! command prints, `--json` or not.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::interruption::{Interrupted, Interruption};

/// A bar that takes itself away, also when the work fails: what follows starts on a clean line.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Of things that are counted.
    pub fn of(total: u64, doing: &'static str) -> Self {
        Self::drawn(
            ProgressBar::new(total),
            "{msg} {bar:30} {pos} of {len}, {eta} left",
            doing,
        )
    }

    /// Of bytes.
    pub fn of_bytes(total: u64, doing: &'static str) -> Self {
        Self::drawn(
            ProgressBar::new(total),
            "{msg} {bar:30} {bytes} of {total_bytes}, {eta} left",
            doing,
        )
    }

    /// Of what has no known end: it only counts.
    pub fn counting(doing: &'static str) -> Self {
        Self::drawn(ProgressBar::new_spinner(), "{spinner} {msg} {pos}", doing)
    }

    /// Of somebody else's work.
    pub fn waiting(doing: &'static str) -> Self {
        Self::drawn(ProgressBar::new_spinner(), "{spinner} {msg}", doing)
    }

    /// Of work that nobody watches.
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    fn drawn(bar: ProgressBar, template: &str, doing: &'static str) -> Self {
        // A template of ours that would not parse leaves the plain bar: no reason to fail.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(doing);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// So much more is done.
    pub fn add(&self, more: u64) {
        self.0.inc(more);
    }

    /// So much is done.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }

    /// So much is done, of so much.
    pub fn at_of(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }

    /// How much is done.
    pub fn done(&self) -> u64 {
        self.0.position()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Work that may be long: it says how far it is and hears when it shall stop, in one call.
#[derive(Debug)]
pub struct LongWork {
    progress: Progress,
    interruption: Interruption,
}

impl LongWork {
    /// Work that is shown so and stopped so.
    pub const fn new(progress: Progress, interruption: Interruption) -> Self {
        Self {
            progress,
            interruption,
        }
    }

    /// Work of the service itself, at night.
    pub fn unwatched() -> Self {
        Self::new(Progress::hidden(), Interruption::never())
    }

    /// So much more is done, and the rest may follow.
    ///
    /// # Errors
    /// [`Interrupted`] if the rest shall not follow.
    pub fn advance(&self, more: u64) -> Result<(), Interrupted> {
        self.progress.add(more);
        self.interruption.check()
    }

    /// What stops it.
    pub const fn interruption(&self) -> &Interruption {
        &self.interruption
    }

    /// How much there is to do, where that was not known from the start.
    pub fn expect(&self, total: u64) {
        self.progress.at_of(self.progress.done(), total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_counted_and_goes_on_until_somebody_says_stop() {
        let work = LongWork::unwatched();
        work.expect(10);
        work.advance(3).unwrap();
        work.advance(4).unwrap();
        assert_eq!(work.progress.done(), 7);
    }
}
