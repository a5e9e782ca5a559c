//! What is told of a try for a certificate: its view, and events.

use lyceum_domain::grading::certificates::ledger::Ledger;
use lyceum_wire::grading::certificates::CertificateView;

use crate::notifying::events;
use crate::prelude::*;

/// Tells of a try as it is now.
///
/// # Errors
/// Those of storage.
pub fn tell(tx: &mut dyn Tx, ctx: &Context, kind: EventType, ledger: &Ledger) -> Result<(), Error> {
    events::record(tx, ctx, kind, &CertificateView::new(ledger))
}
