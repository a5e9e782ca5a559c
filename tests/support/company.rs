//! Writes that PostgreSQL is to keep together.

use std::pin::pin;
use std::sync::{Arc, Barrier};

use futures_util::future::join_all;
use futures_util::poll;
use lyceum_ports::store::{Store, StoreError, Tx};
use tokio::task::JoinSet;

use crate::stores::CONNECTIONS;

/// A piece of work.
pub type Piece = Box<dyn FnMut(&mut dyn Tx) -> Result<(), StoreError> + Send>;

/// A piece of work of this.
pub fn piece(work: impl FnMut(&mut dyn Tx) -> Result<(), StoreError> + Send + 'static) -> Piece {
    Box::new(work)
}

/// Connections of a store that are in use.
struct Held {
    together: Arc<Barrier>,
    readers: JoinSet<()>,
}

impl Held {
    fn of(store: &Arc<dyn Store>, connections: usize) -> Self {
        let together = Arc::new(Barrier::new(connections + 1));
        let mut readers = JoinSet::new();
        for _ in 0..connections {
            let (store, together) = (Arc::clone(store), Arc::clone(&together));
            readers.spawn(async move {
                let read: Result<(), StoreError> = store
                    .read(move |_| {
                        together.wait();
                        together.wait();
                        Ok(())
                    })
                    .await;
                read.expect("nothing is asked");
            });
        }
        tokio::task::block_in_place(|| together.wait());
        Self { together, readers }
    }

    async fn let_go(self) {
        tokio::task::block_in_place(|| self.together.wait());
        self.readers.join_all().await;
    }
}

/// Does this while every connection of the store is in use. For tests in several threads, as all of these.
///
/// # Panics
/// If a reader is refused.
pub async fn while_all_are_busy<T>(
    store: &Arc<dyn Store>,
    meanwhile: impl Future<Output = T>,
) -> T {
    let held = Held::of(store, CONNECTIONS);
    let came = meanwhile.await;
    held.let_go().await;
    came
}

/// What comes of these where they come while every connection is in use.
///
/// # Panics
/// If there is a connection.
pub async fn in_a_crowd(store: &Arc<dyn Store>, pieces: Vec<Piece>) -> Vec<Result<(), StoreError>> {
    let mut writing = pin!(join_all(pieces.into_iter().map(|piece| store.write(piece))));
    while_all_are_busy(store, async {
        assert!(
            poll!(writing.as_mut()).is_pending(),
            "there was a connection"
        );
    })
    .await;
    writing.await
}

/// The same where one connection is given back, so that all are written together, in this order.
///
/// # Panics
/// If there is a connection.
pub async fn in_company(store: &Arc<dyn Store>, pieces: Vec<Piece>) -> Vec<Result<(), StoreError>> {
    let mut writing = pin!(join_all(pieces.into_iter().map(|piece| store.write(piece))));
    let others = Held::of(store, CONNECTIONS - 1);
    let last = Held::of(store, 1);
    assert!(
        poll!(writing.as_mut()).is_pending(),
        "there was a connection"
    );
    last.let_go().await;
    let ended = writing.await;
    others.let_go().await;
    ended
}
