//! The files that a course's texts refer to, for as long as a package is being made of them.

use std::io::Write;
use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use lyceum_domain::authoring::activities::Recording;
use lyceum_domain::authoring::media::{SCHEME, referred};
use lyceum_domain::ids::MediaId;
use lyceum_ports::exporting::media::MediaProblem;
use lyceum_ports::exporting::scorm::{CourseSnapshot, SnapshotMedia, SnapshotPicture};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::store::Tx;

use super::snapshot::{OURS, Snapshot};
use crate::app::App;
use crate::error::Error;
use crate::running::files::{self, KeptFile};

/// What was fetched for one package; the files are gone when this is, however the job ends.
#[derive(Default)]
pub struct Gathered {
    folder: Option<PathBuf>,
}

impl Drop for Gathered {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}

/// Fetches what the snapshot refers to and puts it in; what cannot be had is no reason to make no package.
///
/// # Errors
/// [`Error::Unavailable`] if there is no place for the files.
pub async fn gather(
    app: &App,
    job: &QueuedJob,
    snapshot: &mut Snapshot,
) -> Result<Gathered, Error> {
    let mut gathered = Gathered::default();
    let Snapshot {
        course: snapshot,
        recordings,
    } = snapshot;
    let addresses = app.packages.media(snapshot);
    let of = |wanted: fn(&str) -> bool| -> Vec<String> {
        let wanted = addresses.iter().filter(|address| wanted(address));
        wanted.cloned().collect()
    };
    let own = of(|address| address.starts_with(OURS));
    let library = of(|address| address.starts_with(SCHEME));
    let addresses = if app.media.is_some() {
        of(is_of_the_web)
    } else {
        Vec::new()
    };
    if own.is_empty() && library.is_empty() && addresses.is_empty() {
        return Ok(gathered);
    }
    let name = format!("lyceum-{}-{}.media", job.id, job.attempt);
    let folder = gathered.folder.insert(app.settings.scratch.join(name));
    std::fs::create_dir_all(&folder).map_err(|error| Error::Unavailable(error.into()))?;
    for address in own {
        copy(app, folder, recordings, snapshot, address).await?;
    }
    copy_library(app, job, folder, snapshot, &library).await?;
    let Some(fetcher) = app.media.as_ref().filter(|_| !addresses.is_empty()) else {
        return Ok(gathered);
    };
    let answers = fetcher.fetch(&addresses, folder).await;
    for (address, answer) in addresses.into_iter().zip(answers) {
        match answer {
            Ok(found) => snapshot.media.push(SnapshotMedia {
                address,
                file: found.file,
                media_type: found.media_type,
                ..SnapshotMedia::default()
            }),
            Err(problem) => snapshot.unavailable.push((address, problem)),
        }
    }
    Ok(gathered)
}

/// Puts in what the library has; what it has not, the package tells.
async fn copy_library(
    app: &App,
    job: &QueuedJob,
    folder: &Path,
    snapshot: &mut CourseSnapshot,
    addresses: &[String],
) -> Result<(), Error> {
    let ids: Vec<MediaId> = addresses.iter().flat_map(|one| referred(one)).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let workspace = job.workspace_id;
    let find = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.media_files().with_ids(workspace, &ids)?);
    for media in app.store.read(find).await? {
        let Some(content) = media.content() else {
            continue;
        };
        let address = format!("{SCHEME}{}", media.id);
        let mut copies = Vec::new();
        for (number, file) in content.files().enumerate() {
            let name = format!("{}-{number}.{}", media.id, file.media_type.ending());
            let target = folder.join(name);
            if copy_kept(app, &KeptFile::media(media.id, number, file), &target).await? {
                copies.push((target, file.dimensions));
            } else {
                break;
            }
        }
        let mut copies = copies.into_iter();
        let Some((file, dimensions)) = copies.next() else {
            let problem = MediaProblem::Unreachable;
            snapshot.unavailable.push((address, problem));
            continue;
        };
        let smaller = copies.filter_map(|(file, dimensions)| {
            dimensions.map(|dimensions| SnapshotPicture { file, dimensions })
        });
        let alt_text = media.description.alt_text.as_ref();
        snapshot.media.push(SnapshotMedia {
            address,
            file,
            media_type: content.file.media_type.to_string(),
            alt_text: alt_text.map(|text| text.as_str().to_owned()),
            dimensions,
            smaller: smaller.collect(),
        });
    }
    Ok(())
}

/// Copies a stored file, unless it is gone or damaged; whether it did.
async fn copy_kept(app: &App, kept: &KeptFile, to: &Path) -> Result<bool, Error> {
    if !files::is_whole(app, kept).await? {
        return Ok(false);
    }
    let mut bytes = files::open(app, kept, None).await?;
    let failed = |error: std::io::Error| Error::Unavailable(error.into());
    let mut written = std::fs::File::create(to).map_err(failed)?;
    while let Some(chunk) = bytes.next().await {
        written.write_all(&chunk?).map_err(failed)?;
    }
    Ok(true)
}

/// Puts a recording of our own in; one that is gone or damaged is one that cannot be had.
async fn copy(
    app: &App,
    folder: &Path,
    recordings: &[Recording],
    snapshot: &mut CourseSnapshot,
    address: String,
) -> Result<(), Error> {
    let name = address.strip_prefix(OURS).unwrap_or_default();
    let file = folder.join(format!("{name}.wav"));
    let kept = recordings.iter().find(|recording| recording.name == name);
    let kept = kept.map(KeptFile::recording).transpose()?;
    let copied = match &kept {
        Some(kept) => copy_kept(app, kept, &file).await?,
        None => false,
    };
    if !copied {
        snapshot
            .unavailable
            .push((address, MediaProblem::Unreachable));
        return Ok(());
    }
    snapshot.media.push(SnapshotMedia {
        address,
        file,
        media_type: "audio/wav".to_owned(),
        ..SnapshotMedia::default()
    });
    Ok(())
}

fn is_of_the_web(address: &str) -> bool {
    let scheme = address.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        ["http", "https"]
            .iter()
            .any(|one| scheme.eq_ignore_ascii_case(one))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    use lyceum_domain::running::jobs::Job;
    use lyceum_ports::exporting::media::{FetchedMedia, MediaProblem, MockMediaFetcher};
    use lyceum_ports::exporting::scorm::{Completion, MockPackageWriter, Reporting, ScormEdition};

    use super::*;
    use crate::app::tests::idle;
    use crate::identity::visibility::tests::{id, now};

    fn job() -> QueuedJob {
        QueuedJob {
            id: id::<lyceum_domain::ids::Cohort>(7).uuid(),
            workspace_id: id(1),
            task: Job::ExportScorm { package: id(2) },
            attempt: 1,
            tries: 0,
            max_attempts: 3,
            run_at: now(),
            begun_at: None,
            trace: None,
        }
    }

    fn snapshot() -> Snapshot {
        let course = CourseSnapshot {
            cohort_id: String::new(),
            edition: ScormEdition::V2004,
            service: None,
            accent_color: None,
            tutor: false,
            reporting: Reporting::default(),
            completion: Completion::default(),
            course_name: String::new(),
            cohort_name: String::new(),
            language: String::new(),
            description: String::new(),
            units: Vec::new(),
            assignments: Vec::new(),
            media: Vec::new(),
            unavailable: Vec::new(),
        };
        Snapshot {
            course,
            recordings: Vec::new(),
        }
    }

    fn app(addresses: &[&str], fetcher: Option<MockMediaFetcher>) -> App {
        let addresses: Vec<String> = addresses.iter().map(|one| (*one).to_owned()).collect();
        let mut writer = MockPackageWriter::new();
        writer.expect_media().return_const(addresses);
        let mut app = idle();
        app.packages = Arc::new(writer);
        if let Some(fetcher) = fetcher {
            app.media = Some(Arc::new(fetcher));
        }
        let mut settings = (*app.settings).clone();
        settings.scratch = std::env::temp_dir();
        app.settings = Arc::new(settings);
        app
    }

    /// Writes a file for the first address, and has a reason against each of the others.
    fn first_only(asked: &Arc<Mutex<Vec<String>>>) -> MockMediaFetcher {
        let asked = Arc::clone(asked);
        let mut fetcher = MockMediaFetcher::new();
        fetcher
            .expect_fetch()
            .returning(move |addresses, folder: &Path| {
                asked.lock().unwrap().extend_from_slice(addresses);
                let file = folder.join("0");
                std::fs::write(&file, b"picture").unwrap();
                let picture = FetchedMedia {
                    file,
                    media_type: "image/png".to_owned(),
                };
                let problems = [
                    MediaProblem::Unreachable,
                    MediaProblem::TooLarge,
                    MediaProblem::WrongKind,
                ];
                let rest = problems.into_iter().map(Err);
                std::iter::once(Ok(picture))
                    .chain(rest)
                    .take(addresses.len())
                    .collect()
            });
        fetcher
    }

    #[tokio::test]
    async fn what_can_be_had_is_in_the_snapshot_until_the_job_ends_and_the_rest_is_told() {
        let asked = Arc::default();
        let addresses = [
            "https://example.org/a.png",
            "http://example.org/b.png?token=secret",
            "HTTPS://example.org/c.mp4",
            "https://example.org/d",
            "media/e.png",
            "data:image/png;base64,AA==",
        ];
        let app = app(&addresses, Some(first_only(&asked)));
        let mut snapshot = snapshot();
        let gathered = gather(&app, &job(), &mut snapshot).await.unwrap();
        assert_eq!(*asked.lock().unwrap(), addresses[..4]);
        let [media] = snapshot.course.media.as_slice() else {
            panic!("{:?}", snapshot.course.media);
        };
        assert_eq!(
            (media.address.as_str(), media.media_type.as_str()),
            (addresses[0], "image/png")
        );
        assert_eq!(std::fs::read(&media.file).unwrap(), b"picture");
        let problems = [
            (addresses[1], MediaProblem::Unreachable),
            (addresses[2], MediaProblem::TooLarge),
            (addresses[3], MediaProblem::WrongKind),
        ];
        let problems = problems.map(|(address, problem)| (address.to_owned(), problem));
        assert_eq!(snapshot.course.unavailable, problems);
        let folder = media.file.parent().unwrap().to_owned();
        drop(gathered);
        assert!(!folder.exists(), "nothing is left behind");
    }

    #[tokio::test]
    async fn nothing_is_asked_where_there_is_nothing_or_nobody_wants_it() {
        // Mocks that expect nothing panic when they are asked.
        let nothing = app(&["media/a.png"], Some(MockMediaFetcher::new()));
        let off = app(&["https://example.org/a.png"], None);
        for app in [nothing, off] {
            let mut snapshot = snapshot();
            let gathered = gather(&app, &job(), &mut snapshot).await.unwrap();
            assert!(snapshot.course.media.is_empty() && snapshot.course.unavailable.is_empty());
            assert_eq!(gathered.folder, None);
        }
    }
}
