//! The application: what it needs, and how a use case is run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_domain::Timestamp;
use lyceum_domain::workspaces::Workspace;
use lyceum_ports::ai::AiProvider;
use lyceum_ports::blobs::BlobStore;
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use lyceum_ports::media::MediaFetcher;
use lyceum_ports::scorm::PackageWriter;
use lyceum_ports::scorm_preview::PackageReader;
use lyceum_ports::store::{Condition, Store, Tx, View};
use lyceum_ports::webhook_sink::WebhookSink;

use crate::access::{self, Credentials, Requirement};
use crate::ai_tally::AiTally;
use crate::context::{Account, Actor, Context, Identity, Member, Visitor};
use crate::error::{Error, PlatformProblem};
use crate::exports::Exports;
use crate::idempotency::{self, Answer, IdempotencyKey, Reply};
use crate::metrics::Metrics;
use crate::node::ThisNode;
use crate::settings::Settings;

/// Everything that use cases need from outside, wired together once.
#[derive(Clone)]
pub struct App {
    /// Where things are kept.
    pub store: Arc<dyn Store>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// Makes secrets.
    pub entropy: Arc<dyn Entropy>,
    /// Tells workers that something was queued.
    pub signal: Arc<dyn Signal>,
    /// What the operator decided.
    pub settings: Arc<Settings>,
    /// Drafts and judges.
    pub ai: Arc<dyn AiProvider>,
    /// What AI calls of this process took.
    pub ai_tally: AiTally,
    /// What this process counts.
    pub metrics: Metrics,
    /// Makes packages.
    pub packages: Arc<dyn PackageWriter>,
    /// Fetches what packages carry; without it they carry nothing of others.
    pub media: Option<Arc<dyn MediaFetcher>>,
    /// Looks into packages.
    pub package_files: Arc<dyn PackageReader>,
    /// Keeps packages.
    pub blobs: Arc<dyn BlobStore>,
    /// Tells the outside.
    pub sink: Arc<dyn WebhookSink>,
    /// What all exports of this process share.
    pub exports: Exports,
    /// This process among the others.
    pub node: ThisNode,
}

/// How often a write whose outcome is unknown is asked after at most.
const INQUIRIES: u32 = 3;

/// A view that is open, where storage has one to share.
pub type OpenView = Option<Box<dyn View>>;

/// A caller who got in, with what was decided on the way.
#[derive(Clone)]
pub struct Admission {
    /// Who.
    pub identity: Arc<Identity>,
    /// Where, and what they are there; `None` when no platform was chosen.
    pub membership: Option<(Arc<Workspace>, Member)>,
    /// When.
    pub now: Timestamp,
}

impl Admission {
    /// Checks scope and role.
    ///
    /// # Errors
    /// [`Error::Forbidden`]
    pub fn require(&self, requirement: Requirement) -> Result<(), Error> {
        let permitted = |scope| {
            self.membership
                .as_ref()
                .is_none_or(|(_, member)| member.user.role.permits(scope))
        };
        requirement.check(|scope| self.identity.scopes.allows(scope), permitted)
    }
}

impl App {
    /// Lets a caller in: key, then platform, in this order. What they may do there is [`Admission::require`]'s. The view
    /// in which that was found, where there is one, is for what they came to read.
    ///
    /// # Errors
    /// The first that fails.
    pub async fn admit(
        &self,
        credentials: Credentials,
        needs_platform: bool,
    ) -> Result<(Admission, OpenView), Error> {
        // Whoever guesses keys is not to keep the database busy.
        let secret = access::secret_of(&credentials)?;
        let now = self.clock.now();
        let mut view = self.store.view()?;
        let admitting = self.store.glance_on(&mut view, move |tx| {
            let (identity, membership) = access::recognize(tx, &secret, &credentials, now)?;
            if needs_platform && membership.is_none() {
                return Err(PlatformProblem::Missing.into());
            }
            Ok(Admission {
                identity,
                membership,
                now,
            })
        });
        let admission: Result<_, Error> = admitting.await;
        Ok((admission?, view))
    }

    /// The context of a request inside the workspace that its caller chose.
    pub fn context(
        &self,
        workspace: Arc<Workspace>,
        member: Member,
        now: Timestamp,
        request_id: String,
    ) -> Context {
        self.visit(now, Some(request_id))
            .within(workspace, Actor::Member(member))
    }

    /// The context of a background job inside a workspace.
    pub fn service_context(&self, workspace: Workspace) -> Context {
        self.visit(self.clock.now(), None)
            .within(workspace, Actor::Service)
    }

    /// The context of a request at its caller's account.
    pub fn account(&self, admission: Admission, request_id: String) -> Account {
        let visit = self.visit(admission.now, Some(request_id));
        Account {
            identity: admission.identity,
            membership: admission.membership,
            visit,
        }
    }

    /// The context of a request without a key.
    pub fn visitor(&self, request_id: String) -> Visitor {
        self.visit(self.clock.now(), Some(request_id))
    }

    /// The context of the service's own doings, outside any request and workspace.
    pub fn service_visit(&self) -> Visitor {
        self.visit(self.clock.now(), None)
    }

    fn visit(&self, now: Timestamp, request_id: Option<String>) -> Visitor {
        Visitor {
            now,
            request_id,
            ids: Arc::clone(&self.ids),
            entropy: Arc::clone(&self.entropy),
            settings: Arc::clone(&self.settings),
            sink: Arc::clone(&self.sink),
            ai: Arc::clone(&self.ai),
            queued: Arc::new(AtomicBool::new(false)),
        }
    }

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

    /// The reply that an idempotency key already has, for a request that will not be carried out itself.
    ///
    /// # Errors
    /// [`Error::IdempotencyKeyReused`] and those of storage.
    pub async fn recall(
        &self,
        key: IdempotencyKey,
        now: Timestamp,
    ) -> Result<Option<Answer>, Error> {
        self.store
            .read(move |tx| {
                let reply = idempotency::recall(tx, &key, now)?;
                Ok(reply.map(|reply| Answer {
                    reply,
                    replayed: true,
                }))
            })
            .await
    }

    /// Runs a use case that only reads on the view in which its caller was let in, and lets go of that.
    ///
    /// # Errors
    /// Those of the use case.
    pub async fn read_in<T, F>(&self, mut view: OpenView, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.read_on(&mut view, work).await
    }

    /// The same for a use case that asks for one thing only: where there is no view, it may do without a snapshot.
    ///
    /// # Errors
    /// Those of the use case.
    pub async fn glance_in<T, F>(&self, mut view: OpenView, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.glance_on(&mut view, work).await
    }

    /// Runs a use case that only reads, on one snapshot.
    ///
    /// # Errors
    /// Those of the use case.
    pub async fn read<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.read(work).await
    }

    /// Runs a use case that only reads, and perhaps a lot, on one snapshot; nobody else waits for it.
    ///
    /// # Errors
    /// Those of the use case.
    pub async fn read_at_length<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.read_at_length(work).await
    }

    /// Whether new writes are refused because the disk is almost full.
    pub fn is_almost_full(&self) -> bool {
        self.store.condition() == Condition::DiskAlmostFull
    }

    /// Notes that the caller's key was used; called after the answer, at most once a minute per key.
    ///
    /// # Errors
    /// Those of storage.
    pub async fn note_key_use(&self, identity: &Identity) -> Result<(), Error> {
        let (id, now) = (identity.key_id, self.clock.now());
        self.store
            .write(move |tx| Ok(tx.keys().note_use(id, now)?))
            .await
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
pub(crate) mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use async_trait::async_trait;
    use lyceum_ports::ai::MockAiProvider;
    use lyceum_ports::blobs::MockBlobStore;
    use lyceum_ports::environment::{MockClock, MockEntropy, MockIds, MockSignal};
    use lyceum_ports::idempotency::{RememberedReply, ReplyKey};
    use lyceum_ports::mocks::{MockStore, MockTx};
    use lyceum_ports::scorm::MockPackageWriter;
    use lyceum_ports::scorm_preview::MockPackageReader;
    use lyceum_ports::store::{Finish, StoreError, Work};
    use lyceum_ports::webhook_sink::MockWebhookSink;

    use super::*;
    use crate::context::Context;
    use crate::error::Conflict;
    use crate::visibility::tests::{context, id, now};
    use lyceum_domain::keys::KeyKind;
    use lyceum_domain::users::Role;

    /// An application over these mocks, and how its transactions ended.
    fn app(tx: MockTx, signal: MockSignal) -> (App, Arc<Mutex<Vec<Finish>>>) {
        let store = MockStore::new(tx);
        let finished = store.finished();
        let ctx: Context = context(Role::Owner, KeyKind::Standard);
        let app = App {
            store: Arc::new(store),
            clock: Arc::new(MockClock::new()),
            ids: Arc::new(MockIds::new()),
            entropy: Arc::new(MockEntropy::new()),
            signal: Arc::new(signal),
            settings: ctx.settings,
            ai: Arc::new(MockAiProvider::new()),
            ai_tally: AiTally::default(),
            metrics: Metrics::new().unwrap(),
            packages: Arc::new(MockPackageWriter::new()),
            media: None,
            package_files: Arc::new(MockPackageReader::new()),
            blobs: Arc::new(MockBlobStore::new()),
            sink: Arc::new(MockWebhookSink::new()),
            exports: Exports::default(),
            node: ThisNode::new(crate::node::tests::node_id(1)),
        };
        (app, finished)
    }

    /// An application of which nothing is expected.
    pub(crate) fn idle() -> App {
        app(MockTx::default(), MockSignal::new()).0
    }

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
                Err(Conflict::Stale.into())
            })
            .await;
        assert!(matches!(failed, Err(Error::Conflict(Conflict::Stale))));
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
    async fn what_cannot_be_a_key_is_not_looked_up() {
        let (app, finished) = app(MockTx::default(), MockSignal::new());
        for key in [
            None,
            Some(""),
            Some("lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXq"),
        ] {
            let credentials = Credentials {
                api_key: key.map(str::to_owned),
                ..Credentials::default()
            };
            let refused = app.admit(credentials, true).await;
            assert!(matches!(refused, Err(Error::Unauthenticated(_))));
        }
        assert!(finished.lock().unwrap().is_empty());
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
