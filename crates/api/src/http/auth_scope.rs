//! What a route is authorized for: a tenant, the caller's account, or the public.

use lyceum_application::app::{Admission, OpenView};
use lyceum_application::authoring::waiting;
use lyceum_application::context::{Account, RequestTrace, Visitor};
use lyceum_application::error::{LastChange, PlatformProblem};
use lyceum_application::expand::{self, Expansion};
use lyceum_application::identity::access::Credentials;
use lyceum_application::notifying::overtaking;
use lyceum_application::{App, Context, Error, Tx};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lyceum_application::context::Identity;
use lyceum_domain::Timestamp;
use lyceum_domain::ids::{CohortId, PersonId, WorkspaceId};

use crate::edge::rate_limit::Payer;
use crate::http::error::Failure;

/// A scope: what use cases in it are told, and how a caller gets there.
pub trait AuthScope: 'static {
    /// What its use cases are told.
    type Context: Clone + Send + 'static;
    /// Whether a key is needed.
    const NEEDS_KEY: bool;
    /// Whether a platform must be chosen.
    const NEEDS_PLATFORM: bool;

    /// Lets a caller in who passes the gate, which is asked once caller and platform are known; with the view in which
    /// that was found, if there is one.
    fn enter(
        app: &App,
        view: OpenView,
        credentials: Credentials,
        gate: impl FnOnce(&Admission) -> Result<(), Failure>,
        asked: RequestTrace,
    ) -> impl Future<Output = Result<(Self::Context, OpenView), Failure>>;

    /// Now, as the scope sees it.
    fn now(context: &Self::Context) -> Timestamp;
    /// Raised when workers have something to do.
    fn queued(context: &Self::Context) -> Arc<AtomicBool>;
    /// Whose idempotency keys these are, and where; nobody's in the open.
    fn owner(context: &Self::Context) -> Option<(PersonId, Option<WorkspaceId>)>;
    /// Who the caller is, if known.
    fn identity(context: &Self::Context) -> Option<&Identity>;
    /// Who pays for what is kept; outside a platform nobody does.
    fn payer(_: &Self::Context) -> Option<Payer> {
        None
    }

    /// The context of a row of a bulk write, which is written inside a platform and nowhere else.
    fn of_row(_: Context) -> Option<Self::Context> {
        None
    }

    /// Who changed a thing last, where the caller may know; outside a platform that is nobody's to know.
    ///
    /// # Errors
    /// Those of storage.
    fn last_change(
        _: &mut dyn Tx,
        _: &Self::Context,
        _object_id: &str,
        _of_draft: bool,
    ) -> Result<Option<LastChange>, Error> {
        Ok(None)
    }

    /// Has courses read as a cohort sees them; outside a platform there are none.
    fn read_as(_: &mut Self::Context, _: CohortId) {}

    /// Puts related objects into an answer; outside a platform there are none.
    ///
    /// # Errors
    /// Those of [`expand::expand`].
    fn expand(
        _: &mut dyn Tx,
        _: &Self::Context,
        _: &mut Value,
        _: &Expansion,
    ) -> Result<(), Error> {
        Ok(())
    }
}

/// Inside the platform that the caller chose.
pub struct Tenant;

impl AuthScope for Tenant {
    type Context = Context;
    const NEEDS_KEY: bool = true;
    const NEEDS_PLATFORM: bool = true;

    async fn enter(
        app: &App,
        view: OpenView,
        credentials: Credentials,
        gate: impl FnOnce(&Admission) -> Result<(), Failure>,
        asked: RequestTrace,
    ) -> Result<(Context, OpenView), Failure> {
        let (admission, view) = app.admit(view, credentials, true).await?;
        gate(&admission)?;
        let missing = || Error::from(PlatformProblem::Missing);
        let (workspace, member) = admission.membership.ok_or_else(missing)?;
        let context = app.context(workspace, member, admission.now, asked);
        Ok((context, view))
    }

    fn now(context: &Context) -> Timestamp {
        context.now
    }

    fn queued(context: &Context) -> Arc<AtomicBool> {
        Arc::clone(&context.queued)
    }

    fn owner(context: &Context) -> Option<(PersonId, Option<WorkspaceId>)> {
        let member = context.member().ok()?;
        Some((member.identity.person_id, Some(context.workspace_id())))
    }

    fn identity(context: &Context) -> Option<&Identity> {
        context.member().ok().map(|member| &*member.identity)
    }

    fn payer(context: &Context) -> Option<Payer> {
        let member = context.member().ok()?;
        Some(Payer {
            workspace: context.workspace_id(),
            person: member.identity.person_id,
            spender: member.spender(),
        })
    }

    fn of_row(context: Context) -> Option<Context> {
        Some(context)
    }

    fn last_change(
        tx: &mut dyn Tx,
        context: &Context,
        object_id: &str,
        of_draft: bool,
    ) -> Result<Option<LastChange>, Error> {
        if of_draft {
            return waiting::last_change(tx, context, object_id);
        }
        overtaking::last_change(tx, context, object_id)
    }

    fn read_as(context: &mut Context, cohort: CohortId) {
        context.read_as = Some(cohort);
    }

    fn expand(
        tx: &mut dyn Tx,
        context: &Context,
        answer: &mut Value,
        wanted: &Expansion,
    ) -> Result<(), Error> {
        expand::expand(tx, context, answer, wanted)
    }
}

/// At the caller's account, whatever platform.
pub struct AtAccount;

impl AuthScope for AtAccount {
    type Context = Account;
    const NEEDS_KEY: bool = true;
    const NEEDS_PLATFORM: bool = false;

    async fn enter(
        app: &App,
        view: OpenView,
        credentials: Credentials,
        gate: impl FnOnce(&Admission) -> Result<(), Failure>,
        asked: RequestTrace,
    ) -> Result<(Account, OpenView), Failure> {
        let (admission, view) = app.admit(view, credentials, false).await?;
        gate(&admission)?;
        Ok((app.account(admission, asked), view))
    }

    fn now(context: &Account) -> Timestamp {
        context.visit.now
    }

    fn queued(context: &Account) -> Arc<AtomicBool> {
        Arc::clone(&context.visit.queued)
    }

    fn owner(context: &Account) -> Option<(PersonId, Option<WorkspaceId>)> {
        // What a key of one platform was answered is nothing that the person's other keys asked for, nor the other way round.
        Some((context.identity.person_id, context.identity.bound_to))
    }

    fn identity(context: &Account) -> Option<&Identity> {
        Some(&context.identity)
    }
}

/// In the open: no key.
pub struct Open;

impl AuthScope for Open {
    type Context = Visitor;
    const NEEDS_KEY: bool = false;
    const NEEDS_PLATFORM: bool = false;

    async fn enter(
        app: &App,
        _: OpenView,
        _: Credentials,
        _: impl FnOnce(&Admission) -> Result<(), Failure>,
        asked: RequestTrace,
    ) -> Result<(Visitor, OpenView), Failure> {
        Ok((app.visitor(asked), None))
    }

    fn now(context: &Visitor) -> Timestamp {
        context.now
    }

    fn queued(context: &Visitor) -> Arc<AtomicBool> {
        Arc::clone(&context.queued)
    }

    fn owner(_: &Visitor) -> Option<(PersonId, Option<WorkspaceId>)> {
        None
    }

    fn identity(_: &Visitor) -> Option<&Identity> {
        None
    }
}
