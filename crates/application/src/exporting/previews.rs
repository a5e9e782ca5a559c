//! Trying a lesson, or one of its activities, before anybody gets it: with the player of packages, as it is saved at the moment.
//!
//! Nothing is written for it. Each file is made when a browser asks for it, media are read from where they are kept, and nothing is
//! fetched from elsewhere. Whoever holds a signed address may ask, so that what is made is one file of one lesson.

use std::ops::Range;
use std::time::Duration;

use lyceum_domain::authoring::activities::{Activity, Recording};
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::media::{MediaFile, MediaType, SCHEME, referred};
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::{ActivityId, LessonId, MediaId};
use lyceum_ports::blobs::ByteStream;
use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, PackageError, PackageWriter, Reporting, ScormEdition, SnapshotUnit,
};
use lyceum_ports::exporting::scorm::{CoursePiece, PieceFacts, PieceFile, PieceMedium};
use lyceum_wire::exporting::previews::PreviewView;

use crate::app::App;
use crate::exporting::exports::TryTurn;
use crate::exporting::jobs::snapshot::{OURS, snapshot_lesson};
use crate::identity::visibility;
use crate::prelude::*;
use crate::running::files::{self, KeptFile};
use crate::{Door, Settings, signed_address};

/// How long an address works.
const LIFETIME: Duration = Duration::from_mins(30);
/// What every name begins with of a file that refers to media, or is one.
const WITH_MEDIA: [&str; 2] = ["content/", "media/"];

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tryable {
    /// A lesson with its activities.
    Lesson(LessonId),
    /// An activity alone.
    Activity(ActivityId),
}

impl Tryable {
    /// What it is called where it is not there.
    const fn object(self) -> &'static str {
        match self {
            Self::Lesson(_) => "lesson",
            Self::Activity(_) => "activity",
        }
    }

    /// Its id.
    pub fn id(self) -> String {
        match self {
            Self::Lesson(id) => id.to_string(),
            Self::Activity(id) => id.to_string(),
        }
    }

    const fn door(self, workspace: WorkspaceId) -> Door {
        match self {
            Self::Lesson(id) => Door::LessonPreview(workspace, id),
            Self::Activity(id) => Door::ActivityPreview(workspace, id),
        }
    }
}

/// What a signed address says.
#[derive(Debug, Clone)]
pub struct SignedPreview {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// What is tried.
    pub what: Tryable,
    /// When it ends, in seconds since 1970.
    pub expires: i64,
    /// Over all of it.
    pub signature: String,
}

impl SignedPreview {
    /// The same as a part of the addresses of its files.
    pub fn ticket(&self) -> String {
        let Self {
            workspace,
            what: _,
            expires,
            signature,
        } = self;
        format!("{workspace}-{expires}-{signature}")
    }

    /// What a ticket says of this.
    ///
    /// # Errors
    /// [`Forbidden::Link`] if it was cut off on its way.
    pub fn of_ticket(what: Tryable, ticket: &str) -> Result<Self, Error> {
        let cut = || Error::from(Forbidden::Link);
        let mut parts = ticket.splitn(3, '-');
        let mut part = || parts.next().ok_or_else(cut);
        Ok(Self {
            what,
            workspace: part()?.parse().map_err(|_| cut())?,
            expires: part()?.parse().map_err(|_| cut())?,
            signature: part()?.to_owned(),
        })
    }

    fn check(&self, settings: &Settings, now: Timestamp) -> Result<(), Error> {
        let text = statement(self.workspace, self.what, self.expires);
        signed_address::check(settings, &text, &self.signature, self.expires, now)
    }
}

/// Other than of any other address: none opens what another does.
fn statement(workspace: WorkspaceId, what: Tryable, expires: i64) -> String {
    format!("try\n{workspace}\n{}\n{expires}", what.id())
}

/// Gives out where it is played: there are right answers in it, so learners are not given one.
///
/// # Errors
/// [`Error::NotFound`], [`Forbidden::Scope`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, what: Tryable) -> Result<PreviewView, Error> {
    if visibility::is_restricted(ctx) {
        return Err(Forbidden::Scope(Scope::ReadCourses).into());
    }
    let workspace = ctx.workspace_id();
    find(tx, workspace, what)?;
    let ends = ctx.now.plus(LIFETIME).unix_seconds();
    let signature = signed_address::sign(&ctx.settings, &statement(workspace, what, ends));
    let addresses = &ctx.settings.addresses;
    let url = addresses.signed(what.door(workspace), ends, &signature);
    let expires_at = Timestamp::from_unix_millis(ends.saturating_mul(1_000));
    Ok(PreviewView::new(url, expires_at))
}

/// A lesson and those of its activities that are tried.
type TriedParts = (Lesson, Vec<Activity>);

fn find(tx: &mut dyn Tx, workspace: WorkspaceId, what: Tryable) -> Result<TriedParts, Error> {
    match what {
        Tryable::Lesson(id) => {
            let lesson = found(tx.lessons().find(workspace, id)?, what.object())?;
            let activities = tx.activities().of_lessons(workspace, &[id])?;
            Ok((lesson, activities))
        }
        Tryable::Activity(id) => {
            let activity = found(tx.activities().find(workspace, id)?, what.object())?;
            let lesson = tx.lessons().find(workspace, activity.lesson_id)?;
            Ok((found(lesson, what.object())?, vec![activity]))
        }
    }
}

/// A page that plays something.
#[derive(Debug, Clone)]
pub struct PreviewPage {
    /// What it is called.
    pub name: String,
    /// Opens its files for a while, as a part of their addresses.
    pub ticket: String,
}

/// The page behind a signed address.
///
/// # Errors
/// [`Forbidden::Link`] if the signature is not ours or too old, [`Error::NotFound`] if it is gone.
pub fn page(
    tx: &mut dyn Tx,
    settings: &Settings,
    signed: &SignedPreview,
    now: Timestamp,
) -> Result<PreviewPage, Error> {
    signed.check(settings, now)?;
    let (lesson, activities) = find(tx, signed.workspace, signed.what)?;
    let activity = activities.first().map(|activity| &activity.name);
    let name = match signed.what {
        Tryable::Lesson(_) => &lesson.name,
        Tryable::Activity(_) => activity.unwrap_or(&lesson.name),
    };
    Ok(PreviewPage {
        name: name.to_string(),
        ticket: signed.ticket(),
    })
}

/// What is tried as it stands, and where its media are kept.
pub struct FoundPiece {
    piece: CoursePiece,
    /// The files of each medium of the piece, in the same order.
    kept: Vec<Vec<(KeptFile, u64)>>,
}

/// Reads what it takes to make a file of this name.
///
/// # Errors
/// Those of [`page`].
pub fn piece(
    tx: &mut dyn Tx,
    settings: &Settings,
    writer: &dyn PackageWriter,
    (signed, name): (&SignedPreview, &str),
    now: Timestamp,
) -> Result<FoundPiece, Error> {
    signed.check(settings, now)?;
    let workspace = signed.workspace;
    let (lesson, activities) = find(tx, workspace, signed.what)?;
    let course = snapshot(tx, (&lesson, &activities), signed.what)?;
    let mut found = FoundPiece {
        piece: CoursePiece {
            course,
            only_step: match signed.what {
                Tryable::Lesson(_) => None,
                Tryable::Activity(id) => Some(id.to_string()),
            },
            media: Vec::new(),
        },
        kept: Vec::new(),
    };
    if WITH_MEDIA.iter().any(|begins| name.starts_with(begins)) {
        let addresses = writer.media(&found.piece.course);
        found.add_recordings(&addresses, &activities)?;
        found.add_library(tx, workspace, &addresses)?;
    }
    Ok(found)
}

/// The course with nothing in it but what is tried.
fn snapshot(
    tx: &mut dyn Tx,
    (lesson, activities): (&Lesson, &[Activity]),
    what: Tryable,
) -> Result<CourseSnapshot, Error> {
    let workspace = lesson.workspace_id;
    let course = tx.courses().find(workspace, lesson.course_id)?;
    let course = found(course, what.object())?;
    let unit = found(tx.units().find(workspace, lesson.unit_id)?, what.object())?;
    let school = tx.workspaces().find(workspace)?;
    let mut shown = snapshot_lesson(lesson, activities);
    let mut name = shown.name.clone();
    if let (Tryable::Activity(_), Some(activity)) = (what, activities.first()) {
        // Its text is not tried.
        shown.content.clear();
        name = activity.name.to_string();
    }
    Ok(CourseSnapshot {
        cohort_id: what.id(),
        edition: ScormEdition::V2004,
        service: None,
        accent_color: school.and_then(|school| school.accent_color().map(str::to_owned)),
        tutor: false,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: name,
        cohort_name: String::new(),
        language: course.language.to_string(),
        description: String::new(),
        units: vec![SnapshotUnit {
            id: unit.id.to_string(),
            name: unit.name.to_string(),
            description: String::new(),
            lessons: vec![shown],
        }],
        assignments: Vec::new(),
        media: Vec::new(),
        unavailable: Vec::new(),
    })
}

impl FoundPiece {
    fn add_recordings(
        &mut self,
        addresses: &[String],
        activities: &[Activity],
    ) -> Result<(), Error> {
        let recordings = activities.iter();
        let recordings = recordings.filter_map(|activity| activity.content.recording());
        for recording in recordings {
            let address = format!("{OURS}{}", recording.name);
            if addresses.contains(&address) {
                let kept = KeptFile::recording(&recording)?;
                self.kept.push(vec![(kept, recording.size_bytes)]);
                self.piece.media.push(heard(address, recording));
            }
        }
        Ok(())
    }

    fn add_library(
        &mut self,
        tx: &mut dyn Tx,
        workspace: WorkspaceId,
        addresses: &[String],
    ) -> Result<(), Error> {
        let mut ids: Vec<MediaId> = addresses.iter().flat_map(|one| referred(one)).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(());
        }
        for media in tx.media_files().with_ids(workspace, &ids)? {
            let Some(content) = media.content() else {
                continue;
            };
            let files = content.files().enumerate();
            let kept = files.map(|(number, file)| {
                let kept = KeptFile::media(media.id, number, file);
                (kept, file.size_bytes)
            });
            self.kept.push(kept.collect());
            self.piece.media.extend(seen(&media));
        }
        Ok(())
    }

    /// The file of this name, made or found. It takes a while: no thread that others wait for should do it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if a package would have none, or would not be made at all.
    pub fn file(&self, writer: &dyn PackageWriter, name: &str) -> Result<PreviewedFile, Error> {
        let missing = || Error::NotFound("file");
        match writer.file(&self.piece, name) {
            Ok(Some(PieceFile::Made(bytes))) => Ok(PreviewedFile::Made(bytes)),
            Ok(Some(PieceFile::Kept { medium, number })) => {
                let files = self.kept.get(medium).ok_or_else(missing)?;
                let (kept, size) = files.get(number).ok_or_else(missing)?;
                Ok(PreviewedFile::Kept(kept.clone(), *size))
            }
            Err(PackageError::Io(error)) => Err(Error::Unavailable(error.into())),
            // Whoever saved it was told what no package takes.
            Ok(None)
            | Err(
                PackageError::Invalid(_)
                | PackageError::TooLarge { .. }
                | PackageError::NothingToExport(_),
            ) => Err(missing()),
        }
    }
}

fn heard(address: String, recording: Recording) -> PieceMedium {
    PieceMedium {
        address,
        media_type: MediaType::Wav.to_string(),
        alt_text: None,
        files: vec![PieceFacts {
            sha256: recording.sha256,
            size_bytes: recording.size_bytes,
            dimensions: None,
        }],
    }
}

/// A medium of the library; none that is not ready.
fn seen(media: &MediaFile) -> Option<PieceMedium> {
    let content = media.content()?;
    let alt_text = media.description.alt_text.as_ref();
    let facts = content.files().map(|file| PieceFacts {
        sha256: file.sha256.clone(),
        size_bytes: file.size_bytes,
        dimensions: file.dimensions,
    });
    Some(PieceMedium {
        address: format!("{SCHEME}{}", media.id),
        media_type: content.file.media_type.to_string(),
        alt_text: alt_text.map(|text| text.as_str().to_owned()),
        files: facts.collect(),
    })
}

/// A file of what is tried.
pub enum PreviewedFile {
    /// It was made.
    Made(Vec<u8>),
    /// It is kept, and has so many bytes.
    Kept(KeptFile, u64),
}

/// Waits for one's turn to have something made of this; none where too many wait.
pub async fn turn(app: &App, what: Tryable) -> Option<TryTurn> {
    app.exports.turn_to_try(&what.id()).await
}

/// A part of a file that is kept (bytes, end exclusive), of so many.
///
/// # Errors
/// [`Error::Unavailable`] if it is damaged, gone, or cannot be read now.
pub async fn read(
    app: &App,
    (file, size): (&KeptFile, u64),
    range: Range<u64>,
) -> Result<ByteStream, Error> {
    let all = range == (0..size);
    files::open(app, file, (!all).then_some(range)).await
}
