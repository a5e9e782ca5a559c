//! The person's passkeys. A browser makes them, and signs in by them; here they are looked at.

use lyceum_wire::identity::passkeys::PasskeyView;

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// The person's passkeys.
    pub fn passkeys(&self) -> Passkeys {
        Passkeys(self.clone())
    }
}

/// The person's passkeys.
#[derive(Debug, Clone)]
pub struct Passkeys(Client);

impl Passkeys {
    /// Lists them.
    pub fn list(&self) -> Listing<PasskeyView> {
        self.0.list("/v1/passkeys")
    }

    /// Shows one.
    pub fn retrieve(&self, id: &str) -> Call<PasskeyView> {
        self.0.get(&path("passkeys", id, ""))
    }
}
