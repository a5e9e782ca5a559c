//! A course as a package is made of it: read in one go, so that all of it is of one moment.

use lyceum_domain::authoring::activities::{Activity, ActivityContent, Recording};
use lyceum_domain::authoring::assignments::{Assignment, MaxAttempts};
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::drafting::tutor::TutorSettings;
use lyceum_domain::exporting::scorm::{ScormPackage, ScormVersion};
use lyceum_domain::ids::CohortId;
use lyceum_ports::exporting::scorm::{
    CourseSnapshot, LiveService, Reporting, ScormEdition, SnapshotActivity, SnapshotAssignment,
    SnapshotLesson, SnapshotUnit,
};
use serde_json::{Value, json};

use crate::Settings;
use crate::authoring::versions::pinning;
use crate::exporting::scorm_learners::launch_key;
use crate::prelude::*;

/// How a snapshot names a recording that the service keeps.
pub const OURS: &str = "recording:";

/// A course as it stood at one moment, and the recordings that its texts name.
pub struct Snapshot {
    pub course: CourseSnapshot,
    pub recordings: Vec<Recording>,
}

/// The course of a package, with the service that learners are let in by; nothing if it was deleted.
pub fn snapshot_for(
    tx: &mut dyn Tx,
    package: &ScormPackage,
    settings: &Settings,
) -> Result<Option<Snapshot>, Error> {
    let Some(mut snapshot) = snapshot_of(tx, package)? else {
        return Ok(None);
    };
    if package.launch.connected {
        snapshot.course.service = Some(LiveService {
            runtime_base_url: package.runtime_base_url.as_str().to_owned(),
            package_id: package.id.to_string(),
            launch_key: launch_key(settings, package.id)?.reveal().to_owned(),
        });
    }
    Ok(Some(snapshot))
}

/// The course of a package, without the service that learners are let in by.
fn snapshot_of(tx: &mut dyn Tx, package: &ScormPackage) -> Result<Option<Snapshot>, Error> {
    let workspace = package.workspace_id;
    let Some(cohort) = tx.cohorts().find(workspace, package.cohort_id)? else {
        return Ok(None);
    };
    let Some(course) = tx.courses().find(workspace, package.course_id)? else {
        return Ok(None);
    };
    let school = tx.workspaces().find(workspace)?;
    // A package says what the cohort sees.
    let pinned = cohort.pins().then_some(cohort.id);
    let mut units = tx.units().of_courses(workspace, &[course.id])?;
    let mut assignments = tx.assignments().of_course(workspace, course.id)?;
    if let Some(cohort) = pinned {
        pinning::as_cohort_sees(tx, cohort, &mut units)?;
        pinning::as_cohort_sees(tx, cohort, &mut assignments)?;
    }
    let (units, recordings) = snapshot_units(tx, workspace, pinned, &units)?;
    let course = CourseSnapshot {
        cohort_id: cohort.id.to_string(),
        edition: match package.version {
            ScormVersion::V12 => ScormEdition::V1_2,
            ScormVersion::V2004 => ScormEdition::V2004,
        },
        service: None,
        accent_color: school.and_then(|school| school.accent_color().map(str::to_owned)),
        tutor: TutorSettings::of(&course).enabled,
        reporting: Reporting {
            waits_for_grades: package.reporting.waits_for_grades,
            retries_failed: package.reporting.retries_failed,
        },
        completion: course.completion,
        course_name: course.name.to_string(),
        cohort_name: cohort.name.to_string(),
        language: course.language.to_string(),
        description: course.description.to_string(),
        units,
        assignments: assignments.iter().map(snapshot_assignment).collect(),
        media: Vec::new(),
        unavailable: Vec::new(),
    };
    Ok(Some(Snapshot { course, recordings }))
}

fn snapshot_units(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    pinned: Option<CohortId>,
    units: &[Unit],
) -> Result<(Vec<SnapshotUnit>, Vec<Recording>), Error> {
    let ids: Vec<_> = units.iter().map(|unit| unit.id).collect();
    let mut lessons = tx.lessons().of_units(workspace, &ids)?;
    let ids: Vec<_> = lessons.iter().map(|lesson| lesson.id).collect();
    let mut activities = tx.activities().of_lessons(workspace, &ids)?;
    if let Some(cohort) = pinned {
        pinning::as_cohort_sees(tx, cohort, &mut lessons)?;
        pinning::as_cohort_sees(tx, cohort, &mut activities)?;
    }
    let of_unit = |unit: &Unit| -> Vec<SnapshotLesson> {
        let own = lessons.iter().filter(|lesson| lesson.unit_id == unit.id);
        own.map(|lesson| snapshot_lesson(lesson, &activities))
            .collect()
    };
    let units = units.iter().map(|unit| SnapshotUnit {
        id: unit.id.to_string(),
        name: unit.name.to_string(),
        description: unit.description.to_string(),
        lessons: of_unit(unit),
    });
    let recordings = activities.iter();
    let recordings = recordings.filter_map(|activity| activity.content.recording());
    Ok((units.collect(), recordings.collect()))
}

/// A lesson with those of these activities that are its own.
pub fn snapshot_lesson(lesson: &Lesson, activities: &[Activity]) -> SnapshotLesson {
    let own = activities.iter();
    let own = own.filter(|activity| activity.lesson_id == lesson.id);
    SnapshotLesson {
        id: lesson.id.to_string(),
        name: lesson.name.to_string(),
        summary: lesson.summary.to_string(),
        objectives: lesson.objectives.as_slice().to_vec(),
        content: lesson.content.to_string(),
        duration_minutes: lesson.duration.get(),
        language: lesson.language.as_ref().map(ToString::to_string),
        activities: own
            .map(|activity| SnapshotActivity {
                id: activity.id.to_string(),
                kind: activity.kind.to_string(),
                name: activity.name.to_string(),
                language: activity
                    .language
                    .as_ref()
                    .or(lesson.language.as_ref())
                    .map(ToString::to_string),
                content: with_own_address(&activity.content),
            })
            .collect(),
    }
}

fn snapshot_assignment(assignment: &Assignment) -> SnapshotAssignment {
    SnapshotAssignment {
        id: assignment.id.to_string(),
        unit_id: assignment.place.unit_id.map(|id| id.to_string()),
        name: assignment.name.to_string(),
        instructions: assignment.instructions.to_string(),
        max_attempts: assignment.max_attempts.map(MaxAttempts::get),
    }
}

/// The content of an activity for a snapshot: a recording that the service keeps has an address like any other.
fn with_own_address(content: &ActivityContent) -> Value {
    let mut document = content.as_map().clone();
    if let Some(recording) = content.recording() {
        let audio = json!({
            "status": "ready",
            "url": format!("{OURS}{}", recording.name),
            "duration_ms": recording.duration_ms,
        });
        document.insert("audio".to_owned(), audio);
    }
    Value::Object(document)
}
