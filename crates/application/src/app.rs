//! The application: what it needs, who gets in, and how a use case that reads is run.

mod writing;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lyceum_domain::Timestamp;
use lyceum_domain::identity::addresses::Network;
use lyceum_domain::identity::keys::KeyKind;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::{ApiKeyId, WorkspaceId};
use lyceum_ports::authoring::inspection::MediaInspector;
use lyceum_ports::blobs::BlobStore;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use lyceum_ports::exporting::media::MediaFetcher;
use lyceum_ports::exporting::scorm::PackageWriter;
use lyceum_ports::exporting::scorm_preview::PackageReader;
use lyceum_ports::grading::attacking::AttackMaker;
use lyceum_ports::identity::identity_providers::IdentityProviders;
use lyceum_ports::identity::passkeys::PasskeyProtocol;
use lyceum_ports::notifying::mailer::Mailer;
use lyceum_ports::notifying::webhook_sink::WebhookSink;
use lyceum_ports::running::telemetry::Telemetry;
use lyceum_ports::store::{Condition, Store, StoreError, Trust, Tx, View};

use crate::context::{Account, Actor, Context, Identity, Member, RequestTrace, Visitor};
use crate::drafting::ai_tally::AiTally;
use crate::error::{Error, Forbidden, PlatformProblem};
use crate::exporting::exports::Exports;
use crate::grading::groups::Grouping;
use crate::identity::access::{self, Credentials, Requirement};
use crate::running::bulk_writes::{Rehearsal, RowWriter};
use crate::running::files::Files;
use crate::running::idempotency::{self, Answer, IdempotencyKey};
use crate::running::node::ThisNode;
use crate::running::room::Room;
use crate::settings::Settings;
use crate::traces::{TraceParent, Tracing};

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
    /// Tells which answers are alike.
    pub grouping: Grouping,
    /// Makes attacks on graders.
    pub attacks: Arc<dyn AttackMaker>,
    /// What AI calls of this process took.
    pub ai_tally: AiTally,
    /// What this process counts.
    pub telemetry: Arc<dyn Telemetry>,
    /// How much room workspaces take.
    pub room: Room,
    /// Who takes spans.
    pub tracing: Tracing,
    /// Makes packages.
    pub packages: Arc<dyn PackageWriter>,
    /// Fetches what packages carry; without it they carry nothing of others.
    pub media: Option<Arc<dyn MediaFetcher>>,
    /// Looks at what is uploaded.
    pub inspector: Arc<dyn MediaInspector>,
    /// Looks into packages.
    pub package_files: Arc<dyn PackageReader>,
    /// Keeps packages.
    pub blobs: Arc<dyn BlobStore>,
    /// Tells the outside.
    pub sink: Arc<dyn WebhookSink>,
    /// Speaks with devices that hold passkeys, where browsers use any at the address of the service.
    pub passkeys: Option<Arc<dyn PasskeyProtocol>>,
    /// Asks the identity providers of workspaces.
    pub identity_providers: Arc<dyn IdentityProviders>,
    /// Sends mail, where there is a mail server.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// What all exports of this process share.
    pub exports: Exports,
    /// What it found out about stored files.
    pub files: Files,
    /// This process among the others.
    pub node: ThisNode,
    /// Writes the rows of bulk writes by the way of single requests, where there is an edge that knows it.
    pub rows: Option<Arc<dyn RowWriter>>,
}

/// A view that is open, where storage has one to share.
pub type OpenView = Option<Box<dyn View>>;

/// Whether what a view took on trust is so. If not, whatever was done with it is to be done anew.
///
/// # Errors
/// Those of storage, where nobody could find out.
pub async fn holds(trust: Option<&dyn Trust>) -> Result<bool, Error> {
    let Some(trust) = trust else {
        return Ok(true);
    };
    match trust.prove().await {
        Ok(()) => Ok(true),
        Err(StoreError::Outdated) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Goes on only if what the view took on trust is so; for whoever does more than to read on it.
///
/// # Errors
/// Those of [`Trust::prove`].
pub async fn certain(view: &OpenView) -> Result<(), Error> {
    match view.as_ref().and_then(|view| view.trust()) {
        Some(trust) => Ok(trust.prove().await?),
        None => Ok(()),
    }
}

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
        // Whoever provisions has a door of their own, and comes in by no other.
        if self.identity.scopes.provisions() {
            let mut needed = requirement.all.iter().chain(requirement.any);
            let needed = needed.next().copied().unwrap_or(Scope::ReadAll);
            return Err(Forbidden::Scope(needed).into());
        }
        let permitted = |scope| {
            self.membership
                .as_ref()
                .is_none_or(|(_, member)| member.user.role.permits(scope))
        };
        requirement.check(|scope| self.identity.scopes.allows(scope), permitted)
    }
}

impl App {
    /// A view to let somebody in on, and to read what they came for.
    ///
    /// # Errors
    /// Those of storage.
    pub fn view(&self) -> Result<OpenView, Error> {
        Ok(self.store.view()?)
    }

    /// Lets a caller in: key, then platform, in this order. What they may do there is [`Admission::require`]'s. The view
    /// in which that was found, where there is one, is for what they came to read.
    ///
    /// # Errors
    /// The first that fails.
    pub async fn admit(
        &self,
        mut view: OpenView,
        credentials: Credentials,
        needs_platform: bool,
    ) -> Result<(Admission, OpenView), Error> {
        // Whoever guesses keys is not to keep the database busy.
        let secret = access::secret_of(&credentials)?;
        let now = self.clock.now();
        let admitting = self.store.read_one_in(&mut view, move |tx| {
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

    /// Lets a caller in again who was let in before, with the same key and in the same workspace: what they ask for is done later, and only
    /// if they still may. From where is not asked again: nobody calls now.
    ///
    /// # Errors
    /// As for [`Self::admit`].
    pub async fn admit_again(
        &self,
        key: ApiKeyId,
        workspace: WorkspaceId,
    ) -> Result<Admission, Error> {
        let now = self.clock.now();
        let admitting = self.store.read(move |tx| {
            let (identity, membership) = access::recognize_again(tx, key, workspace, now)?;
            Ok(Admission {
                identity,
                membership,
                now,
            })
        });
        admitting.await
    }

    /// The same application, of which nothing stays that is written: for whoever wants to know what would come of it.
    #[must_use]
    pub fn rehearsing(&self, asker: ApiKeyId) -> Self {
        let store = Rehearsal::over(Arc::clone(&self.store), asker);
        Self {
            store: Arc::new(store),
            ..self.clone()
        }
    }

    /// The context of a request inside the workspace that its caller chose.
    pub fn context(
        &self,
        workspace: Arc<Workspace>,
        member: Member,
        now: Timestamp,
        asked: RequestTrace,
    ) -> Context {
        self.visit(now, Some(asked.request_id), asked.trace)
            .within(workspace, Actor::Member(member))
    }

    /// The context of a background job inside a workspace.
    pub fn service_context(&self, workspace: Workspace) -> Context {
        self.visit(self.clock.now(), None, None)
            .within(workspace, Actor::Service)
    }

    /// The context of a request at its caller's account.
    pub fn account(&self, admission: Admission, asked: RequestTrace) -> Account {
        let visit = self.visit(admission.now, Some(asked.request_id), asked.trace);
        Account {
            identity: admission.identity,
            membership: admission.membership,
            visit,
        }
    }

    /// The context of a request without a key.
    pub fn visitor(&self, asked: RequestTrace) -> Visitor {
        self.visit(self.clock.now(), Some(asked.request_id), asked.trace)
    }

    /// The context of the service's own doings, outside any request and workspace.
    pub fn service_visit(&self) -> Visitor {
        self.visit(self.clock.now(), None, None)
    }

    fn visit(
        &self,
        now: Timestamp,
        request_id: Option<String>,
        trace: Option<TraceParent>,
    ) -> Visitor {
        Visitor {
            now,
            request_id,
            trace,
            ids: Arc::clone(&self.ids),
            entropy: Arc::clone(&self.entropy),
            settings: Arc::clone(&self.settings),
            sink: Arc::clone(&self.sink),
            passkeys: self.passkeys.clone(),
            ai: Arc::clone(&self.ai),
            queued: Arc::new(AtomicBool::new(false)),
        }
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
    pub async fn read_in<T, F>(&self, mut view: OpenView, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.read_on(&mut view, work).await
    }

    /// The same for a use case that asks for one thing only: where there is no view, it may do without a snapshot.
    pub async fn read_one_in<T, F>(&self, mut view: OpenView, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.read_one_in(&mut view, work).await
    }

    /// Runs a use case that only reads, on one snapshot.
    pub async fn read<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    {
        self.store.read(work).await
    }

    /// Runs a use case that only reads, and perhaps a lot, on one snapshot; nobody else waits for it.
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

    /// Notes that the caller's key was used, unless somebody noted that within a minute, and puts off the end of a session
    /// that is used; called after the answer. From where is noted of keys that somebody manages and looks at, and of no session.
    pub async fn note_key_use(
        &self,
        identity: &Identity,
        from: Option<IpAddr>,
    ) -> Result<(), Error> {
        let (id, now) = (identity.key_id, self.clock.now());
        let from = from.filter(|_| identity.key_kind == KeyKind::Standard);
        let from = from.map(Network::around);
        let renewal = identity.renewal;
        self.store
            .write(move |tx| {
                let newest = now.minus(access::USE_NOTED_EVERY);
                if let Some(ends) = renewal {
                    tx.keys().renew(id, now, ends)?;
                }
                Ok(tx.keys().note_use(id, now, from, newest)?)
            })
            .await
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Mutex;

    use lyceum_ports::authoring::inspection::MockMediaInspector;
    use lyceum_ports::blobs::MockBlobStore;
    use lyceum_ports::drafting::ai::MockAiProvider;
    use lyceum_ports::environment::{MockClock, MockEntropy, MockIds, MockSignal};
    use lyceum_ports::exporting::scorm::MockPackageWriter;
    use lyceum_ports::exporting::scorm_preview::MockPackageReader;
    use lyceum_ports::grading::attacking::MockAttackMaker;
    use lyceum_ports::grading::grouping::MockAnswerGrouper;
    use lyceum_ports::identity::identity_providers::MockIdentityProviders;
    use lyceum_ports::mocks::{MockStore, MockTx};
    use lyceum_ports::notifying::webhook_sink::MockWebhookSink;
    use lyceum_ports::store::Finish;

    use super::*;
    use crate::context::Context;
    use crate::identity::visibility::tests::context;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_ports::running::telemetry::NoTelemetry;

    /// An application over these mocks, and how its transactions ended.
    pub(super) fn app(tx: MockTx, signal: MockSignal) -> (App, Arc<Mutex<Vec<Finish>>>) {
        let store = MockStore::new(tx);
        let finished = store.finished();
        let ctx: Context = context(Role::Owner, KeyKind::Standard);
        let app = App {
            store: Arc::new(store),
            clock: Arc::new(MockClock::new()),
            ids: Arc::new(MockIds::new()),
            entropy: Arc::new(MockEntropy::new()),
            signal: Arc::new(signal),
            settings: ctx.visit.settings,
            ai: Arc::new(MockAiProvider::new()),
            grouping: Grouping::by(Arc::new(MockAnswerGrouper::default())),
            attacks: Arc::new(MockAttackMaker::new()),
            ai_tally: AiTally::default(),
            telemetry: Arc::new(NoTelemetry::default()),
            room: Room::default(),
            tracing: Tracing::default(),
            packages: Arc::new(MockPackageWriter::new()),
            media: None,
            inspector: Arc::new(MockMediaInspector::new()),
            package_files: Arc::new(MockPackageReader::new()),
            blobs: Arc::new(MockBlobStore::new()),
            sink: Arc::new(MockWebhookSink::new()),
            passkeys: None,
            identity_providers: Arc::new(MockIdentityProviders::new()),
            mailer: None,
            exports: Exports::default(),
            files: Files::default(),
            node: ThisNode::new(crate::running::node::tests::node_id(1)),
            rows: None,
        };
        (app, finished)
    }

    /// An application of which nothing is expected.
    pub(crate) fn idle() -> App {
        app(MockTx::default(), MockSignal::new()).0
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
            let refused = app.admit(None, credentials, true).await;
            assert!(matches!(refused, Err(Error::Unauthenticated(_))));
        }
        assert!(finished.lock().unwrap().is_empty());
    }
}
