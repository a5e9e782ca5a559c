//! The course as the player reads it: one outline and one document per lesson and assignment.
//!
//! The outline is all that is needed to draw the menu and count progress; everything longer is loaded when its
//! step is opened. Each document calls the player's one global, so it works from `file:` and under a strict CSP.

use lyceum_ports::exporting::scorm::{
    CourseSnapshot, Done, PackageError, ScormEdition, SnapshotActivity, SnapshotAssignment,
    SnapshotLesson, SnapshotUnit,
};
use serde_json::{Map, Value, json};

use crate::names::{assignment_file, lesson_file};
use crate::rendering::Rendering;
use crate::{activities, markdown, quiz, text};

/// `content/course.js`: settings, and the units with their steps.
pub fn outline(
    snapshot: &CourseSnapshot,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    outline_of(snapshot, None, rendering)
}

/// The same with this one step in it, or with every step.
pub fn outline_of(
    snapshot: &CourseSnapshot,
    only_step: Option<&str>,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    let is_played = |step: &Value| only_step.is_none_or(|id| step.get("id") == Some(&json!(id)));
    let mut units: Vec<Value> = snapshot
        .units
        .iter()
        .map(|unit| unit_outline(snapshot, unit, &is_played))
        .filter(|unit| unit.get("steps") != Some(&json!([])))
        .collect();
    let at_the_end: Vec<Value> = snapshot
        .assignments
        .iter()
        .filter(|assignment| home(snapshot, assignment).is_none())
        .map(assignment_step)
        .collect();
    if !at_the_end.is_empty() {
        units.push(json!({"id": "closing", "title": "", "steps": at_the_end}));
    }
    let done = quiz::completion(snapshot, rendering);
    let mut outline = json!({
        "edition": match snapshot.edition {
            ScormEdition::V1_2 => "1.2",
            ScormEdition::V2004 | ScormEdition::V2004Fourth => "2004",
        },
        "id": snapshot.cohort_id,
        "title": text::title(&snapshot.course_name, "Course"),
        "cohort": text::title(&snapshot.cohort_name, ""),
        "language": snapshot.language,
        "rtl": text::right_to_left(&snapshot.language),
        "html": markdown::render(&snapshot.description, "the course description", rendering)?,
        "passMark": quiz::course_pass_mark(snapshot),
        "tutor": snapshot.tutor,
        "waitsForGrades": snapshot.reporting.waits_for_grades,
        "retriesFailed": snapshot.reporting.retries_failed,
        "units": units,
    });
    if let Some(members) = outline.as_object_mut().filter(|_| done != Done::Everything) {
        let said = json!({"rule": done.rule().as_str(), "percent": done.percent()});
        members.insert("completion".to_owned(), said);
    }
    Ok(register("course", &snapshot.cohort_id, &outline))
}

/// `content/<unit>-<lesson>.js`: the lesson's text and its activities.
pub fn lesson(
    lesson: &SnapshotLesson,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    let name = text::title(&lesson.name, &lesson.id);
    let mut documents = Map::new();
    for activity in &lesson.activities {
        documents.insert(
            activity.id.clone(),
            activities::document(activity, rendering)?,
        );
    }
    let objectives: Vec<String> = lesson.objectives.iter().map(|o| text::clean(o)).collect();
    let shown = without_title(&lesson.content, &name);
    let skipped = lesson.content.strip_suffix(shown).unwrap_or_default();
    let before = skipped.matches('\n').count();
    let document = json!({
        "summary": text::clean(&lesson.summary),
        "objectives": objectives,
        "html": markdown::render_behind(shown, before, &format!("the lesson \"{name}\""), rendering)?,
        "activities": documents,
    });
    Ok(register("content", &lesson.id, &document))
}

/// `content/<assignment>.js`: what to do.
pub fn assignment(
    assignment: &SnapshotAssignment,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    let place = format!(
        "the assignment \"{}\"",
        text::title(&assignment.name, &assignment.id)
    );
    let document = json!({
        "html": markdown::render(&assignment.instructions, &place, rendering)?,
        "maxAttempts": assignment.max_attempts,
    });
    Ok(register("content", &assignment.id, &document))
}

/// `content/service.js`: where the package came from, and the public key that lets its learners in there; `null` when
/// it came from nowhere that is of interest. Nothing else differs between packages of one course.
pub fn service(snapshot: &CourseSnapshot) -> String {
    let document = snapshot.service.as_ref().map(|service| {
        json!({
            "api": service.runtime_base_url,
            "package": service.package_id,
            "key": service.launch_key,
        })
    });
    register("service", "service", &json!(document))
}

/// The page already has the lesson's name as its heading; a text that begins with it would say it twice.
fn without_title<'a>(markdown: &'a str, name: &str) -> &'a str {
    let (first, rest) = markdown.trim_start().split_once('\n').unwrap_or_default();
    let heading = first
        .starts_with('#')
        .then(|| first.trim_matches(['#', ' ', '\r', '\t']));
    if heading.is_some_and(|text| text.eq_ignore_ascii_case(name)) {
        rest
    } else {
        markdown
    }
}

fn unit_outline(
    snapshot: &CourseSnapshot,
    unit: &SnapshotUnit,
    is_played: &dyn Fn(&Value) -> bool,
) -> Value {
    let mut steps = Vec::new();
    for lesson in &unit.lessons {
        let file = lesson_file(unit, lesson);
        let step = json!({
            "id": lesson.id,
            "kind": "lesson",
            "title": text::title(&lesson.name, &lesson.id),
            "minutes": lesson.duration_minutes,
            "file": file,
            "lesson": lesson.id,
        });
        steps.push(in_language(step, lesson.language.as_deref()));
        for activity in &lesson.activities {
            steps.push(activity_step(activity, &lesson.id, &file));
        }
    }
    let own = snapshot
        .assignments
        .iter()
        .filter(|a| home(snapshot, a) == Some(unit.id.as_str()));
    steps.extend(own.map(assignment_step));
    steps.retain(is_played);
    json!({
        "id": unit.id,
        "title": text::title(&unit.name, &unit.id),
        "description": text::clean(&unit.description),
        "steps": steps,
    })
}

/// The unit an assignment is shown in, if that unit is part of the course.
fn home<'a>(snapshot: &CourseSnapshot, assignment: &'a SnapshotAssignment) -> Option<&'a str> {
    let wanted = assignment.unit_id.as_deref()?;
    snapshot
        .units
        .iter()
        .any(|unit| unit.id == wanted)
        .then_some(wanted)
}

fn assignment_step(assignment: &SnapshotAssignment) -> Value {
    json!({
        "id": assignment.id,
        "kind": "assignment",
        "title": text::title(&assignment.name, &assignment.id),
        "file": assignment_file(assignment),
        "lesson": assignment.id,
    })
}

fn activity_step(activity: &SnapshotActivity, lesson: &str, file: &str) -> Value {
    let graded = quiz::graded(activity);
    let mut step = json!({
        "id": activity.id,
        "kind": activity.kind,
        "title": text::title(&activity.name, &activity.id),
        "file": file,
        "lesson": lesson,
        "graded": graded,
    });
    if let Some(members) = step.as_object_mut().filter(|_| graded) {
        let mark = quiz::passing_percent(&activity.content);
        members.insert("passMark".to_owned(), json!(mark));
    }
    in_language(step, activity.language.as_deref())
}

/// The same step with the language of its content, where it is not the course's.
fn in_language(mut step: Value, language: Option<&str>) -> Value {
    if let (Some(members), Some(language)) = (step.as_object_mut(), language) {
        members.insert("language".to_owned(), json!(language));
    }
    step
}

fn register(kind: &str, id: &str, document: &Value) -> String {
    format!(
        "lyceumRegister({},{},{});\n",
        json!(kind),
        json!(id),
        text::script_json(document)
    )
}
