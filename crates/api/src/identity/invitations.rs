//! Invitations over HTTP: a person's own, whatever platform.

use lyceum_application::identity::invitations::{self, InvitationFilter};
use lyceum_domain::identity::invitations::InvitationStatus;
use lyceum_domain::ids::Invitation;
use lyceum_wire::identity::invitations::InvitationView;

use crate::http::auth_scope::AtAccount;
use crate::prelude::*;

pub async fn list(
    call: Call<Listing<Invitation, InvitationFilter>, AtAccount>,
) -> Outcome<Listed<InvitationView>> {
    call.read(|tx, account, _, (filter, page)| invitations::list(tx, account, filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing, AtAccount>) -> Outcome<Found<InvitationView>> {
    call.read(|tx, account, path, ()| invitations::retrieve(tx, account, path.id()?))
        .await
}

pub async fn accept(call: Call<Nothing, AtAccount>) -> Outcome<Found<InvitationView>> {
    call.write(|tx, account, path, ()| invitations::accept(tx, account, path.id()?))
        .await
}

pub async fn decline(call: Call<Nothing, AtAccount>) -> Outcome<Found<InvitationView>> {
    call.write(|tx, account, path, ()| invitations::decline(tx, account, path.id()?))
        .await
}

impl FromQuery for InvitationFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "status",
        "To which the caller said this; `pending` when absent.",
    )
    .one_of(&["pending", "accepted", "declined"])];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let status = query.parsed("status", InvitationStatus::parse)?;
        Ok(Self {
            status: status.unwrap_or(InvitationStatus::Pending),
        })
    }
}
