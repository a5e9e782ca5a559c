//! The application: what it needs, and how a use case is run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lyceum_domain::Timestamp;
use lyceum_domain::workspaces::Workspace;
use lyceum_ports::ai::AiProvider;
use lyceum_ports::blobs::BlobStore;
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use lyceum_ports::scorm::PackageWriter;
use lyceum_ports::store::{Store, Tx};
use lyceum_ports::webhook_sink::WebhookSink;

use crate::access::{self, Credentials, Requirement};
use crate::context::{Account, Actor, Context, Identity, Member, Visitor};
use crate::error::{Error, PlatformProblem};
use crate::idempotency::{self, Answer, IdempotencyKey, Reply};
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
    /// Makes packages.
    pub packages: Arc<dyn PackageWriter>,
    /// Keeps packages.
    pub blobs: Arc<dyn BlobStore>,
    /// Tells the outside.
    pub sink: Arc<dyn WebhookSink>,
}

/// A caller who got in, with what was decided on the way.
#[derive(Clone)]
pub struct Admission {
    /// Who.
    pub identity: Identity,
    /// Where, and what they are there; `None` when no platform was chosen.
    pub membership: Option<(Workspace, Member)>,
    /// When.
    pub now: Timestamp,
}

impl App {
    /// Lets a caller in: key, then platform, then scope and role, in this order.
    ///
    /// # Errors
    /// The first that fails.
    pub async fn admit(
        &self,
        credentials: Credentials,
        requirement: Requirement,
        needs_platform: bool,
    ) -> Result<Admission, Error> {
        let now = self.clock.now();
        self.store
            .read(move |tx| {
                let identity = access::identify(tx, &credentials, now)?;
                let membership = access::choose_platform(tx, &credentials, &identity)?;
                if needs_platform && membership.is_none() {
                    return Err(PlatformProblem::Missing.into());
                }
                let permitted = |scope| {
                    membership
                        .as_ref()
                        .is_none_or(|(_, member)| member.user.role.permits(scope))
                };
                requirement.check(|scope| identity.scopes.allows(scope), permitted)?;
                Ok(Admission {
                    identity,
                    membership,
                    now,
                })
            })
            .await
    }

    /// The context of a request inside the workspace that its caller chose.
    pub fn context(
        &self,
        workspace: Workspace,
        member: Member,
        now: Timestamp,
        request_id: String,
    ) -> Context {
        self.visit(now, Some(request_id))
            .within(workspace, Actor::Member(Box::new(member)))
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
            queued: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Runs a use case that writes: its effect, its events and, under an idempotency key, its reply are one
    /// transaction. The same key gives the first reply again and no second effect, also when calls race.
    ///
    /// # Errors
    /// Those of the use case; then nothing has changed.
    pub async fn write<F>(
        &self,
        queued: Arc<AtomicBool>,
        now: Timestamp,
        key: Option<IdempotencyKey>,
        mut work: F,
    ) -> Result<Answer, Error>
    where
        F: FnMut(&mut dyn Tx) -> Result<Reply, Error> + Send + 'static,
    {
        let answer = self
            .store
            .write(move |tx| {
                if let Some(key) = &key
                    && let Some(reply) = idempotency::recall(tx, key, now)?
                {
                    return Ok(Answer { reply, replayed: true });
                }
                let reply = work(tx)?;
                if let Some(key) = &key {
                    idempotency::remember(tx, key, &reply, now)?;
                }
                Ok::<_, Error>(Answer {
                    reply,
                    replayed: false,
                })
            })
            .await?;
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
