//! What so many errors among so many answers drawn say of those that nobody has looked at.
//!
//! Sources: C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the
//! binomial*, Biometrika 26 (1934), for the source of the answers; J. P. Buonaccorsi, *A note on confidence intervals for
//! proportions in finite populations*, American Statistician 41 (1987), for those at hand.

use statrs::function::beta::checked_beta_reg;

use super::{Delta, EPSILON, Rate};

/// More tests than anybody grades.
const MOST_TESTS: u32 = 100_000;

/// What became of the answers that were drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawn {
    errors: u32,
    tests: u32,
}

impl Drawn {
    /// So many on which AI and teacher disagree, of so many; none where that is more than there are.
    pub fn new(errors: u32, tests: u32) -> Option<Self> {
        (errors <= tests).then_some(Self { errors, tests })
    }

    /// What became of each of these.
    pub fn count(are_errors: impl IntoIterator<Item = bool>) -> Self {
        let mut drawn = Self::default();
        for is_error in are_errors {
            drawn.add(is_error);
        }
        drawn
    }

    /// One more.
    pub fn add(&mut self, is_error: bool) {
        self.errors = self.errors.saturating_add(is_error.into());
        self.tests = self.tests.saturating_add(1);
    }

    /// On how many AI and teacher disagree.
    pub const fn errors(self) -> u32 {
        self.errors
    }

    /// How many there are.
    pub const fn tests(self) -> u32 {
        self.tests
    }
}

/// What is promised, and what being wrong about it may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Promise {
    /// The highest share of disagreements.
    pub max_disagreement: Rate,
    /// The chance with which the promise may be wrong.
    pub delta: Delta,
    /// Whether it is also about answers that come later, not only about those at hand.
    pub of_later: bool,
}

/// The chance of at most `errors` among `tests` answers of which each is one with the chance `rate`: I₁₋ₚ(n−k, k+1).
pub fn binomial_at_most(Drawn { errors, tests }: Drawn, rate: f64) -> f64 {
    if errors >= tests {
        return 1.0;
    }
    let (a, b) = (f64::from(tests - errors), f64::from(errors) + 1.0);
    // Where it could not be computed nothing would be proved.
    checked_beta_reg(a, b, (1.0 - rate).clamp(0.0, 1.0)).unwrap_or(1.0)
}

/// The chance of at most `errors` among `tests` answers drawn without putting back from `of`, of which `wrong` are errors:
/// a sum of the ratios of neighbouring terms, begun at the largest.
pub fn hypergeometric_at_most(Drawn { errors, tests }: Drawn, wrong: u32, of: u32) -> f64 {
    let most = tests.min(wrong);
    if errors >= most {
        return 1.0;
    }
    let least = tests.saturating_sub(of.saturating_sub(wrong));
    if errors < least {
        return 0.0;
    }
    let [n, k, all] = [tests, wrong, of].map(f64::from);
    // P(i + 1) / P(i)
    let step = |i: u32| {
        let i = f64::from(i);
        (k - i) * (n - i) / ((i + 1.0) * (all - k - n + i + 1.0))
    };
    let mode = (u64::from(tests) + 1) * (u64::from(wrong) + 1) / (u64::from(of) + 2);
    let mode = u32::try_from(mode).unwrap_or(most).clamp(least, most);
    let (mut total, mut counted) = (0.0, 0.0);
    let mut add = |i: u32, term: f64| {
        total += term;
        if i <= errors {
            counted += term;
        }
    };
    let mut term = 1.0;
    add(mode, term);
    for i in mode..most {
        term *= step(i);
        add(i + 1, term);
    }
    term = 1.0;
    for i in (least..mode).rev() {
        term /= step(i);
        add(i, term);
    }
    counted / total
}

/// The highest rate of errors of the source of these answers that is still thinkable: wrong with at most the chance
/// `delta`. 1 where nothing was drawn or all of it was wrong.
pub fn bound_of_later(drawn: Drawn, delta: Delta) -> f64 {
    if drawn.errors >= drawn.tests {
        return 1.0;
    }
    let (mut low, mut high) = (f64::from(drawn.errors) / f64::from(drawn.tests), 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return high;
        }
        if binomial_at_most(drawn, middle) > delta.chance() {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The highest share of errors among those of the `of` at hand that nobody has looked at: wrong with at most the chance
/// `delta`. The errors that were found are counted among them once more, so that what is tested does not depend on what
/// was found. 0 where nothing is left, 1 where nothing was drawn; none where more were drawn than there are.
pub fn bound_at_hand(drawn: Drawn, delta: Delta, of: u32) -> Option<f64> {
    let left = of.checked_sub(drawn.tests)?;
    if left == 0 || drawn.tests == 0 {
        return Some(f64::from(u8::from(left > 0)));
    }
    let (mut low, mut high) = (drawn.errors, left + drawn.errors);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if hypergeometric_at_most(drawn, middle, of) > delta.chance() - EPSILON {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some((f64::from(low) / f64::from(left)).min(1.0))
}

impl Promise {
    /// Whether these answers prove it: of the `at_hand` from which they were drawn, where they were drawn from any, and of
    /// later ones, where it is about these.
    pub fn holds(self, drawn: Drawn, at_hand: Option<u32>) -> bool {
        let of_those_at_hand = at_hand.is_none_or(|of| self.holds_at_hand(drawn, of));
        let is_of_later = self.of_later || at_hand.is_none();
        of_those_at_hand && (!is_of_later || self.holds_of_later(drawn))
    }

    fn holds_of_later(self, drawn: Drawn) -> bool {
        let chance = binomial_at_most(drawn, self.max_disagreement.fraction());
        drawn.errors < drawn.tests && chance <= self.delta.chance() - EPSILON
    }

    fn holds_at_hand(self, drawn: Drawn, of: u32) -> bool {
        let left = of.saturating_sub(drawn.tests);
        if left == 0 {
            return true;
        }
        // With so many errors in all it would be broken.
        let fewest = self.max_disagreement.of(left) + 1;
        hypergeometric_at_most(drawn, fewest, of) <= self.delta.chance() - EPSILON
    }

    /// How many errors among so many tests still prove it; none where not even a clean sample would.
    pub fn most_errors(self, tests: u32, at_hand: Option<u32>) -> Option<u32> {
        let proves = |errors: &u32| {
            self.holds(
                Drawn {
                    errors: *errors,
                    tests,
                },
                at_hand,
            )
        };
        (0..=tests).take_while(proves).last()
    }

    /// With how few tests so many errors still prove it; none where no number does.
    pub fn fewest_tests(self, errors: u32, at_hand: Option<u32>) -> Option<u32> {
        let most = at_hand.unwrap_or(MOST_TESTS);
        (errors.max(1)..=most).find(|tests| {
            self.holds(
                Drawn {
                    errors,
                    tests: *tests,
                },
                at_hand,
            )
        })
    }
}
