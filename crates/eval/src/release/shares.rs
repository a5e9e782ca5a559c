//! Shares, and how far they vary from task to task.

use serde::{Deserialize, Serialize};

use crate::numbers::count;

/// A share, and what it may be off by for other tasks of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The mean of the tasks' shares.
    pub value: f64,
    /// Its standard error: the standard deviation between tasks over the root of their number, since tries of one task are alike. None of a
    /// single task.
    pub standard_error: Option<f64>,
}

impl Share {
    /// The mean of what each task came to; none without a task.
    pub fn of(tasks: &[f64]) -> Option<Self> {
        let n = count(tasks.len());
        let value = tasks.iter().sum::<f64>() / n;
        let squares: f64 = tasks.iter().map(|one| (one - value).powi(2)).sum();
        let error = (squares / (n - 1.0) / n).sqrt();
        (!tasks.is_empty()).then_some(Self {
            value,
            standard_error: (tasks.len() > 1).then_some(error),
        })
    }
}

/// One number as a part of another; none of nothing.
pub fn part(of: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| count(of) / count(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_vary_and_a_single_one_does_not_say_how_much() {
        assert_eq!(Share::of(&[]), None);
        assert_eq!(Share::of(&[0.5]).unwrap().standard_error, None);
        let two = Share::of(&[0.0, 1.0]).unwrap();
        assert!((two.value - 0.5).abs() < 1e-12);
        assert!((two.standard_error.unwrap() - 0.5).abs() < 1e-12);
    }
}
