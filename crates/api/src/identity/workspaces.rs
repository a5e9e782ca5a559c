//! Workspaces over HTTP.

use lyceum_application::identity::workspaces;
use lyceum_domain::ids::Workspace;
use lyceum_wire::identity::workspaces::{CreateWorkspace, UpdateWorkspace, WorkspaceView};

use crate::http::auth_scope::AtAccount;
use crate::prelude::*;

pub async fn create(
    call: Call<Json<CreateWorkspace>, AtAccount>,
) -> Outcome<Created<WorkspaceView>> {
    let maker = call.context.identity.person_id;
    call.count(|limiter, request, _| limiter.count_workspace(request, maker))?;
    call.write(|tx, account, _, new| workspaces::create(tx, account, new))
        .await
}

pub async fn list(
    call: Call<Listing<Workspace, (), Tagged>, AtAccount>,
) -> Outcome<Listed<WorkspaceView>> {
    call.read(|tx, account, _, ((), page)| workspaces::list(tx, account, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing, AtAccount>) -> Outcome<Found<WorkspaceView>> {
    call.read(|tx, account, path, ()| workspaces::retrieve(tx, account, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateWorkspace>, AtAccount>) -> Outcome<Found<WorkspaceView>> {
    call.unless_changed(|tx, account, path| workspaces::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, changes| workspaces::update(tx, account, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Params<Force>, AtAccount>) -> Outcome<Deleted> {
    call.unless_changed(|tx, account, path| workspaces::retrieve(tx, account, path.id()?))
        .write(|tx, account, path, Force(force)| {
            workspaces::delete(tx, account, path.id()?, force).map(|id| id.to_string())
        })
        .await
}
