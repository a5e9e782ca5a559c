//! The platforms that the key opens.

use lyceum_wire::identity::platforms::PlatformView;

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// The platforms that the key opens.
    pub fn platforms(&self) -> Platforms {
        Platforms(self.clone())
    }
}

/// The platforms that the key opens.
#[derive(Debug, Clone)]
pub struct Platforms(Client);

impl Platforms {
    /// Lists them.
    pub fn list(&self) -> Listing<PlatformView> {
        self.0.list("/v1/platforms")
    }

    /// Shows one, by number, uuid or code.
    pub fn retrieve(&self, id: &str) -> Call<PlatformView> {
        self.0.get(&path("platforms", id, ""))
    }
}
