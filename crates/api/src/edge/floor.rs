//! How many requests are worked on at once.
//!
//! Beyond what the machine can do at once, taking more in makes all of them slow and none of them sooner. So those
//! that come when every place is taken are told at once to come back in a moment. Places are for work: nobody holds
//! one while a body arrives or an AI provider thinks.

use std::num::NonZeroU32;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::edge::shares::Turn;
use crate::http::error::Failure;

/// The places of a service; clones are the same.
#[derive(Debug, Clone)]
pub struct Floor(Arc<Semaphore>);

/// A place, until it is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
    _turn: Turn,
}

impl Place {
    /// The same for a request whose turn it is.
    #[must_use]
    pub fn in_turn(self, turn: Turn) -> Self {
        Self {
            _turn: turn,
            ..self
        }
    }
}

impl Floor {
    /// With this many places.
    pub fn new(places: NonZeroU32) -> Self {
        let places = usize::try_from(places.get()).unwrap_or(usize::MAX);
        Self(Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))))
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`Failure::Overloaded`] when all are taken.
    pub fn enter(&self) -> Result<Place, Failure> {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        permit
            .map(|permit| Place {
                _permit: permit,
                _turn: Turn::default(),
            })
            .map_err(|_| Failure::Overloaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_finds_every_place_taken_is_sent_away_until_one_is_free() {
        let floor = Floor::new(NonZeroU32::MIN);
        let place = floor.enter().unwrap();
        assert!(matches!(floor.enter(), Err(Failure::Overloaded)));
        drop(place);
        assert!(floor.enter().is_ok());
    }
}
