//! Removing files of what is gone: archives of packages, recordings of podcasts, and the pieces that recordings were
//! made of.
//!
//! A job, because the file is not in the database: it goes once the change that let go of it is committed, and a
//! process that dies in between goes on with it.

use lyceum_domain::ids::{GenerationId, ScormPackageId};
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::running::jobs::JobKind;
use lyceum_ports::store::Tx;

use serde_json::{Value, json};

use super::claimed::Claimed;
use crate::app::App;
use crate::context::Context;
use crate::drafting::recordings;
use crate::error::Error;
use crate::exporting::scorm;
use crate::running::queue;

/// Queues it with the change that lets go of the archive.
///
/// # Errors
/// Those of storage.
pub fn enqueue(tx: &mut dyn Tx, ctx: &Context, origin: ScormPackageId) -> Result<(), Error> {
    removal(tx, ctx, origin.to_string(), json!({}))
}

/// The same for a recording, which copies of the activity may still have.
///
/// # Errors
/// Those of storage.
pub fn enqueue_recording(tx: &mut dyn Tx, ctx: &Context, name: &str) -> Result<(), Error> {
    removal(tx, ctx, name.to_owned(), json!({}))
}

/// The same for a file that was in the trash, by its name.
///
/// # Errors
/// Those of storage.
pub fn enqueue_named(tx: &mut dyn Tx, ctx: &Context, name: String) -> Result<(), Error> {
    removal(tx, ctx, name, json!({}))
}

/// The same for the pieces of a generation that has landed.
///
/// # Errors
/// Those of storage.
pub fn enqueue_pieces(
    tx: &mut dyn Tx,
    ctx: &Context,
    generation: GenerationId,
    pieces: &[String],
) -> Result<(), Error> {
    let payload = json!({ "pieces": pieces });
    removal(tx, ctx, generation.to_string(), payload)
}

fn removal(tx: &mut dyn Tx, ctx: &Context, subject: String, payload: Value) -> Result<(), Error> {
    queue::enqueue(tx, ctx, JobKind::RemoveArchive, subject, payload)
}

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    for key in unwanted(app, job).await? {
        let deleted = app.blobs.delete(&key).await;
        deleted.map_err(|error| Error::Unavailable(error.into()))?;
    }
    super::settle(app, job, |_, _| Ok(())).await
}

/// The files that go, because nobody shares them any more. Once nobody does nobody ever will again: whatever is shared
/// is shared by those who have it.
async fn unwanted(app: &App, job: &Claimed) -> Result<Vec<BlobKey>, Error> {
    if let Some(pieces) = job.payload.get("pieces").and_then(Value::as_array) {
        let pieces = pieces.iter().filter_map(Value::as_str);
        return Ok(pieces.filter_map(|key| BlobKey::parse(key).ok()).collect());
    }
    let (workspace, name) = (job.workspace_id, job.subject_id.clone());
    let keep = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.trash().keeps_file(workspace, &name)?);
    if app.store.read(keep).await? {
        // Whatever has it may come back.
        return Ok(Vec::new());
    }
    let (key, is_shared) = if let Ok(origin) = job.subject_id.parse::<ScormPackageId>() {
        let find = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.scorm_packages().open(origin)?);
        let found = app.store.read(find).await?;
        (scorm::blob_key(origin)?, found.is_some())
    } else {
        let (workspace, name) = (job.workspace_id, job.subject_id.clone());
        let count = move |tx: &mut dyn Tx| {
            Ok::<_, Error>(tx.activities().with_recording(workspace, &name)?)
        };
        let count = app.store.read(count).await?;
        (recordings::blob_key(&job.subject_id)?, count > 0)
    };
    Ok(if is_shared { Vec::new() } else { vec![key] })
}

pub async fn fail(app: &App, job: &Claimed, message: &str) -> Result<(), Error> {
    tracing::error!(file = job.subject_id, message, "a file is left over");
    super::settle(app, job, |_, _| Ok(())).await
}
