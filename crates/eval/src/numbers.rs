//! Counting in floating point.

/// A count as a number to calculate with; counts of answers stay far below where this would round.
pub fn count(of: usize) -> f64 {
    u32::try_from(of).map_or(f64::from(u32::MAX), f64::from)
}

/// Rounded to four decimals, so that reports made on different machines are equal to the byte.
pub fn rounded(number: f64) -> f64 {
    // Adding zero turns a negative zero into zero.
    (number * 10_000.0).round() / 10_000.0 + 0.0
}

/// The mean, of at least one number.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / count(numbers.len()))
}

/// The `share`-th quantile (0..=1), the nearest rank.
pub fn quantile(numbers: &[f64], share: f64) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let place = (count(last) * share.clamp(0.0, 1.0)).round();
    // The text of a rounded float has no fraction, so reading it back needs no cast.
    let at = format!("{place:.0}").parse().unwrap_or(last);
    sorted.get(at).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_found_by_rank() {
        let numbers = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(quantile(&numbers, 0.5), Some(3.0));
        assert_eq!(quantile(&numbers, 0.95), Some(5.0));
        assert_eq!(quantile(&numbers, 0.0), Some(1.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
