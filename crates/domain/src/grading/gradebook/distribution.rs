//! How the points of many learners at one task are spread.

use crate::points::Points;

/// Into how many equal parts of the best possible points learners are counted.
pub const BINS: usize = 10;

/// How the points of many learners at one task are spread. All points are rounded half up to hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distribution {
    /// How many learners have points.
    pub learners: usize,
    /// The fewest points.
    pub min: Points,
    /// What a quarter of the learners do not go above.
    pub lower_quartile: Points,
    /// What half of them do not go above.
    pub median: Points,
    /// What three quarters of them do not go above.
    pub upper_quartile: Points,
    /// The most points.
    pub max: Points,
    /// Σ points / learners.
    pub mean: Points,
    /// How many learners are in each tenth of the best possible points, the lowest first. Whoever has exactly what begins a tenth is
    /// in it; whoever has all of them is in the last.
    pub bins: [usize; BINS],
}

impl Distribution {
    /// Of the points that learners have, in any order; none where nobody has any, or nothing was possible.
    ///
    /// Quartiles and median lie between learners where they do not fall on one: definition 7 of Hyndman and Fan, *Sample
    /// Quantiles in Statistical Packages* (The American Statistician 50, 1996), which R and spreadsheets (`QUARTILE.INC`) use.
    pub fn of(points: &[Points], best_possible: Points) -> Option<Self> {
        let mut sorted: Vec<i64> = points
            .iter()
            .map(|points| i64::from(points.at_most(best_possible).hundredths()))
            .collect();
        sorted.sort_unstable();
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = i64::try_from(sorted.len()).ok()?;
        let possible = i64::from(best_possible.hundredths());
        let sum: i64 = sorted.iter().sum();
        let of = Points::from_hundredths;
        (possible > 0).then(|| Self {
            learners: sorted.len(),
            min: of(min),
            lower_quartile: quartile(&sorted, 1),
            median: quartile(&sorted, 2),
            upper_quartile: quartile(&sorted, 3),
            max: of(max),
            mean: of((2 * sum + count) / (2 * count)),
            bins: bins(&sorted, possible),
        })
    }
}

/// The point `quarter / 4` of the way from the first to the last of sorted hundredths: between two of them by how far it is from each.
fn quartile(sorted: &[i64], quarter: usize) -> Points {
    let way = sorted.len().saturating_sub(1) * quarter;
    let at = |place: usize| sorted.get(place).or(sorted.last()).copied();
    let (below, above) = (at(way / 4), at(way / 4 + 1));
    let (below, above) = (below.unwrap_or_default(), above.unwrap_or_default());
    let quarters = i64::try_from(way % 4).unwrap_or_default();
    // In quarters of a hundredth; half up.
    let fourfold = 4 * below + quarters * (above - below);
    Points::from_hundredths((fourfold + 2) / 4)
}

fn bins(sorted: &[i64], possible: i64) -> [usize; BINS] {
    let mut bins = [0; BINS];
    for points in sorted {
        let tenth = usize::try_from(10 * points / possible).unwrap_or_default();
        if let Some(bin) = bins.get_mut(tenth.min(BINS - 1)) {
            *bin += 1;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(hundredths: &[i64]) -> Vec<Points> {
        let points = hundredths.iter().copied();
        points.map(Points::from_hundredths).collect()
    }

    /// The quartiles as R has them: `quantile(c(1, 2, 4, 8), c(.25, .5, .75))` is 1.75, 3, 5.
    #[test]
    fn quartiles_are_those_of_other_programs() {
        let given = points(&[800, 100, 400, 200]);
        let found = Distribution::of(&given, Points::whole(10)).unwrap();
        let quartiles = [found.lower_quartile, found.median, found.upper_quartile];
        assert_eq!(quartiles.map(Points::hundredths), [175, 300, 500]);
        assert_eq!(found.mean.hundredths(), 375);
        assert_eq!([found.min, found.max].map(Points::hundredths), [100, 800]);
        assert_eq!(found.bins, [0, 1, 1, 0, 1, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn halves_are_rounded_up_and_all_points_are_in_the_last_tenth() {
        let found = Distribution::of(&points(&[0, 1]), Points::from_hundredths(1)).unwrap();
        assert_eq!((found.median.hundredths(), found.mean.hundredths()), (1, 1));
        assert_eq!(found.lower_quartile.hundredths(), 0);
        assert_eq!(found.bins, [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let one = Distribution::of(&points(&[500]), Points::whole(10)).unwrap();
        let all = [one.min, one.lower_quartile, one.median, one.upper_quartile];
        assert_eq!(all, [Points::whole(5); 4]);
        assert_eq!(Distribution::of(&[], Points::HUNDRED), None);
        assert_eq!(Distribution::of(&points(&[0]), Points::ZERO), None);
    }

    proptest! {
        #[test]
        fn figures_stand_in_their_order_and_everybody_is_counted(
            given in prop::collection::vec(0..=100_000_000_i64, 1..200), best in 1..=100_000_000_i64,
        ) {
            let found = Distribution::of(&points(&given), Points::from_hundredths(best)).unwrap();
            let order = [found.min, found.lower_quartile, found.median, found.upper_quartile, found.max];
            prop_assert!(order.is_sorted());
            prop_assert!(found.min <= found.mean && found.mean <= found.max);
            prop_assert_eq!(found.bins.iter().sum::<usize>(), given.len());
            let mut backwards = given;
            backwards.reverse();
            prop_assert_eq!(Distribution::of(&points(&backwards), Points::from_hundredths(best)), Some(found));
        }
    }
}
