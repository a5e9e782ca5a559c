//! What a third party needs to make an assignment's certificates again, without the database.

use lyceum_domain::grading::certificates::recomputing::revealed_seeds;
use lyceum_domain::grading::receipts::ChainHead;
use lyceum_domain::ids::AssignmentId;
use lyceum_wire::grading::certificate_records::{CertificateRecordsView, DeclarationView};

use super::chain::ledger;
use crate::prelude::*;

/// The assignment's chain as it is hashed, and what was kept beside each declaration. Of one whose drawn answers wait for blind grades
/// nothing is shown yet. A seed is shown only by the record of its try's end.
///
/// # Errors
/// [`Error::NotFound`], also where nobody ever tried.
pub fn records(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
) -> Result<CertificateRecordsView, Error> {
    let workspace = ctx.workspace_id();
    found(tx.assignments().find(workspace, id)?, "assignment")?;
    let tries = tx.certificates().of_assignment(workspace, id)?;
    let newest = found(tries.last(), "certificate")?;
    let head: ChainHead = newest.head.clone();
    let records = tx.certificates().records(workspace, id)?;
    let mut seeds = revealed_seeds(&records).into_iter();
    let mut declarations = Vec::new();
    for one in tries.into_iter().filter(|one| one.declared.is_some()) {
        let certificate = one.id;
        let shown = ledger(tx, one)?.shown_facts(seeds.next());
        declarations.push(DeclarationView::new(certificate, shown.as_ref()));
    }
    Ok(CertificateRecordsView::new(
        id,
        &head,
        &records,
        declarations,
    ))
}
