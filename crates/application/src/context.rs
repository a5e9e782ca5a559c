//! Who is asking, where, when.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::identity::keys::KeyKind;
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::identity::sign_in::SignedIn;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::{ApiKeyId, CohortId, PersonId, ScormPackageId, UserId, WorkspaceId};
use lyceum_domain::text::Email;
use lyceum_domain::{Id, Timestamp};
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::environment::{Entropy, Ids};
use lyceum_ports::notifying::webhook_sink::WebhookSink;
use lyceum_ports::page::PageRequest;
use lyceum_ports::traces::TraceParent;

use lyceum_ports::identity::passkeys::PasskeyProtocol;

use crate::error::{Error, Forbidden};
use crate::settings::Settings;

/// A known caller: a person and the key they use.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Who.
    pub person_id: PersonId,
    /// Their address.
    pub email: Email,
    /// The key.
    pub key_id: ApiKeyId,
    /// What kind of key.
    pub key_kind: KeyKind,
    /// What the key may do.
    pub scopes: ScopeSet,
    /// The one platform that the key sees: a session key, and one that was made for a member.
    pub bound_to: Option<WorkspaceId>,
    /// The SCORM package that handed a session key out, to whoever had its public launch key.
    pub package: Option<ScormPackageId>,
    /// The workspace through which the key was made.
    pub made_in: Option<WorkspaceId>,
    /// Whether it is time to note that the key was used.
    pub use_unnoted: bool,
    /// How and when they proved who they are, if this is a session in a browser.
    pub signed_in: Option<SignedIn>,
    /// When the key was made; a session began then.
    pub began_at: Timestamp,
    /// When that session ends from now on, if its end is to be put off.
    pub renewal: Option<Timestamp>,
}

impl Identity {
    /// Whether what the caller came with opens the workspace of this membership of theirs.
    pub fn opens(&self, user: &User) -> bool {
        // Not when they proved who they are: whoever signs in anew after their sessions were ended is in, also where their provider had
        // them prove it long before.
        user.is_open_to(self.key_kind, Some(self.began_at))
    }

    /// Goes on only with whoever surely still sits there: what opens doors to others, or cannot be undone, takes somebody who
    /// proved a short while ago who they are. Keys are not asked: whoever holds one proves it each time.
    ///
    /// # Errors
    /// [`Forbidden::SignInAgain`]
    pub fn require_recent(&self, now: Timestamp) -> Result<(), Forbidden> {
        match self.signed_in {
            Some(signed_in) if !signed_in.is_recent(now) => Err(Forbidden::SignInAgain),
            Some(_) | None => Ok(()),
        }
    }
}

/// A known caller in a workspace.
#[derive(Debug, Clone)]
pub struct Member {
    /// Who, with which key.
    pub identity: Arc<Identity>,
    /// What they are here.
    pub user: Arc<User>,
}

impl Member {
    /// Whether key and role both allow the scope.
    pub fn may(&self, scope: Scope) -> bool {
        self.identity.scopes.allows(scope) && self.user.role.permits(scope)
    }

    /// Whether the caller sees only what learners see: session keys always, students with any key.
    pub fn is_learner(&self) -> bool {
        self.identity.key_kind == KeyKind::Session || self.user.role == Role::Student
    }

    /// From whose share of AI and of room they take.
    pub fn spender(&self) -> Spender {
        match self.identity.package {
            Some(package) => Spender::Package(package),
            None if self.is_learner() => Spender::Learners,
            None => Spender::Staff,
        }
    }
}

/// A request, as far as it has to do with what came of it.
#[derive(Debug, Clone)]
pub struct RequestTrace {
    /// Its id.
    pub request_id: String,
    /// Where in a trace it is, if it is in one.
    pub trace: Option<TraceParent>,
}

/// On whose behalf something is done.
#[derive(Debug, Clone)]
pub enum Actor {
    /// A caller.
    Member(Member),
    /// The service itself, in a background job.
    Service,
}

/// What every use case is told: where, when, on whose behalf, and where ids and randomness come from.
#[derive(Clone)]
pub struct Context {
    /// The tenant. Every look-up is inside it.
    pub workspace: Arc<Workspace>,
    /// On whose behalf.
    pub actor: Actor,
    /// As which cohort courses are to be read, where the caller says so.
    pub read_as: Option<CohortId>,
    /// When, in which request, and where ids and randomness come from.
    pub visit: Visitor,
}

impl Deref for Context {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visit
    }
}

impl Context {
    /// The tenant's id.
    pub fn workspace_id(&self) -> WorkspaceId {
        self.workspace.id
    }

    /// The same, as a part of a trace.
    #[must_use]
    pub fn in_trace(mut self, trace: Option<TraceParent>) -> Self {
        self.visit.trace = trace;
        self
    }

    /// The caller.
    ///
    /// # Errors
    /// [`Forbidden::Role`] for the service itself, which never asks for anything of its own.
    pub fn member(&self) -> Result<&Member, Error> {
        match &self.actor {
            Actor::Member(member) => Ok(member),
            Actor::Service => Err(Forbidden::Role.into()),
        }
    }

    /// As whom events name whoever does this.
    pub fn acted_by(&self) -> ActedBy {
        match &self.actor {
            Actor::Member(member) => member.user.acted(),
            // What the service does in a request is done for somebody it does not know yet.
            Actor::Service if self.request_id.is_some() => ActedBy::Person(None),
            Actor::Service => ActedBy::System,
        }
    }

    /// The learner whose view this is; `None` when the caller sees everything.
    pub fn learner(&self) -> Option<UserId> {
        match &self.actor {
            Actor::Member(member) if member.is_learner() => Some(member.user.id),
            Actor::Member(_) | Actor::Service => None,
        }
    }

    /// From whose share of AI the caller takes; what the service does by itself it does for staff.
    pub fn spender(&self) -> Spender {
        match &self.actor {
            Actor::Member(member) => member.spender(),
            Actor::Service => Spender::Staff,
        }
    }

    /// Whether the caller may use the scope; the service may everything.
    pub fn may(&self, scope: Scope) -> bool {
        match &self.actor {
            Actor::Member(member) => member.may(scope),
            Actor::Service => true,
        }
    }

    /// Whether a page looks for people by name of whoever may not read who they are: such a page finds nothing, else the names
    /// could be guessed letter by letter.
    pub fn asks_for_hidden_people(&self, page: &PageRequest) -> bool {
        page.narrowed.text.is_some() && !self.may(Scope::ReadStudents)
    }

    /// The same moment and request, without the workspace.
    pub fn visitor(&self) -> Visitor {
        self.visit.clone()
    }
}

/// What a use case without a known caller is told.
#[derive(Clone)]
pub struct Visitor {
    /// Now; one moment for the whole use case.
    pub now: Timestamp,
    /// The request.
    pub request_id: Option<String>,
    /// Where in a trace this is, if it is in one.
    pub trace: Option<TraceParent>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// Makes secrets.
    pub entropy: Arc<dyn Entropy>,
    /// What the operator decided.
    pub settings: Arc<Settings>,
    /// Knows which addresses may be told anything.
    pub sink: Arc<dyn WebhookSink>,
    /// Knows which models may be asked; a use case asks it nothing else.
    pub ai: Arc<dyn AiProvider>,
    /// Speaks with devices that hold passkeys, where browsers use any at the address of the service.
    pub passkeys: Option<Arc<dyn PasskeyProtocol>>,
    /// Raised when something was queued that workers should be told about after the commit.
    pub queued: Arc<AtomicBool>,
}

impl Visitor {
    /// Notes that workers have something to do once this is committed.
    pub fn note_queued(&self) {
        self.queued.store(true, Ordering::Relaxed);
    }

    /// A new identifier.
    pub fn mint<K>(&self) -> Id<K> {
        self.ids.mint()
    }

    /// The context of the service itself inside a workspace, within the same request.
    pub fn within(&self, workspace: impl Into<Arc<Workspace>>, actor: Actor) -> Context {
        Context {
            workspace: workspace.into(),
            actor,
            read_as: None,
            visit: self.clone(),
        }
    }
}

/// What a use case at a caller's account is told.
#[derive(Clone)]
pub struct Account {
    /// Who is asking.
    pub identity: Arc<Identity>,
    /// The platform they chose, if they chose one, and what they are there.
    pub membership: Option<(Arc<Workspace>, Member)>,
    /// When, and where ids and randomness come from.
    pub visit: Visitor,
}

impl Account {
    /// Refuses a key that opens one platform alone: what reaches beyond it is for the person's own keys.
    ///
    /// # Errors
    /// [`Forbidden::Bound`]
    pub fn refuse_bound(&self) -> Result<(), Error> {
        match self.identity.bound_to {
            Some(_) => Err(Forbidden::Bound.into()),
            None => Ok(()),
        }
    }
}
