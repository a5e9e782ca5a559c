//! Domains of addresses, which the operator gives to workspaces. Whoever has one decides where everybody with such an address is
//! sent to sign in, so nobody takes one by themselves.

use lyceum_domain::identity::sso_connections::{AssignedDomain, EmailDomain};
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_ports::store::StoreError;

use crate::context::Visitor;
use crate::prelude::*;

/// Gives a domain to the workspace with this code; a second time changes nothing.
///
/// # Errors
/// [`Error::Reference`] if there is none, [`Conflict::Taken`] if the domain is another's
pub fn assign(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    domain: &EmailDomain,
    code: &PlatformCode,
) -> Result<AssignedDomain, Error> {
    let workspace = tx.workspaces().find_by_code(code)?;
    let workspace = referenced(workspace, "platform", "workspace")?;
    if let Some(there) = tx.sso().domain(domain)? {
        if there.workspace_id == workspace.id {
            return Ok(there);
        }
        return Err(Conflict::Taken("domain").into());
    }
    let assigned = AssignedDomain {
        domain: domain.clone(),
        workspace_id: workspace.id,
        connection_id: None,
        created_at: visitor.now,
    };
    match tx.sso().assign_domain(&assigned) {
        Err(StoreError::Taken { .. }) => Err(Conflict::Taken("domain").into()),
        outcome => Ok(outcome.map(|()| assigned)?),
    }
}

/// Takes a domain back: nobody with such an address is sent anywhere, nor let in by it for the first time.
///
/// # Errors
/// [`Error::NotFound`]
pub fn unassign(tx: &mut dyn Tx, domain: &EmailDomain) -> Result<(), Error> {
    if tx.sso().unassign_domain(domain)? {
        return Ok(());
    }
    Err(Error::NotFound("domain"))
}

/// Every domain with the code of its workspace.
///
/// # Errors
/// Those of storage
pub fn list(tx: &mut dyn Tx) -> Result<Vec<(AssignedDomain, Option<PlatformCode>)>, Error> {
    let mut listed = Vec::new();
    for assigned in tx.sso().domains(None)? {
        let workspace = tx.workspaces().find(assigned.workspace_id)?;
        listed.push((assigned, workspace.and_then(|found| found.platform.code)));
    }
    Ok(listed)
}
