//! Points and weights, in whole hundredths: no grade is ever computed in floating point.

use std::fmt;

use serde_json::{Number, Value};

use crate::InvalidValue;

/// Points, in hundredths; from 0 to 1 000 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Points(i32);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// One hundred points.
    pub const HUNDRED: Self = Self(10_000);
    /// The most points anything can have, in hundredths.
    pub const MAX_HUNDREDTHS: i32 = 100_000_000;

    /// From hundredths, clamped to what points can be.
    pub fn from_hundredths(hundredths: i64) -> Self {
        let clamped = hundredths.clamp(0, i64::from(Self::MAX_HUNDREDTHS));
        Self(i32::try_from(clamped).unwrap_or(Self::MAX_HUNDREDTHS))
    }

    /// From whole points.
    pub fn whole(points: u16) -> Self {
        Self(i32::from(points) * 100)
    }

    /// In hundredths.
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// Reads a JSON number of at most two decimals between 0 and 1 000 000.
    pub fn from_json(value: &Value) -> Result<Self, InvalidValue> {
        let number = value
            .as_f64()
            .filter(|_| value.is_number())
            .ok_or_else(|| InvalidValue::new("must be a number"))?;
        if !(0.0..=1_000_000.0).contains(&number) {
            return Err(InvalidValue::new("must be between 0 and 1000000"));
        }
        Ok(Self::from_number(number))
    }

    /// Whether a number says whole hundredths; what else a caller writes would be rounded in silence. What arithmetic in
    /// floating point leaves behind the fifteenth digit does not count.
    pub fn is_exact(value: &Value) -> bool {
        let scaled = value.as_f64().map(|number| number * 100.0);
        scaled.is_none_or(|scaled| (scaled - scaled.round()).abs() < 1e-6)
    }

    /// The nearest hundredth to a finite number; used for what a person or a model wrote.
    pub fn from_number(number: f64) -> Self {
        let scaled = (number * 100.0).round();
        if !scaled.is_finite() || scaled <= 0.0 {
            return Self::ZERO;
        }
        // The text of a rounded float has no fraction, so reading it back needs no cast.
        format!("{scaled:.0}")
            .parse()
            .map_or(Self(Self::MAX_HUNDREDTHS), Self::from_hundredths)
    }

    /// As a JSON number: an integer where it is one.
    pub fn to_json(self) -> Value {
        if self.0 % 100 == 0 {
            return Value::from(self.0 / 100);
        }
        Number::from_f64(self.to_number()).map_or(Value::Null, Value::Number)
    }

    /// As a floating-point number, for the wire.
    pub fn to_number(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// What is left when `off` is taken away; never less than nothing.
    #[must_use]
    pub fn less(self, off: Self) -> Self {
        Self::from_hundredths(i64::from(self.0) - i64::from(off.0))
    }

    /// Not more than `limit`.
    #[must_use]
    pub fn at_most(self, limit: Self) -> Self {
        self.min(limit)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 % 100 == 0 {
            write!(f, "{}", self.0 / 100)
        } else {
            write!(f, "{}", self.to_number())
        }
    }
}

/// A part of a whole to be summed: points reached, points possible, weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedPart {
    /// Reached; more than `possible` counts as `possible`.
    pub reached: Points,
    /// Possible; a part of which nothing is possible counts nothing.
    pub possible: Points,
    /// Weight, in hundredths.
    pub weight: i32,
}

/// The score out of `max_score` for weighted parts: `max · Σ wᵢ·pᵢ/mᵢ / Σ wᵢ`, rounded half up to hundredths.
///
/// Each share is kept in 10⁻¹² of the whole, so full marks everywhere give exactly `max_score`.
pub fn weighted_score(parts: &[WeightedPart], max_score: Points) -> Points {
    const SCALE: i128 = 1_000_000_000_000;
    let counted = parts
        .iter()
        .filter(|part| part.possible > Points::ZERO && part.weight > 0);
    let (mut shares, mut weights) = (0_i128, 0_i128);
    for part in counted {
        let reached = i128::from(part.reached.at_most(part.possible).hundredths());
        let share = reached * SCALE / i128::from(part.possible.hundredths());
        shares += share * i128::from(part.weight);
        weights += i128::from(part.weight);
    }
    if weights == 0 {
        return Points::ZERO;
    }
    let whole = i128::from(max_score.hundredths()) * shares;
    let divisor = weights * SCALE;
    let rounded = (2 * whole + divisor) / (2 * divisor);
    Points::from_hundredths(i64::try_from(rounded).unwrap_or(i64::MAX)).at_most(max_score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn part(reached: i64, possible: i64, weight: i32) -> WeightedPart {
        WeightedPart {
            reached: Points::from_hundredths(reached),
            possible: Points::from_hundredths(possible),
            weight,
        }
    }

    proptest! {
        #[test]
        fn points_read_back_as_they_were_written(hundredths in 0..=i64::from(Points::MAX_HUNDREDTHS)) {
            let points = Points::from_hundredths(hundredths);
            prop_assert_eq!(Points::from_json(&points.to_json()), Ok(points));
        }

        #[test]
        fn a_score_stays_between_nothing_and_the_maximum(
            parts in prop::collection::vec((0..200_000_i64, 0..100_000_i64, 0..100_000_i32), 0..50),
            max in 0..1_000_000_i64,
        ) {
            let parts: Vec<_> = parts.into_iter().map(|(r, p, w)| part(r, p, w)).collect();
            let max = Points::from_hundredths(max);
            let score = weighted_score(&parts, max);
            prop_assert!(score <= max);
        }

        #[test]
        fn full_marks_give_exactly_the_maximum(
            parts in prop::collection::vec((1..100_000_i64, 1..100_000_i32), 1..50),
            max in 0..1_000_000_i64,
        ) {
            let parts: Vec<_> = parts.into_iter().map(|(p, w)| part(p, p, w)).collect();
            let max = Points::from_hundredths(max);
            prop_assert_eq!(weighted_score(&parts, max), max);
        }
    }

    #[test]
    fn weights_shift_the_score_and_halves_round_up() {
        let parts = [part(300, 400, 300), part(100, 400, 100)];
        assert_eq!(
            weighted_score(&parts, Points::HUNDRED),
            Points::from_hundredths(6_250)
        );
        let half = [part(1, 200, 100)];
        assert_eq!(
            weighted_score(&half, Points::from_hundredths(100)),
            Points::from_hundredths(1)
        );
        assert_eq!(weighted_score(&[], Points::HUNDRED), Points::ZERO);
    }

    #[test]
    fn a_thousandth_is_not_exact_and_what_floats_leave_over_is() {
        for exact in [
            json!(0),
            json!(8.0),
            json!(0.01),
            json!(4.35),
            json!(0.1 + 0.2),
            json!(999_999.99),
        ] {
            assert!(Points::is_exact(&exact), "{exact}");
        }
        for rounded in [
            json!(0.005),
            json!(0.001),
            json!(99.999),
            json!(999_999.995),
        ] {
            assert!(!Points::is_exact(&rounded), "{rounded}");
        }
    }

    #[test]
    fn what_is_no_score_is_refused() {
        for wrong in [json!("8"), json!(true), json!(-1), json!(1_000_001)] {
            assert!(Points::from_json(&wrong).is_err(), "{wrong}");
        }
        assert_eq!(Points::from_number(f64::NAN), Points::ZERO);
        assert_eq!(Points::from_number(f64::INFINITY), Points::ZERO);
        assert_eq!(Points::from_json(&json!(8.0)).unwrap().to_json(), json!(8));
    }
}
