//! The names of the files in a package.
//!
//! They come from ids and from this crate, never from titles: a title is somebody's text, a name is a path.

use lyceum_ports::exporting::scorm::{SnapshotAssignment, SnapshotLesson, SnapshotUnit};

/// The manifest is not an entry like the others: it lists them, and it comes first.
pub const MANIFEST: &str = "imsmanifest.xml";
/// Where an LMS enters the package.
pub const LAUNCH: &str = "index.html";
/// The one file that knows which export it came from.
pub const SERVICE: &str = "content/service.js";
/// The outline.
pub const COURSE: &str = "content/course.js";
/// The workspace's colours.
pub const THEME: &str = "content/theme.css";

/// Where a lesson's document is.
pub fn lesson_file(unit: &SnapshotUnit, lesson: &SnapshotLesson) -> String {
    format!("content/{}-{}.js", unit.id, lesson.id)
}

/// Where an assignment's document is.
pub fn assignment_file(assignment: &SnapshotAssignment) -> String {
    format!("content/{}.js", assignment.id)
}
