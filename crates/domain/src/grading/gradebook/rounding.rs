//! Rounding of exact figures: the whole number nearest to one that is only compared with, and never divided.

/// The largest number up to `most` that `holds`, where all below one that holds do too; 0 always does.
pub(super) fn largest(most: u16, holds: impl Fn(u16) -> bool) -> u16 {
    let steps = (0..u16::BITS).rev().map(|bit| 1_u16 << bit);
    steps.fold(0, |found, step| {
        let further = found.checked_add(step).filter(|next| *next <= most);
        further.filter(|next| holds(*next)).unwrap_or(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_largest_that_holds_is_found(most in 0..=20_000_u16, limit in 0..=20_000_u16) {
            prop_assert_eq!(largest(most, |number| number <= limit), most.min(limit));
        }
    }
}
