//! What AI took.

use lyceum_wire::drafting::ai_calls::{AiCallView, AiUsageView};

use crate::call::Call;
use crate::client::Client;
use crate::listing::Listing;

impl Client {
    /// What AI took.
    pub fn ai(&self) -> Ai {
        Ai(self.clone())
    }
}

/// What AI took.
#[derive(Debug, Clone)]
pub struct Ai(Client);

impl Ai {
    /// What AI took this month, and what is left of the budget; of another period with the parameters `from` and `to`
    /// ([`Call::query`]).
    pub fn usage(&self) -> Call<AiUsageView> {
        self.0.get("/v1/ai/usage")
    }

    /// Lists calls to AI providers: what was sent where.
    pub fn calls(&self) -> Listing<AiCallView> {
        self.0.list("/v1/ai/calls")
    }
}
