//! What AI drafts or has drafted.

use lyceum_wire::drafting::generations::{GenerationView, RetryGeneration};

use crate::call::Call;
use crate::client::{Client, path};
use crate::follow::{Changes, follow};
use crate::listing::Listing;
use crate::wait::{Started, Wait, started};

impl Client {
    /// What AI drafts or has drafted.
    pub fn generations(&self) -> Generations {
        Generations(self.clone())
    }
}

/// What AI drafts or has drafted.
#[derive(Debug, Clone)]
pub struct Generations(Client);

impl Generations {
    /// Lists generations.
    pub fn list(&self) -> Listing<GenerationView> {
        self.0.list("/v1/generations")
    }

    /// Shows a generation.
    pub fn retrieve(&self, id: &str) -> Call<GenerationView> {
        self.0.get(&path("generations", id, ""))
    }

    /// Calls a generation off.
    pub fn cancel(&self, id: &str) -> Call<GenerationView> {
        self.0.act(&path("generations", id, "/cancel"))
    }

    /// Tries a failed generation again.
    pub fn retry(&self, id: &str, wanted: &RetryGeneration) -> Call<Started<GenerationView>> {
        started(self.0.post(&path("generations", id, "/retry"), wanted))
    }

    /// Waits until a generation has ended, well or not.
    pub fn wait(&self, id: &str) -> Wait<GenerationView> {
        Wait::new(&self.0, id)
    }

    /// Follows a generation as it goes on: as it is, and then after every change, until it has ended.
    pub fn follow(&self, id: &str) -> Changes<GenerationView> {
        follow(&self.0, path("generations", id, "/stream"))
    }
}
