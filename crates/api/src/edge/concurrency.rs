//! How many requests are worked on at once.
//!
//! Beyond what the machine can do at once, taking more in makes all of them slow and none of them sooner. So those
//! that come when every permit is taken are told at once to come back in a moment. Permits are for work: nobody holds
//! one while a body arrives or an AI provider thinks.

use std::num::NonZeroU32;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::edge::shares::Turn;
use crate::http::error::Failure;

/// The permits of a service; clones are the same.
#[derive(Debug, Clone)]
pub struct ConcurrencyLimit(Arc<Semaphore>);

/// A permit, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    place: Option<OwnedSemaphorePermit>,
    _turn: Turn,
}

impl Permit {
    /// The same for a request whose turn it is.
    #[must_use]
    pub fn in_turn(self, turn: Turn) -> Self {
        Self {
            _turn: turn,
            ..self
        }
    }

    /// Gives the place to others and keeps the turn: for whoever takes a place for each part of their work.
    pub fn leave(&mut self) {
        drop(self.place.take());
    }
}

impl ConcurrencyLimit {
    /// With this many places.
    pub fn new(places: NonZeroU32) -> Self {
        let places = usize::try_from(places.get()).unwrap_or(usize::MAX);
        Self(Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))))
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`Failure::Overloaded`] when all are taken.
    pub fn enter(&self) -> Result<Permit, Failure> {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        permit
            .map(|permit| Permit {
                place: Some(permit),
                _turn: Turn::default(),
            })
            .map_err(|_| Failure::Overloaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_makes_room_and_keeps_their_turn() {
        let concurrency = ConcurrencyLimit::new(NonZeroU32::MIN);
        let mut permit = concurrency.enter().unwrap();
        permit.leave();
        assert!(concurrency.enter().is_ok());
    }

    #[test]
    fn who_finds_every_place_taken_is_sent_away_until_one_is_free() {
        let concurrency = ConcurrencyLimit::new(NonZeroU32::MIN);
        let place = concurrency.enter().unwrap();
        assert!(matches!(concurrency.enter(), Err(Failure::Overloaded)));
        drop(place);
        assert!(concurrency.enter().is_ok());
    }
}
