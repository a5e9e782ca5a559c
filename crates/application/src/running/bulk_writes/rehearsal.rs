//! Storage that forgets: what is written through it is checked by the database as if it were kept, and then taken back.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use lyceum_domain::ids::ApiKeyId;
use lyceum_ports::store::{Condition, Finish, Store, StoreError, Tx, View, Work};

/// Storage of which nothing stays that is written.
pub struct Rehearsal {
    store: Arc<dyn Store>,
    /// Whoever asks. They are looked up at the end of each piece of work, because a database may tell of a row that it refused
    /// only when something else is asked.
    asker: ApiKeyId,
}

/// What the database said last.
type LastWord = Arc<Mutex<Result<(), StoreError>>>;

impl Rehearsal {
    /// Over this one.
    pub fn over(store: Arc<dyn Store>, asker: ApiKeyId) -> Self {
        Self { store, asker }
    }

    /// The same work, which is rolled back however it ends; and whether it would have been kept.
    fn taken_back(&self, mut work: Work) -> (Work, LastWord) {
        let last: LastWord = Arc::new(Mutex::new(Ok(())));
        let (place, asker) = (Arc::clone(&last), self.asker);
        let work = move |tx: &mut dyn Tx| {
            let said = match work(tx) {
                Finish::Commit => tx.keys().find(asker).map(drop),
                Finish::Rollback => Ok(()),
            };
            *place.lock().unwrap_or_else(PoisonError::into_inner) = said;
            Finish::Rollback
        };
        (Box::new(work), last)
    }
}

fn told(last: &LastWord) -> Result<(), StoreError> {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *last, Ok(()))
}

#[async_trait]
impl Store for Rehearsal {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        let (work, said) = self.taken_back(work);
        self.store.run_write(work).await?;
        told(&said)
    }

    async fn run_concluding_write(&self, work: Work) -> Result<(), StoreError> {
        let (work, said) = self.taken_back(work);
        self.store.run_concluding_write(work).await?;
        told(&said)
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.store.run_read(work).await
    }

    async fn run_read_one(&self, work: Work) -> Result<(), StoreError> {
        self.store.run_read_one(work).await
    }

    async fn run_awaited_read(&self, work: Work) -> Result<(), StoreError> {
        self.store.run_awaited_read(work).await
    }

    async fn run_long_read(&self, work: Work) -> Result<(), StoreError> {
        self.store.run_long_read(work).await
    }

    fn view(&self) -> Result<Option<Box<dyn View>>, StoreError> {
        self.store.view()
    }

    fn condition(&self) -> Condition {
        self.store.condition()
    }
}

#[cfg(test)]
mod tests {
    use lyceum_ports::mocks::{MockStore, MockTx};

    use super::*;
    use crate::identity::visibility::tests::id;

    const TAKEN: StoreError = StoreError::Taken { field: "name" };

    type Ended = Arc<Mutex<Vec<Finish>>>;

    fn rehearsal(tx: MockTx) -> (Arc<dyn Store>, Ended) {
        let store = MockStore::new(tx);
        let finished = store.finished();
        (Arc::new(Rehearsal::over(Arc::new(store), id(1))), finished)
    }

    #[tokio::test]
    async fn whatever_is_written_is_taken_back_and_what_came_of_it_is_told() {
        let mut tx = MockTx::default();
        tx.keys.expect_find().times(2).returning(|_| Ok(None));
        let (rehearsal, finished) = rehearsal(tx);
        let written = rehearsal.write(|_| Ok::<_, StoreError>(7)).await;
        assert_eq!(written.unwrap(), 7);
        let ended = rehearsal.conclude(|_| Ok::<_, StoreError>(8)).await;
        assert_eq!(ended.unwrap(), 8);
        let refused = rehearsal.write(|_| Err::<(), _>(TAKEN)).await;
        assert!(matches!(refused, Err(StoreError::Taken { .. })));
        assert_eq!(*finished.lock().unwrap(), [Finish::Rollback; 3]);
    }

    #[tokio::test]
    async fn what_the_database_says_late_is_heard() {
        let mut tx = MockTx::default();
        tx.keys.expect_find().once().returning(|_| Err(TAKEN));
        let (rehearsal, finished) = rehearsal(tx);
        let refused = rehearsal.write(|_| Ok::<_, StoreError>(7)).await;
        assert!(matches!(refused, Err(StoreError::Taken { .. })));
        assert_eq!(*finished.lock().unwrap(), [Finish::Rollback]);
    }
}
