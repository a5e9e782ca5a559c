//! Recordings of podcasts that the service made: how they are shown, handed out and let go of.

use std::time::Duration;

use lyceum_domain::authoring::activities::{Activity, Recording};
use lyceum_domain::authoring::media::MediaType;
use lyceum_domain::ids::ActivityId;
use lyceum_domain::running::jobs::Job;

use crate::prelude::*;
use crate::running::files::KeptFile;
use crate::running::queue;
use crate::running::signed_files::SignedFile;
use crate::{Door, Settings, signed_address};

/// How long an address works at least. It ends at a full hour, so that two looks at an activity mostly show the same.
const LIFETIME: Duration = Duration::from_hours(1);

/// The address by which whoever is shown an activity hears its recording.
pub fn address(settings: &Settings, activity: &Activity, now: Timestamp) -> String {
    let hour = i64::try_from(LIFETIME.as_secs()).unwrap_or(i64::MAX);
    let expires = (now.plus(LIFETIME).unix_seconds() / hour + 1) * hour;
    let (workspace, id) = (activity.workspace_id, activity.id);
    let signature = signed_address::sign(settings, &signed_text(workspace, id, expires));
    let door = Door::Recording(workspace, id);
    settings.addresses.signed(door, expires, &signature)
}

fn signed_text(workspace: WorkspaceId, id: ActivityId, expires: i64) -> String {
    format!("audio\n{workspace}\n{id}\n{expires}")
}

/// What a signed address says.
#[derive(Debug, Clone)]
pub struct SignedAudio {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// The activity.
    pub activity: ActivityId,
    /// When it ends, in seconds since 1970.
    pub expires: i64,
    /// Over all of it.
    pub signature: String,
}

/// The recording behind a signed address.
///
/// # Errors
/// [`Forbidden::Link`](crate::error::Forbidden::Link) if the signature is not ours or too old, [`Error::NotFound`] if
/// there is no recording any more.
pub fn signed_download(
    tx: &mut dyn Tx,
    settings: &Settings,
    signed: &SignedAudio,
    now: Timestamp,
) -> Result<SignedFile, Error> {
    let missing = || Error::NotFound("activity");
    let text = signed_text(signed.workspace, signed.activity, signed.expires);
    signed_address::check(settings, &text, &signed.signature, signed.expires, now)?;
    let activity = tx.activities().find(signed.workspace, signed.activity)?;
    let activity = found(activity, "activity")?;
    let recording = activity.content.recording().ok_or_else(missing)?;
    Ok(SignedFile {
        media_type: MediaType::Wav,
        size_bytes: recording.size_bytes,
        kept: KeptFile::recording(&recording)?,
        expires: signed.expires,
    })
}

/// Lets go of a recording that an activity had and has no longer.
pub fn let_go(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: Option<Recording>,
    after: Option<&Recording>,
) -> Result<(), Error> {
    match before {
        Some(gone) if after.is_none_or(|one| one.name != gone.name) => {
            queue::enqueue(tx, ctx, Job::RemoveRecording { name: gone.name })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::running::jobs::Job;
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::context;

    fn recording(name: &str) -> Recording {
        Recording {
            name: name.to_owned(),
            sha256: "ab".to_owned(),
            size_bytes: 1,
            duration_ms: 1,
        }
    }

    #[test]
    fn only_what_an_activity_has_no_longer_is_let_go_of() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        for (before, after, jobs) in [
            (Some("one"), None, 1),
            (Some("one"), Some("two"), 1),
            (Some("one"), Some("one"), 0),
            (None, Some("two"), 0),
        ] {
            let mut tx = MockTx::default();
            tx.jobs
                .expect_enqueue()
                .times(jobs)
                .withf(|job, _| {
                    job.task
                        == Job::RemoveRecording {
                            name: "one".to_owned(),
                        }
                })
                .returning(|_, _| Ok(()));
            let after = after.map(recording);
            let_go(&mut tx, &ctx, before.map(recording), after.as_ref()).unwrap();
        }
    }
}
