//! Removing the archive of packages that are gone.
//!
//! A job, because the file is not in the database: it goes once the change that let go of it is committed, and a
//! process that dies in between goes on with it.

use lyceum_domain::scorm::ScormPackageId;
use lyceum_ports::jobs::JobKind;
use lyceum_ports::store::Tx;

use serde_json::json;

use super::claimed::Claimed;
use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::{queue, scorm};

/// Queues it with the change that lets go of the archive.
///
/// # Errors
/// Those of storage.
pub fn enqueue(tx: &mut dyn Tx, ctx: &Context, origin: ScormPackageId) -> Result<(), Error> {
    queue::enqueue(
        tx,
        ctx,
        JobKind::RemoveArchive,
        origin.to_string(),
        json!({}),
    )
}

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    if let Ok(origin) = job.subject_id.parse::<ScormPackageId>() {
        let find = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.scorm_packages().open(origin)?);
        // Once nobody shares it nobody ever will again: an archive is shared by those who are ready.
        if app.store.read(find).await?.is_none() {
            let deleted = app.blobs.delete(&scorm::blob_key(origin)?).await;
            deleted.map_err(|error| Error::Unavailable(error.into()))?;
        }
    }
    super::settle(app, job, |_, _| Ok(())).await
}

pub async fn fail(app: &App, job: &Claimed, message: &str) -> Result<(), Error> {
    tracing::error!(archive = job.subject_id, message, "an archive is left over");
    super::settle(app, job, |_, _| Ok(())).await
}
