//! One-time tokens with which users log in.

use lyceum_wire::identity::tokens::{FinishToken, LoginTokenView, SessionKeyView, StartToken};

use crate::call::Call;
use crate::client::Client;

impl Client {
    /// One-time tokens with which users log in.
    pub fn tokens(&self) -> Tokens {
        Tokens(self.clone())
    }
}

/// One-time tokens with which users log in.
#[derive(Debug, Clone)]
pub struct Tokens(Client);

impl Tokens {
    /// Makes a one-time token with which a user gets a session key.
    pub fn start(&self, wanted: &StartToken) -> Call<LoginTokenView> {
        self.0.post("/v1/tokens/start", wanted)
    }

    /// Exchanges a one-time token for a session key.
    pub fn finish(&self, wanted: &FinishToken) -> Call<SessionKeyView> {
        self.0.post("/v1/tokens/finish", wanted)
    }
}
