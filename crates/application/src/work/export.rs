//! Making a SCORM package.

use std::path::PathBuf;
use std::sync::Arc;

use lyceum_domain::assignments::{Assignment, MaxAttempts};
use lyceum_domain::events::EventType;
use lyceum_domain::scorm::{ScormFile, ScormPackage, ScormPackageId, ScormState, ScormVersion};
use lyceum_domain::units::Unit;
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::jobs::Job;
use lyceum_ports::scorm::{
    CourseSnapshot, LiveService, PackageError, Reporting, ScormEdition, SnapshotActivity,
    SnapshotAssignment, SnapshotLesson, SnapshotUnit, WrittenPackage,
};
use lyceum_ports::store::Tx;
use serde_json::Value;

use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::scorm_learners::launch_key;
use crate::work::media;
use crate::{Settings, events, scorm};

pub async fn perform(app: &App, job: &Job) -> Result<(), Error> {
    let wanted = job.clone();
    let settings = Arc::clone(&app.settings);
    let reading = move |tx: &mut dyn Tx| prepare(tx, &wanted, &settings);
    let Some(mut snapshot) = app.store.read(reading).await? else {
        return super::settle(app, job, |_, _| Ok(())).await;
    };
    // Held until the archive is stored: its files are gone when it is.
    let gathered = media::gather(app, job, &mut snapshot).await?;
    let scratch = Scratch(
        app.settings
            .scratch
            .join(format!("lyceum-{}-{}.zip", job.id, job.attempt)),
    );
    match app.packages.write(&snapshot, &scratch.0) {
        Ok(mut written) => {
            written.warnings.extend_from_slice(&gathered.warnings);
            store(app, job, &scratch, written).await
        }
        Err(PackageError::NothingToExport(message)) => {
            super::give_up(app, job, "nothing_to_export", &message).await
        }
        Err(PackageError::Io(error)) if !job.is_last_attempt() => {
            Err(Error::Unavailable(error.into()))
        }
        Err(error) => super::give_up(app, job, "export_failed", &error.to_string()).await,
    }
}

/// A file that is gone when its job is, however the job ends.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // It may never have been made.
        drop(std::fs::remove_file(&self.0));
    }
}

async fn store(
    app: &App,
    job: &Job,
    scratch: &Scratch,
    written: WrittenPackage,
) -> Result<(), Error> {
    let Ok(id) = job.subject_id.parse::<ScormPackageId>() else {
        return Ok(());
    };
    let key = scorm::blob_key(id)?;
    let stored = app.blobs.put_file(&key, &scratch.0).await;
    stored.map_err(|error| Error::Unavailable(error.into()))?;
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| {
        let Some(mut package) = pending(tx, &claimed)? else {
            return Ok(());
        };
        let written = written.clone();
        let file = ScormFile {
            size_bytes: written.size_bytes,
            sha256: written.sha256,
            content_hash: written.content_hash,
            warnings: written.warnings,
        };
        package.finish(file, ctx.now)?;
        tx.scorm_packages().update(&package)?;
        tell(tx, ctx, EventType::ScormReady, &package)
    })
    .await
}

pub async fn fail(app: &App, job: &Job, code: &str, message: &str) -> Result<(), Error> {
    let (claimed, code, message) = (job.clone(), code.to_owned(), message.to_owned());
    super::settle(app, job, move |tx, ctx| {
        let Some(mut package) = pending(tx, &claimed)? else {
            return Ok(());
        };
        package.fail(&code, &message, ctx.now)?;
        tx.scorm_packages().update(&package)?;
        tell(tx, ctx, EventType::ScormFailed, &package)
    })
    .await
}

fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    package: &ScormPackage,
) -> Result<(), Error> {
    events::record(tx, ctx, kind, &scorm::view(ctx, package))
}

fn pending(tx: &mut dyn Tx, job: &Job) -> Result<Option<ScormPackage>, Error> {
    let Ok(id) = job.subject_id.parse::<ScormPackageId>() else {
        return Ok(None);
    };
    let package = tx.scorm_packages().find(job.workspace_id, id)?;
    Ok(package.filter(|package| matches!(package.state, ScormState::Pending { .. })))
}

/// The course as it stands now, read in one snapshot of the database.
fn prepare(
    tx: &mut dyn Tx,
    job: &Job,
    settings: &Settings,
) -> Result<Option<CourseSnapshot>, Error> {
    let workspace = job.workspace_id;
    let Some(package) = pending(tx, job)? else {
        return Ok(None);
    };
    let Some(cohort) = tx.cohorts().find(workspace, package.cohort_id)? else {
        return Ok(None);
    };
    let Some(course) = tx.courses().find(workspace, package.course_id)? else {
        return Ok(None);
    };
    let school = tx.workspaces().find(workspace)?;
    let units = tx.units().of_courses(workspace, &[course.id])?;
    let assignments = tx.assignments().of_course(workspace, course.id)?;
    Ok(Some(CourseSnapshot {
        cohort_id: cohort.id.to_string(),
        edition: match package.version {
            ScormVersion::V12 => ScormEdition::V1_2,
            ScormVersion::V2004 => ScormEdition::V2004,
        },
        service: Some(LiveService {
            runtime_base_url: package.runtime_base_url.as_str().to_owned(),
            package_id: package.id.to_string(),
            launch_key: launch_key(settings, package.id)?.reveal().to_owned(),
        }),
        accent_color: school.and_then(|school| school.accent_color().map(str::to_owned)),
        tutor: true,
        reporting: Reporting::default(),
        course_name: course.name.to_string(),
        cohort_name: cohort.name.to_string(),
        language: course.language.to_string(),
        description: course.description.to_string(),
        units: snapshot_units(tx, workspace, &units)?,
        assignments: assignments.iter().map(snapshot_assignment).collect(),
        media: Vec::new(),
    }))
}

fn snapshot_units(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    units: &[Unit],
) -> Result<Vec<SnapshotUnit>, Error> {
    let ids: Vec<_> = units.iter().map(|unit| unit.id).collect();
    let lessons = tx.lessons().of_units(workspace, &ids)?;
    let ids: Vec<_> = lessons.iter().map(|lesson| lesson.id).collect();
    let activities = tx.activities().of_lessons(workspace, &ids)?;
    let of_unit = |unit: &Unit| -> Vec<SnapshotLesson> {
        let own = lessons.iter().filter(|lesson| lesson.unit_id == unit.id);
        own.map(|lesson| SnapshotLesson {
            id: lesson.id.to_string(),
            name: lesson.name.to_string(),
            summary: lesson.summary.to_string(),
            objectives: lesson.objectives.as_slice().to_vec(),
            content: lesson.content.to_string(),
            duration_minutes: lesson.duration.get(),
            activities: activities
                .iter()
                .filter(|activity| activity.lesson_id == lesson.id)
                .map(|activity| SnapshotActivity {
                    id: activity.id.to_string(),
                    kind: activity.kind.to_string(),
                    name: activity.name.to_string(),
                    content: Value::Object(activity.content.as_map().clone()),
                })
                .collect(),
        })
        .collect()
    };
    Ok(units
        .iter()
        .map(|unit| SnapshotUnit {
            id: unit.id.to_string(),
            name: unit.name.to_string(),
            description: unit.description.to_string(),
            lessons: of_unit(unit),
        })
        .collect())
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
