//! Money that AI calls cost, in whole millionths of a US dollar.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// An amount in millionths of a US dollar, the unit in which a token's price is a small whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MicroUsd(u64);

impl MicroUsd {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// An amount in millionths of a dollar.
    pub const fn new(millionths: u64) -> Self {
        Self(millionths)
    }

    /// The amount in millionths of a dollar.
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// What `tokens` cost at this price per million tokens, rounded up: a budget is never overdrawn by rounding.
    #[must_use]
    pub const fn for_tokens(self, tokens: u64) -> Self {
        Self(self.0.saturating_mul(tokens).div_ceil(1_000_000))
    }

    /// What is left after `other` is taken away; nothing if that is more.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for MicroUsd {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for MicroUsd {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for MicroUsd {
    /// Dollars with all six places, such as `0.004200`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cost_their_share_of_the_price_rounded_up() {
        let per_million = MicroUsd::new(2_500_000);
        assert_eq!(per_million.for_tokens(1_000_000), per_million);
        assert_eq!(per_million.for_tokens(1), MicroUsd::new(3));
        assert_eq!(per_million.for_tokens(0), MicroUsd::ZERO);
    }

    #[test]
    fn amounts_are_written_in_dollars() {
        let sum: MicroUsd = [MicroUsd::new(1_000_000), MicroUsd::new(4_200)]
            .into_iter()
            .sum();
        assert_eq!(sum.to_string(), "1.004200");
        assert_eq!(MicroUsd::new(1).minus(sum), MicroUsd::ZERO);
    }
}
