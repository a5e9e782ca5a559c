//! What tokens cost, as the operator entered it. No price is known here by itself, so none is ever guessed.

use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::Usage;

/// Prices of one model per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Of tokens read.
    pub input: MicroUsd,
    /// Of tokens written, those of thinking among them.
    pub output: MicroUsd,
    /// Of tokens read that the provider still had; as others where absent.
    pub cached: Option<MicroUsd>,
}

impl Price {
    /// What a call costs.
    pub fn of(&self, usage: Usage) -> MicroUsd {
        let cached = usage.tokens_cached.min(usage.tokens_in);
        let fresh = usage.tokens_in - cached;
        self.input.for_tokens(fresh)
            + self.cached.unwrap_or(self.input).for_tokens(cached)
            + self.output.for_tokens(usage.tokens_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_were_still_there_have_their_own_price() {
        let usage = Usage {
            tokens_in: 1_000_000,
            tokens_out: 500_000,
            tokens_cached: 400_000,
        };
        let mut price = Price {
            input: MicroUsd::new(2_000_000),
            output: MicroUsd::new(8_000_000),
            cached: Some(MicroUsd::new(500_000)),
        };
        assert_eq!(
            price.of(usage),
            MicroUsd::new(1_200_000 + 200_000 + 4_000_000)
        );
        price.cached = None;
        assert_eq!(price.of(usage), MicroUsd::new(2_000_000 + 4_000_000));
    }
}
