//! Removing recordings that no activity has any more, and the pieces that they were made of. Jobs, because the files are not
//! in the database.

use lyceum_ports::blobs::BlobKey;

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;
use crate::running::files;

/// Unless another activity has it, as copies do, or it lies in the trash and may come back.
pub async fn perform(app: &App, job: &Claimed, name: String) -> Result<(), Error> {
    let (workspace, key) = (job.workspace_id, BlobKey::of_recording(&name)?);
    let look = move |tx: &mut dyn Tx| {
        let may_come_back = tx.trash().keeps_file(workspace, &name)?;
        Ok::<_, Error>(may_come_back || tx.activities().with_recording(workspace, &name)? > 0)
    };
    if !app.store.read(look).await? {
        files::remove(app, &key).await?;
    }
    claimed::finish(app, job).await
}

/// Nobody shares pieces.
pub async fn perform_pieces(app: &App, job: &Claimed, pieces: &[String]) -> Result<(), Error> {
    for piece in pieces {
        if let Ok(key) = BlobKey::parse(piece) {
            files::remove(app, &key).await?;
        }
    }
    claimed::finish(app, job).await
}
