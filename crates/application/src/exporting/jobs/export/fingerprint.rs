//! What tells one archive from another: everything that enters it but the identity that learners are let in by.

use std::io::{self, BufRead};
use std::path::Path;

use lyceum_domain::authoring::rubric::canonical;
use lyceum_domain::exporting::scorm::{LmsOrigin, ScormPackage};
use lyceum_domain::hex;
use lyceum_ports::exporting::scorm::{CourseSnapshot, SnapshotMedia};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::error::Error;

/// Of a package of this snapshot, written by this version of writer and player.
///
/// # Errors
/// [`Error::Unavailable`] if a file of the snapshot cannot be read.
pub fn of(
    version: &str,
    package: &ScormPackage,
    snapshot: &CourseSnapshot,
) -> Result<String, Error> {
    let media = snapshot.media.iter().map(medium);
    let media = media.collect::<Result<Vec<_>, _>>();
    let media = media.map_err(|error| Error::Unavailable(error.into()))?;
    let anonymous = CourseSnapshot {
        service: None,
        media: Vec::new(),
        ..snapshot.clone()
    };
    let content = serde_json::to_value(&anonymous);
    let policy = &package.launch;
    let everything = json!({
        "writer": version,
        "content": content.map_err(|error| Error::Internal(error.into()))?,
        "media": media,
        "runtime_base_url": package.runtime_base_url.as_str(),
        // They are not in the archive, but they are those of its one launch key.
        "connected": policy.connected,
        "allowed_origins": policy.allowed_origins.iter().map(LmsOrigin::as_str).collect::<Vec<_>>(),
        "launch_expires_at": policy.expires_at.map(|at| at.to_string()),
        "max_learners": policy.max_learners,
    });
    Ok(hex::lower(&Sha256::digest(canonical(&everything))))
}

/// What is at an address may change while the address stays.
fn medium(medium: &SnapshotMedia) -> io::Result<Value> {
    let hash = hash_of(&medium.file)?;
    let smaller = medium.smaller.iter();
    let smaller = smaller.map(|smaller| Ok(json!([smaller.dimensions, hash_of(&smaller.file)?])));
    let smaller = smaller.collect::<io::Result<Vec<_>>>()?;
    Ok(json!([
        medium.address,
        medium.media_type,
        hash,
        medium.alt_text,
        medium.dimensions,
        smaller
    ]))
}

fn hash_of(file: &Path) -> io::Result<String> {
    let mut bytes = io::BufReader::new(std::fs::File::open(file)?);
    let mut hasher = Sha256::new();
    loop {
        let chunk = bytes.fill_buf()?;
        if chunk.is_empty() {
            return Ok(hex::lower(&hasher.finalize()));
        }
        hasher.update(chunk);
        let length = chunk.len();
        bytes.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::Timestamp;
    use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
    use lyceum_ports::exporting::scorm::LiveService;

    use crate::exporting::scorm::tests::{package, snapshot};

    fn changed(change: impl Fn(&mut ScormPackage, &mut CourseSnapshot)) -> String {
        let (mut package, mut snapshot) = (package(), snapshot());
        change(&mut package, &mut snapshot);
        of("1", &package, &snapshot).unwrap()
    }

    #[test]
    fn whose_archive_it_is_makes_no_difference() {
        let same = changed(|_, _| ());
        let another = changed(|package, snapshot| {
            package.id = crate::identity::visibility::tests::id(77);
            snapshot.service = Some(LiveService {
                runtime_base_url: "http://127.0.0.1:8080".to_owned(),
                package_id: "scp_77".to_owned(),
                launch_key: "lk_77".to_owned(),
            });
        });
        assert_eq!(another, same);
    }

    #[test]
    fn everything_else_makes_one() {
        let same = changed(|_, _| ());
        let at = Timestamp::from_unix_millis(1);
        let url = RuntimeBaseUrl::parse("https://other.example").unwrap();
        let others = [
            changed(|_, snapshot| snapshot.course_name.push('x')),
            changed(|_, snapshot| snapshot.cohort_id.push('x')),
            changed(|_, snapshot| snapshot.tutor = !snapshot.tutor),
            changed(|_, snapshot| snapshot.reporting.retries_failed = true),
            changed(|_, snapshot| snapshot.accent_color = Some("#112233".to_owned())),
            changed(|package, _| package.runtime_base_url = url.clone()),
            changed(|package, _| package.launch.connected = false),
            changed(|package, _| package.launch.max_learners = Some(1)),
            changed(|package, _| package.launch.expires_at = Some(at)),
            changed(|package, _| {
                package.launch.allowed_origins = vec![LmsOrigin::parse("null").unwrap()];
            }),
            of("2", &package(), &snapshot()).unwrap(),
        ];
        assert!(others.iter().all(|other| *other != same));
    }

    #[test]
    fn a_picture_is_told_by_what_is_in_it() {
        let file = std::env::temp_dir().join(format!("lyceum-fingerprint-{}", std::process::id()));
        let with = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            changed(|_, snapshot| {
                snapshot.media = vec![SnapshotMedia {
                    address: "https://example.org/a.png".to_owned(),
                    file: file.clone(),
                    media_type: "image/png".to_owned(),
                    ..SnapshotMedia::default()
                }];
            })
        };
        let (one, other, again) = (with(b"one"), with(b"other"), with(b"one"));
        std::fs::remove_file(&file).unwrap();
        assert_ne!(one, other);
        assert_eq!(one, again);
    }
}
