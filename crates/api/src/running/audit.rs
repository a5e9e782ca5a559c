//! The audit trail over HTTP: read, never written.

use lyceum_application::running::audit::{self, AuditFilter};
use lyceum_domain::ids::AuditEntry;
use lyceum_domain::running::audit::AuditAction;
use lyceum_wire::running::audit::AuditEntryView;

use crate::prelude::*;

pub async fn list(call: Call<Listing<AuditEntry, AuditFilter>>) -> Outcome<Listed<AuditEntryView>> {
    call.read(|tx, ctx, _, (filter, page)| audit::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<AuditEntryView>> {
    call.read(|tx, ctx, path, ()| audit::retrieve(tx, ctx, path.id()?))
        .await
}

impl FromQuery for AuditFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("action", "Of this action, such as `grade.changed`."),
        Parameter::new(
            "actor",
            "By the user or the key with this id, or by `service`, `visitor` or `system`.",
        ),
        Parameter::new(
            "subject_object",
            "About things of this kind, such as `submission`.",
        ),
        Parameter::new("subject_id", "About the thing with this id."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            action: query.parsed("action", AuditAction::parse)?,
            actor: query.text("actor")?,
            subject_object: query.text("subject_object")?,
            subject_id: query.text("subject_id")?,
        })
    }
}
