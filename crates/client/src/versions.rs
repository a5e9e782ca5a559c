//! What lessons, activities and assignments were.

use lyceum_wire::authoring::versions::VersionView;

use crate::call::Call;
use crate::client::{Client, path};

impl Client {
    /// What lessons, activities and assignments were before a change.
    pub fn versions(&self) -> Versions {
        Versions(self.clone())
    }
}

/// What lessons, activities and assignments were before a change.
#[derive(Debug, Clone)]
pub struct Versions(Client);

impl Versions {
    /// Shows one, with what it was.
    pub fn retrieve(&self, id: &str) -> Call<VersionView> {
        self.0.get(&path("versions", id, ""))
    }

    /// Makes what it is of again what it was. What is there meanwhile is kept as a version too.
    pub fn restore(&self, id: &str) -> Call<VersionView> {
        self.0.act(&path("versions", id, "/restore"))
    }
}
