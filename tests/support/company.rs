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

/// Does this while every connection of the store is in use, and gives them back then. For tests in several threads.
///
/// # Panics
/// If a reader is refused.
pub async fn while_all_are_busy<T>(
    store: &Arc<dyn Store>,
    meanwhile: impl Future<Output = T>,
) -> T {
    let together = Arc::new(Barrier::new(CONNECTIONS + 1));
    let mut readers = JoinSet::new();
    for _ in 0..CONNECTIONS {
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
    let came = meanwhile.await;
    tokio::task::block_in_place(|| together.wait());
    readers.join_all().await;
    came
}

/// What comes of these where they come while every connection is in use, so that as few transactions as can be have all of them, in this
/// order.
pub async fn in_company(store: &Arc<dyn Store>, pieces: Vec<Piece>) -> Vec<Result<(), StoreError>> {
    let mut writing = pin!(join_all(pieces.into_iter().map(|piece| store.write(piece))));
    while_all_are_busy(store, async {
        let ended = poll!(writing.as_mut());
        assert!(ended.is_pending(), "there was a connection");
    })
    .await;
    writing.await
}
