//! Many writes of one kind by one request.

use lyceum_wire::running::bulk_writes::{BulkWriteView, CreateBulkWrite};

use crate::call::Call;
use crate::client::{Client, path};
use crate::wait::{Started, Wait, started};

impl Client {
    /// Up to 1,000 writes of one kind, each as by a request of its own.
    pub fn bulk_writes(&self) -> BulkWrites {
        BulkWrites(self.clone())
    }
}

/// See [`Client::bulk_writes`].
#[derive(Debug, Clone)]
pub struct BulkWrites(Client);

impl BulkWrites {
    /// Has them done: up to 50 at once, more in the background. [`Started::wait`] for the end of those whose `status` is `pending`.
    pub fn create(&self, asked: &CreateBulkWrite) -> Call<Started<BulkWriteView>> {
        started(self.0.post("/v1/batch", asked))
    }

    /// Shows how far one is that is done in the background, and what came of each row.
    pub fn retrieve(&self, id: &str) -> Call<BulkWriteView> {
        self.0.get(&path("batch", id, ""))
    }

    /// Stops one that is done in the background: rows that were not begun are not done.
    pub fn stop(&self, id: &str) -> Call<BulkWriteView> {
        self.0.act(&path("batch", id, "/stop"))
    }

    /// Waits until every row of it is done, well or not.
    pub fn wait(&self, id: &str) -> Wait<BulkWriteView> {
        Wait::new(&self.0, id)
    }
}
