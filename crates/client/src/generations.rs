//! What AI drafts or has drafted.

use lyceum_wire::drafting::generations::{GenerationView, RetryGeneration};
use lyceum_wire::drafting::pieces::{AcceptPiece, PieceView};

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

    /// What generations propose, piece by piece.
    pub fn pieces(&self) -> Pieces {
        Pieces(self.clone())
    }
}

/// What generations propose, piece by piece.
#[derive(Debug, Clone)]
pub struct Pieces(Client);

impl Pieces {
    /// Shows one, beside what it would take the place of.
    pub fn retrieve(&self, id: &str) -> Call<PieceView> {
        self.0.get(&path("pieces", id, ""))
    }

    /// Lets one land, changed or as it is, with what it is in; over what learners have used by [`force`](Call::force).
    pub fn accept(&self, id: &str, accepted: &AcceptPiece) -> Call<PieceView> {
        self.0.post(&path("pieces", id, "/accept"), accepted)
    }

    /// Says that one is not wanted, and nothing in it.
    pub fn discard(&self, id: &str) -> Call<PieceView> {
        self.0.act(&path("pieces", id, "/discard"))
    }

    /// Takes back that one is not wanted.
    pub fn reopen(&self, id: &str) -> Call<PieceView> {
        self.0.act(&path("pieces", id, "/reopen"))
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

    /// Lists what a generation proposes, in the order of the outline and without the texts.
    pub fn pieces(&self, id: &str) -> Listing<PieceView> {
        self.0.list(&path("generations", id, "/pieces"))
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
