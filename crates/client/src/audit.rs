//! Who changed what.

use lyceum_wire::running::audit::AuditEntryView;

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// Who changed what.
    pub fn audit(&self) -> AuditTrail {
        AuditTrail(self.clone())
    }
}

/// Who changed what.
#[derive(Debug, Clone)]
pub struct AuditTrail(Client);

impl AuditTrail {
    /// Lists who changed grades, keys, members and settings.
    pub fn list(&self) -> Listing<AuditEntryView> {
        self.0.list("/v1/audit")
    }

    /// Shows an entry.
    pub fn retrieve(&self, id: &str) -> Call<AuditEntryView> {
        self.0.get(&path("audit", id, ""))
    }
}
