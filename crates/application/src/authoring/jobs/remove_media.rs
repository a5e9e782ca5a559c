//! Removing the files of a media file that is gone. A job, because they are not in the database.

use lyceum_domain::ids::MediaId;
use lyceum_ports::blobs::BlobKey;

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;
use crate::running::files;

/// Unless it is there, or lies in the trash and may come back.
pub async fn perform(app: &App, job: &Claimed, media: MediaId) -> Result<(), Error> {
    let workspace = job.workspace_id;
    let look = move |tx: &mut dyn Tx| {
        let may_come_back = tx.trash().keeps_file(workspace, &media.to_string())?;
        Ok::<_, Error>(may_come_back || tx.media_files().find(workspace, media)?.is_some())
    };
    if !app.store.read(look).await? {
        for key in BlobKey::all_of_media(media) {
            files::remove(app, &key).await?;
        }
    }
    claimed::finish(app, job).await
}
