//! What a person can make others see: workspaces, and invitations to them.
//!
//! Counted by who makes them and where, never by whom they reach: a limit by the invited would let a stranger shut
//! somebody's school out by inviting them first, and tell who is invited elsewhere.

use std::num::NonZeroU32;

use actix_web::HttpRequest;
use lyceum_domain::ids::{PersonId, WorkspaceId};

use super::{Counter, LimitClock, Limiter};
use crate::http::error::Failure;

/// What an operator decides: per minute.
#[derive(Debug, Clone, Copy)]
pub struct TenantLimits {
    /// Workspaces that one person makes.
    pub workspaces_per_person: NonZeroU32,
    /// People whom one workspace, and whom one person, lets in by their address. A whole school may come at once.
    pub invitations: NonZeroU32,
}

pub(super) struct TenantCounters {
    workspaces: Counter<PersonId>,
    invitations: Counter<WorkspaceId>,
    inviters: Counter<PersonId>,
}

impl TenantCounters {
    pub(super) fn new(limits: TenantLimits, clock: &LimitClock) -> Self {
        let people = limits.invitations;
        Self {
            workspaces: Counter::new("workspaces", limits.workspaces_per_person, clock),
            invitations: Counter::new("invitations", people, clock),
            inviters: Counter::new("inviter", people, clock),
        }
    }

    pub(super) fn sweep(&self) {
        self.workspaces.sweep();
        self.invitations.sweep();
        self.inviters.sweep();
    }
}

impl Limiter {
    /// Counts a workspace that a person makes.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn count_workspace(
        &self,
        request: Option<&HttpRequest>,
        maker: PersonId,
    ) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        let counted = counters.tenants.workspaces.count(&maker);
        counters.taken(request, counted, false)
    }

    /// Counts somebody who is let in by their address, whether anybody knows it or not: first against the quota of who
    /// asks, so that one of them takes nothing from the others of the workspace.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn count_invitation(
        &self,
        request: Option<&HttpRequest>,
        workspace: WorkspaceId,
        inviter: PersonId,
    ) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        let tenants = &counters.tenants;
        counters.taken(request, tenants.inviters.count(&inviter), false)?;
        counters.taken(request, tenants.invitations.count(&workspace), false)
    }
}
