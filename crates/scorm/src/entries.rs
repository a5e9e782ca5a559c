//! What is in the archive, in which order.

use lyceum_ports::exporting::scorm::{
    CourseSnapshot, PackageError, ScormEdition, SnapshotAssignment, SnapshotLesson,
};

use crate::archive::ArchiveWriter;
use crate::media::{Item, Library};
use crate::names::{COURSE, LAUNCH, SERVICE, THEME, assignment_file, lesson_file};
use crate::rendering::Rendering;
use crate::{course, launch, player, schemas, theme};

/// One file of the package.
pub struct Entry<'a> {
    /// Path inside the archive.
    pub name: String,
    /// What is in it.
    pub body: Body<'a>,
}

/// Where a file's bytes come from. Rendered one at a time, so a large course never sits in memory whole.
pub enum Body<'a> {
    /// A schema document: control data, not content.
    Schema(&'static str),
    /// Bytes that this crate brings along.
    Asset(String),
    /// The launch page, which names the service; and the same page without it.
    Launch { page: String, neutral: String },
    /// A picture or recording.
    Media(&'a Item),
    /// The outline.
    Course,
    /// The package's origin.
    Service,
    /// A lesson with its activities.
    Lesson(&'a SnapshotLesson),
    /// An assignment.
    Assignment(&'a SnapshotAssignment),
}

/// All files but the manifest, sorted by name.
pub struct Entries<'a>(Vec<Entry<'a>>);

impl<'a> Entries<'a> {
    /// The files of a package of `snapshot`.
    pub fn of(snapshot: &'a CourseSnapshot, media: &'a Library) -> Self {
        let mut entries = Self(Vec::new());
        for (name, document) in schemas::of(snapshot.edition) {
            entries.push((*name).to_owned(), Body::Schema(document));
        }
        let languages = player::languages(&snapshot.language);
        entries.push(
            LAUNCH.to_owned(),
            Body::Launch {
                page: launch::page(snapshot, &languages, snapshot.service.as_ref()),
                neutral: launch::page(snapshot, &languages, None),
            },
        );
        entries.push(player::script_name(), Body::Asset(player::script()));
        entries.push(player::style_name(), Body::Asset(player::style()));
        for (language, strings) in languages {
            entries.push(
                player::strings_name(language),
                Body::Asset(player::strings(language, strings)),
            );
        }
        if let Some(style) = theme::of(snapshot) {
            entries.push(THEME.to_owned(), Body::Asset(style));
        }
        for item in media.items() {
            entries.push(item.name.clone(), Body::Media(item));
        }
        entries.push(COURSE.to_owned(), Body::Course);
        entries.push(SERVICE.to_owned(), Body::Service);
        for unit in &snapshot.units {
            for lesson in &unit.lessons {
                entries.push(lesson_file(unit, lesson), Body::Lesson(lesson));
            }
        }
        for assignment in &snapshot.assignments {
            entries.push(assignment_file(assignment), Body::Assignment(assignment));
        }
        entries.0.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }

    /// In the order they are written.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.0.iter()
    }

    /// The names a manifest lists: everything but control documents.
    pub fn listed(&self) -> impl Iterator<Item = &str> {
        let content = self
            .0
            .iter()
            .filter(|entry| !matches!(entry.body, Body::Schema(_)));
        content.map(|entry| entry.name.as_str())
    }

    fn push(&mut self, name: String, body: Body<'a>) {
        self.0.push(Entry { name, body });
    }
}

impl Entry<'_> {
    /// Writes the file into the archive; its bytes are made on demand.
    pub fn write(
        &self,
        snapshot: &CourseSnapshot,
        rendering: &mut Rendering<'_>,
        archive: &mut ArchiveWriter,
    ) -> Result<(), PackageError> {
        if let Body::Media(item) = &self.body {
            return archive.add_media(item);
        }
        let content = self.text(snapshot, rendering)?;
        let seen = match &self.body {
            Body::Schema(_) | Body::Service => None,
            Body::Launch { neutral, .. } => Some(neutral.as_bytes()),
            Body::Asset(_)
            | Body::Media(_)
            | Body::Course
            | Body::Lesson(_)
            | Body::Assignment(_) => Some(content.as_bytes()),
        };
        archive.add_text(&self.name, content.as_bytes(), seen)
    }

    /// What is in a file that is a text; nothing of media, which are none.
    pub fn text(
        &self,
        snapshot: &CourseSnapshot,
        rendering: &mut Rendering<'_>,
    ) -> Result<String, PackageError> {
        Ok(match &self.body {
            Body::Media(_) => String::new(),
            Body::Schema(document) => (*document).to_owned(),
            Body::Service => course::service(snapshot),
            Body::Launch { page, .. } => page.clone(),
            Body::Asset(text) => text.clone(),
            Body::Course => course::outline(snapshot, rendering)?,
            Body::Lesson(lesson) => course::lesson(lesson, rendering)?,
            Body::Assignment(assignment) => course::assignment(assignment, rendering)?,
        })
    }
}

/// The edition in words, as manifests spell it.
pub fn schema_version(edition: ScormEdition) -> &'static str {
    match edition {
        ScormEdition::V1_2 => "1.2",
        ScormEdition::V2004 => "2004 3rd Edition",
        ScormEdition::V2004Fourth => "2004 4th Edition",
    }
}
