//! What was deleted and may come back.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::running::trash::TrashItemView;

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// What was deleted and may come back.
    pub fn trash(&self) -> Trash {
        Trash(self.clone())
    }
}

/// What was deleted and may come back.
#[derive(Debug, Clone)]
pub struct Trash(Client);

impl Trash {
    /// Lists what was deleted.
    pub fn list(&self) -> Listing<TrashItemView> {
        self.0.list("/v1/trash")
    }

    /// Shows something that was deleted.
    pub fn retrieve(&self, id: &str) -> Call<TrashItemView> {
        self.0.get(&path("trash", id, ""))
    }

    /// Brings something back, with everything that went with it.
    pub fn restore(&self, id: &str) -> Call<TrashItemView> {
        self.0.act(&path("trash", id, "/restore"))
    }

    /// Destroys something for good.
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("trash", id, ""))
    }
}
