//! Removing files of workspaces that are gone. No job does it: a workspace's jobs go with it.

use std::time::Duration;

use lyceum_ports::blobs::BlobKey;

use crate::app::App;
use crate::prelude::*;
use crate::running::files;

/// When files are removed once more: what was at work when its workspace went may have stored one after that.
const ONCE_MORE: Duration = Duration::from_hours(2);
/// How many are removed between two looks.
const AT_ONCE: u16 = 100;

/// Notes every file of a workspace that is about to be deleted, in the transaction that deletes it.
pub fn let_go_of_workspace(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    now: Timestamp,
) -> Result<(), Error> {
    let files = tx.unwanted_files().of_workspace(workspace)?;
    let mut keys = files.keys;
    for package in files.packages {
        let id = package
            .parse()
            .map_err(|_| Error::NotFound("scorm_package"))?;
        keys.push(BlobKey::of_archive(id).as_str().to_owned());
    }
    for name in files.recordings {
        keys.push(BlobKey::of_recording(&name)?.as_str().to_owned());
    }
    for media in files.media {
        let id = media.parse().map_err(|_| Error::NotFound("media_file"))?;
        let places = BlobKey::all_of_media(id).into_iter();
        keys.extend(places.map(|key| key.as_str().to_owned()));
    }
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        tx.unwanted_files().insert(&key, now)?;
        tx.unwanted_files().insert(&key, now.plus(ONCE_MORE))?;
    }
    Ok(())
}

/// Removes what is due; how many files that were. What cannot be removed stays due.
pub async fn sweep(app: &App) -> Result<u64, Error> {
    let now = app.clock.now();
    let mut count = 0;
    loop {
        let find = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.unwanted_files().due(now, AT_ONCE)?);
        let due = app.store.read(find).await?;
        if due.is_empty() {
            return Ok(count);
        }
        for key in due {
            let blob = BlobKey::parse(&key).map_err(|error| Error::Internal(error.into()))?;
            files::remove(app, &blob).await?;
            let forget =
                move |tx: &mut dyn Tx| Ok::<_, Error>(tx.unwanted_files().forget(&key, now)?);
            app.store.conclude(forget).await?;
            count += 1;
        }
    }
}
