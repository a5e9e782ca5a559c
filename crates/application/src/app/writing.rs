//! How a use case that writes is run: in one transaction, once per idempotency key, also when nobody knows how its commit
//! ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::App;
use crate::prelude::*;
use crate::running::idempotency::{self, Answer, IdempotencyKey, Reply};

/// How often a write whose outcome is unknown is asked after at most.
const INQUIRIES: u32 = 3;

impl App {
    /// Runs a use case that writes: its effect, its events and, under an idempotency key, its reply are one
    /// transaction. The same key gives the first reply again and no second effect, also when calls race.
    ///
    /// # Errors
    /// Those of the use case; then nothing has changed. [`Error::OutcomeUnknown`]: that is not known.
    pub async fn write<F>(
        &self,
        queued: Arc<AtomicBool>,
        now: Timestamp,
        key: Option<IdempotencyKey>,
        work: F,
    ) -> Result<Answer, Error>
    where
        F: FnMut(&mut dyn Tx) -> Result<Reply, Error> + Send + 'static,
    {
        self.write_once(queued, now, key, false, work).await
    }

    /// Runs a use case that frees something, like [`App::write`]; it is let in also when the disk is almost full.
    ///
    /// # Errors
    /// As for [`App::write`].
    pub async fn write_freeing<F>(
        &self,
        queued: Arc<AtomicBool>,
        now: Timestamp,
        key: Option<IdempotencyKey>,
        work: F,
    ) -> Result<Answer, Error>
    where
        F: FnMut(&mut dyn Tx) -> Result<Reply, Error> + Send + 'static,
    {
        self.write_once(queued, now, key, true, work).await
    }

    async fn write_once<F>(
        &self,
        queued: Arc<AtomicBool>,
        now: Timestamp,
        key: Option<IdempotencyKey>,
        frees: bool,
        work: F,
    ) -> Result<Answer, Error>
    where
        F: FnMut(&mut dyn Tx) -> Result<Reply, Error> + Send + 'static,
    {
        let work = Arc::new(Mutex::new(work));
        let mut inquiries = if key.is_some() { INQUIRIES } else { 0 };
        let answer = loop {
            let run = once_per_key(key.clone(), now, Arc::clone(&work));
            let answer = if frees {
                self.store.conclude(run).await
            } else {
                self.store.write(run).await
            };
            match answer {
                // The key tells: if it was kept, its reply is found now; if it is still under way, the database lets
                // one of the two have the key; if it is lost, this is the first effect.
                Err(Error::OutcomeUnknown(_)) if inquiries > 0 => inquiries -= 1,
                answer => break answer?,
            }
        };
        if queued.load(Ordering::Relaxed) {
            self.signal.wake();
        }
        Ok(answer)
    }
}

/// The use case, unless its key has a reply already; the reply is remembered with the effect.
fn once_per_key<F>(
    key: Option<IdempotencyKey>,
    now: Timestamp,
    work: Arc<Mutex<F>>,
) -> impl FnMut(&mut dyn Tx) -> Result<Answer, Error>
where
    F: FnMut(&mut dyn Tx) -> Result<Reply, Error>,
{
    move |tx| {
        if let Some(key) = &key
            && let Some(reply) = idempotency::recall(tx, key, now)?
        {
            return Ok(Answer {
                reply,
                replayed: true,
            });
        }
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = work(tx)?;
        if let Some(key) = &key {
            idempotency::remember(tx, key, &reply, now)?;
        }
        Ok(Answer {
            reply,
            replayed: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use async_trait::async_trait;
    use lyceum_ports::environment::MockSignal;
    use lyceum_ports::mocks::{MockStore, MockTx};
    use lyceum_ports::running::idempotency::{RememberedReply, ReplyKey};
    use lyceum_ports::store::{Finish, Store, StoreError, Work};

    use super::*;
    use crate::app::tests::{app, idle};
    use crate::error::Conflict;
    use crate::identity::visibility::tests::{id, now};

    fn key(fingerprint: &str) -> IdempotencyKey {
        let key = ReplyKey {
            person_id: id(2),
            workspace_id: None,
            key: "k".to_owned(),
        };
        IdempotencyKey {
            key,
            fingerprint: fingerprint.to_owned(),
        }
    }

    fn reply(body: &str) -> Reply {
        Reply {
            status: 201,
            location: None,
            body: body.to_owned(),
        }
    }

    fn remembered(fingerprint: &str, body: &str) -> RememberedReply {
        let reply = serde_json::to_string(&reply(body)).unwrap();
        RememberedReply {
            fingerprint: fingerprint.to_owned(),
            reply,
            created_at: now(),
        }
    }

    fn quiet() -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(false))
    }

    #[tokio::test]
    async fn the_reply_is_remembered_with_the_effect_and_both_are_kept() {
        let mut tx = MockTx::default();
        tx.idempotency.expect_find().returning(|_, _| Ok(None));
        tx.idempotency
            .expect_remember()
            .once()
            .withf(|_, kept| kept.fingerprint == "f" && kept.reply.contains("made"))
            .returning(|_, _| Ok(()));
        let (app, finished) = app(tx, MockSignal::new());
        let answer = app
            .write(quiet(), now(), Some(key("f")), |_| Ok(reply("made")))
            .await
            .unwrap();
        assert!(!answer.replayed);
        assert_eq!(*finished.lock().unwrap(), [Finish::Commit]);
    }

    #[tokio::test]
    async fn a_failed_use_case_is_rolled_back_and_not_remembered() {
        let mut tx = MockTx::default();
        tx.idempotency.expect_find().returning(|_, _| Ok(None));
        let (app, finished) = app(tx, MockSignal::new());
        let failed = app
            .write(quiet(), now(), Some(key("f")), |_| {
                Err(Conflict::NotGraded.into())
            })
            .await;
        assert!(matches!(failed, Err(Error::Conflict(Conflict::NotGraded))));
        assert_eq!(*finished.lock().unwrap(), [Finish::Rollback]);
    }

    #[tokio::test]
    async fn a_known_key_gives_the_first_reply_and_no_second_effect() {
        let mut tx = MockTx::default();
        tx.idempotency
            .expect_find()
            .returning(|_, _| Ok(Some(remembered("f", "first"))));
        let (app, _) = app(tx, MockSignal::new());
        let effect = |_: &mut dyn Tx| -> Result<Reply, Error> { panic!("must not run") };
        let answer = app
            .write(quiet(), now(), Some(key("f")), effect)
            .await
            .unwrap();
        assert_eq!(
            (answer.replayed, answer.reply.body.as_str()),
            (true, "first")
        );
    }

    #[tokio::test]
    async fn a_known_key_with_another_request_is_refused() {
        let mut tx = MockTx::default();
        tx.idempotency
            .expect_find()
            .returning(|_, _| Ok(Some(remembered("other", "first"))));
        let (app, _) = app(tx, MockSignal::new());
        let refused = app
            .write(quiet(), now(), Some(key("f")), |_| Ok(reply("made")))
            .await;
        assert!(matches!(refused, Err(Error::IdempotencyKeyReused)));
    }

    /// A store that does its work and loses the answer of the first so many commits.
    struct Forgetful {
        store: MockStore,
        losses: AtomicUsize,
    }

    #[async_trait]
    impl Store for Forgetful {
        async fn run_write(&self, work: Work) -> Result<(), StoreError> {
            self.store.run_write(work).await?;
            let lost = |losses: usize| losses.checked_sub(1);
            match self
                .losses
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, lost)
            {
                Ok(_) => Err(StoreError::Unknown("the connection was cut".into())),
                Err(_) => Ok(()),
            }
        }

        async fn run_read(&self, work: Work) -> Result<(), StoreError> {
            self.store.run_read(work).await
        }
    }

    fn forgetful(tx: MockTx, losses: u32) -> App {
        let store = Forgetful {
            store: MockStore::new(tx),
            losses: AtomicUsize::new(usize::try_from(losses).unwrap()),
        };
        App {
            store: Arc::new(store),
            ..idle()
        }
    }

    #[tokio::test]
    async fn a_lost_answer_is_found_by_its_key() {
        let mut tx = MockTx::default();
        let mut asked = 0;
        tx.idempotency.expect_find().returning(move |_, _| {
            asked += 1;
            // The commit whose answer was lost had been kept.
            Ok((asked > 1).then(|| remembered("f", "made")))
        });
        tx.idempotency
            .expect_remember()
            .once()
            .returning(|_, _| Ok(()));
        let answer = forgetful(tx, 1)
            .write(quiet(), now(), Some(key("f")), |_| Ok(reply("made")))
            .await
            .unwrap();
        assert_eq!(answer.reply.body, "made");
    }

    #[tokio::test]
    async fn a_lost_change_is_made_again_under_its_key() {
        let mut tx = MockTx::default();
        tx.idempotency.expect_find().returning(|_, _| Ok(None));
        tx.idempotency
            .expect_remember()
            .times(2)
            .returning(|_, _| Ok(()));
        let answer = forgetful(tx, 1)
            .write(quiet(), now(), Some(key("f")), |_| Ok(reply("made")))
            .await
            .unwrap();
        assert!(!answer.replayed);
    }

    #[tokio::test]
    async fn what_stays_unknown_is_said_to_be_and_without_a_key_nothing_is_run_twice() {
        let mut tx = MockTx::default();
        tx.idempotency.expect_find().returning(|_, _| Ok(None));
        tx.idempotency.expect_remember().returning(|_, _| Ok(()));
        let stays = forgetful(tx, INQUIRIES + 1)
            .write(quiet(), now(), Some(key("f")), |_| Ok(reply("made")))
            .await;
        assert!(matches!(stays, Err(Error::OutcomeUnknown(_))), "{stays:?}");
        let mut runs = 0;
        let counted = move |_: &mut dyn Tx| {
            runs += 1;
            assert_eq!(runs, 1, "run again without a key");
            Ok(reply("made"))
        };
        let unknown = forgetful(MockTx::default(), 1)
            .write(quiet(), now(), None, counted)
            .await;
        assert!(
            matches!(unknown, Err(Error::OutcomeUnknown(_))),
            "{unknown:?}"
        );
    }

    #[tokio::test]
    async fn workers_are_woken_after_the_commit_and_only_for_something_queued() {
        let mut signal = MockSignal::new();
        signal.expect_wake().once().returning(|| ());
        let (app, _) = app(MockTx::default(), signal);
        let queued = quiet();
        let raised = Arc::clone(&queued);
        app.write(quiet(), now(), None, |_| Ok(reply("")))
            .await
            .unwrap();
        app.write(queued, now(), None, move |_| {
            raised.store(true, Ordering::Relaxed);
            Ok(reply(""))
        })
        .await
        .unwrap();
    }
}
