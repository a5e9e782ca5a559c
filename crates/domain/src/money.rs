//! Money that AI calls cost, in whole millionths of a US dollar.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde_json::{Number, Value};

use crate::InvalidValue;

/// An amount in millionths of a US dollar, the unit in which a token's price is a small whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MicroUsd(u64);

/// So many hundredths of a number, rounded down; it is divided first where the product would be too large.
pub(crate) fn percent_of(number: u64, percent: u8) -> u64 {
    let percent = u64::from(percent);
    match number.checked_mul(percent) {
        Some(product) => product / 100,
        None => (number / 100).saturating_mul(percent),
    }
}

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

    /// Most dollars that a limit can name.
    pub const MAX_DOLLARS: u32 = 1_000_000;

    /// From dollars as a JSON number, to the nearest millionth.
    ///
    /// # Errors
    /// [`InvalidValue`] unless it is a number from 0 to [`Self::MAX_DOLLARS`].
    pub fn from_json(value: &Value) -> Result<Self, InvalidValue> {
        let number = value
            .as_f64()
            .filter(|_| value.is_number())
            .ok_or_else(|| InvalidValue::new("must be a number"))?;
        if !(0.0..=f64::from(Self::MAX_DOLLARS)).contains(&number) {
            return Err(InvalidValue::new("must be between 0 and 1000000"));
        }
        // The text of a rounded float has no fraction, so reading it back needs no cast.
        let millionths = format!("{:.0}", (number * 1_000_000.0).round()).parse();
        millionths
            .map(Self)
            .map_err(|_| InvalidValue::new("must be a number"))
    }

    /// In dollars, as a JSON number: an integer where it is one, else with at most six decimals.
    pub fn to_json(self) -> Value {
        if self.0.is_multiple_of(1_000_000) {
            return Value::from(self.0 / 1_000_000);
        }
        let number = self.to_string().parse().ok().and_then(Number::from_f64);
        number.map_or(Value::Null, Value::Number)
    }

    /// What `tokens` cost at this price per million tokens, rounded up: a budget is never overdrawn by rounding.
    #[must_use]
    pub const fn for_tokens(self, tokens: u64) -> Self {
        Self(self.0.saturating_mul(tokens).div_ceil(1_000_000))
    }

    /// So many hundredths of it, rounded down.
    #[must_use]
    pub fn percent(self, percent: u8) -> Self {
        Self(percent_of(self.0, percent))
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
    fn dollars_are_numbers_on_the_wire() {
        for number in [
            serde_json::json!(0),
            serde_json::json!(25),
            serde_json::json!(0.0042),
            serde_json::json!(999_999.999_999),
        ] {
            let amount = MicroUsd::from_json(&number).unwrap();
            assert_eq!(amount.to_json(), number);
        }
        for wrong in [
            serde_json::json!("1"),
            serde_json::json!(-0.1),
            serde_json::json!(1_000_001),
            Value::Null,
        ] {
            assert!(MicroUsd::from_json(&wrong).is_err(), "{wrong}");
        }
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
