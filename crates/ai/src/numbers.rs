//! Counts and shares as the numbers that scores are made of.

/// A share of a whole as a number from 0 to 1; 0 of nothing.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    count(part) / count(whole)
}

/// A count as a floating-point number; texts are capped far below the limit.
pub(crate) fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
