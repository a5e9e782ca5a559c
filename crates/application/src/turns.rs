//! One at a time, by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::lock::{Mutex as Turn, OwnedMutexGuard};

/// Who is at what; a turn that nobody holds or waits for is gone.
#[derive(Debug, Default)]
pub struct TurnsByName(Mutex<HashMap<String, Weak<Turn<()>>>>);

impl TurnsByName {
    /// Waits for one's turn at what has this name, and holds it.
    pub async fn of(&self, name: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            turns.retain(|_, turn| turn.strong_count() > 0);
            let known = turns.get(name).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let turn = Arc::new(Turn::new(()));
                turns.insert(name.to_owned(), Arc::downgrade(&turn));
                turn
            })
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_same_content_is_written_by_one_at_a_time_and_other_content_beside_it() {
        let turns = TurnsByName::default();
        let first = turns.of("a").await;
        let beside = turns.of("b").await;
        let mut waiting = std::pin::pin!(turns.of("a"));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(first);
        let second = waiting.await;
        drop((second, beside));
        drop(turns.of("c").await);
        assert_eq!(turns.0.lock().unwrap().len(), 1, "the last one's");
    }
}
