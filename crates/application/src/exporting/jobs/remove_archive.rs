//! Removing the archive of a package that is gone.
//!
//! A job, because the file is not in the database: it goes once the change that let go of it is committed, and a
//! process that dies in between goes on with it.

use lyceum_domain::ids::ScormPackageId;
use lyceum_ports::blobs::BlobKey;

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;
use crate::running::files;

/// Unless it is shared, or lies in the trash and may come back. Once nobody shares it nobody ever will again: whatever is
/// shared is shared by those who have it.
pub async fn perform(app: &App, job: &Claimed, origin: ScormPackageId) -> Result<(), Error> {
    let workspace = job.workspace_id;
    let look = move |tx: &mut dyn Tx| {
        let may_come_back = tx.trash().keeps_file(workspace, &origin.to_string())?;
        Ok::<_, Error>(may_come_back || tx.scorm_packages().open(origin)?.is_some())
    };
    if !app.store.read(look).await? {
        files::remove(app, &BlobKey::of_archive(origin)).await?;
    }
    claimed::finish(app, job).await
}
