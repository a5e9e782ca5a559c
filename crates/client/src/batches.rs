//! Batches: regrades, bulk gradings and red teams.

use lyceum_wire::grading::batches::{BatchItemView, BatchView, CommitRegrade};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

impl Client {
    /// Regrades, bulk gradings and red teams, once they were asked for at their assignment.
    pub fn batches(&self) -> Batches {
        Batches(self.clone())
    }
}

/// See [`Client::batches`].
#[derive(Debug, Clone)]
pub struct Batches(Client);

impl Batches {
    /// Shows one.
    pub fn retrieve(&self, id: &str) -> Call<BatchView> {
        self.0.get(&path("batches", id, ""))
    }

    /// Lists its answers, with old points and new ones.
    pub fn items(&self, id: &str) -> Listing<BatchItemView> {
        self.0.list(&path("batches", id, "/items"))
    }

    /// Lets a previewed regrade land.
    pub fn commit(&self, id: &str, wanted: &CommitRegrade) -> Call<BatchView> {
        self.0.post(&path("batches", id, "/commit"), wanted)
    }

    /// Puts back what stood before a regrade.
    pub fn undo(&self, id: &str) -> Call<BatchView> {
        self.0.act(&path("batches", id, "/undo"))
    }

    /// Stops one, or throws a preview away.
    pub fn stop(&self, id: &str) -> Call<BatchView> {
        self.0.act(&path("batches", id, "/stop"))
    }
}
