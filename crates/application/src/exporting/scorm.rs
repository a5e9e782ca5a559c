//! What callers do with SCORM packages.

use std::ops::Range;

use lyceum_domain::Stamp;
use lyceum_domain::exporting::scorm::{NewScormPackage, ScormFile, ScormPackage, ScormState};
use lyceum_domain::exporting::scorm_file_name::PackageFileName;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::ScormPackageId;
use lyceum_domain::running::jobs::{Job, JobKind};
use lyceum_domain::running::trash::TrashKind;
use lyceum_ports::blobs::ByteStream;
use lyceum_wire::exporting::scorm::ScormPackageView;

pub use lyceum_ports::exporting::scorm_packages::ScormPackageFilter;

use crate::Settings;
use crate::app::App;
use crate::exporting::scorm_addresses;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::files::{self, KeptFile, KeptKind};
use crate::running::queue;
use crate::running::trash::{self, Going};

/// Asks for a package of a cohort's course as it stands now.
///
/// # Errors
/// [`Error::Invalid`] if it would let nobody in from the start, [`Error::Reference`] if there is no such cohort.
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: NewScormPackage,
) -> Result<ScormPackageView, Error> {
    if new.launch.expires_at.is_some_and(|at| at <= ctx.now) {
        return Err(Invalid::new("launch_expires_at", "must be in the future").into());
    }
    let cohort = tx.cohorts().find(ctx.workspace_id(), new.cohort_id)?;
    let cohort = referenced(cohort, "cohort_id", "cohort")?;
    let package = ScormPackage {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        cohort_id: cohort.id,
        course_id: cohort.course_id,
        version: new.version,
        runtime_base_url: new
            .runtime_base_url
            .unwrap_or_else(|| ctx.settings.public_url.clone()),
        launch: new.launch,
        reporting: new.reporting,
        state: ScormState::Pending {
            estimated_ready_at: queue::ready_at(tx, ctx, JobKind::ExportScorm)?,
        },
        stamp: Stamp::new(ctx.now),
    };
    tx.scorm_packages().insert(&package)?;
    let package_id = package.id;
    queue::enqueue(
        tx,
        ctx,
        Job::ExportScorm {
            package: package_id,
        },
    )?;
    Ok(view(ctx, &package))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
) -> Result<ScormPackageView, Error> {
    Ok(view(ctx, &find(tx, ctx, id)?))
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &ScormPackageFilter,
    page: &PageRequest,
) -> Result<Page<ScormPackageView>, Error> {
    let found = tx.scorm_packages().page(ctx.workspace_id(), filter, page)?;
    Ok(found.map(|package| view(ctx, &package)))
}

/// Moves one to the trash. Its archive goes with the last package that shares it, there or here.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: ScormPackageId) -> Result<ScormPackageId, Error> {
    let package = find(tx, ctx, id)?;
    let name = format!("SCORM {}", package.version);
    trash::put(tx, ctx, Going::new(TrashKind::ScormPackage, &id, &name))?;
    Ok(id)
}

/// ready → revoked, together with every package that shares its archive: the archive has one launch key.
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::Transition`]
pub fn revoke(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
) -> Result<ScormPackageView, Error> {
    let mut package = find(tx, ctx, id)?;
    let origin = package.origin();
    package.revoke(ctx.now)?;
    let sharing = match origin {
        Some(origin) => tx.scorm_packages().sharing(ctx.workspace_id(), origin)?,
        None => Vec::new(),
    };
    for mut other in sharing.into_iter().filter(|other| other.id != id) {
        other.revoke(ctx.now)?;
        tell_revoked(tx, ctx, &other)?;
    }
    tell_revoked(tx, ctx, &package)
}

fn tell_revoked(
    tx: &mut dyn Tx,
    ctx: &Context,
    package: &ScormPackage,
) -> Result<ScormPackageView, Error> {
    tx.scorm_packages().update(package)?;
    let view = view(ctx, package);
    events::record(tx, ctx, EventType::ScormRevoked, &view)?;
    Ok(view)
}

pub(crate) fn find(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
) -> Result<ScormPackage, Error> {
    found(
        tx.scorm_packages().find(ctx.workspace_id(), id)?,
        "scorm_package",
    )
}

/// Shows a package; a ready one with the addresses to download it from and to look at it.
pub fn view(ctx: &Context, package: &ScormPackage) -> ScormPackageView {
    let url = |of: fn(&Settings, ScormPackageId, Timestamp) -> String| {
        package
            .is_ready()
            .then(|| of(&ctx.settings, package.id, ctx.now))
    };
    ScormPackageView {
        preview_url: url(scorm_addresses::preview),
        ..ScormPackageView::new(package, url(scorm_addresses::download))
    }
}

/// A package that may be downloaded.
#[derive(Debug, Clone)]
pub struct Download {
    /// Where it is stored, and what it must be.
    pub kept: KeptFile,
    /// Its name for whoever saves it.
    pub file_name: PackageFileName,
    /// Size and hash.
    pub file: ScormFile,
}

/// The package behind a signed address.
///
/// # Errors
/// [`Forbidden::Link`] if the signature is not ours or too old, [`Error::NotFound`] if the package is not ready.
pub fn signed_download(
    tx: &mut dyn Tx,
    settings: &Settings,
    id: ScormPackageId,
    expires: i64,
    signature: &str,
    now: Timestamp,
) -> Result<Download, Error> {
    scorm_addresses::check_download(settings, id, expires, signature, now)?;
    let package = found(tx.scorm_packages().find_signed(id)?, "scorm_package")?;
    download(tx, &package)
}

/// The package of a caller with a key.
///
/// # Errors
/// [`Error::NotFound`] if it is not there or not ready.
pub fn own_download(tx: &mut dyn Tx, ctx: &Context, id: ScormPackageId) -> Result<Download, Error> {
    if !ctx.may(Scope::ReadCourses) {
        return Err(Forbidden::Scope(Scope::ReadCourses).into());
    }
    let package = find(tx, ctx, id)?;
    download(tx, &package)
}

pub(crate) fn download(tx: &mut dyn Tx, package: &ScormPackage) -> Result<Download, Error> {
    let ScormState::Ready(file) = &package.state else {
        return Err(Error::NotFound("scorm_package"));
    };
    let course = tx.courses().find(package.workspace_id, package.course_id)?;
    let course = found(course, "scorm_package")?;
    Ok(Download {
        kept: KeptFile::archive(package.workspace_id, file)?,
        file_name: PackageFileName::of(course.name.as_str(), package.version),
        file: file.clone(),
    })
}

/// The bytes of an archive, or a part of them (end exclusive). Where its package says that it is damaged and it is not,
/// because somebody put the file back, that is taken back.
///
/// # Errors
/// [`Error::Unavailable`] if it is damaged, gone, or cannot be read now.
pub async fn bytes(app: &App, download: &Download, range: Range<u64>) -> Result<ByteStream, Error> {
    let all = range == (0..download.file.size_bytes);
    let bytes = files::open(app, &download.kept, (!all).then_some(range)).await?;
    if let KeptKind::Package { workspace, origin } = download.kept.kind
        && download.file.is_told_damaged()
    {
        queue::enqueue_alone(app, workspace, Job::MendArchive { origin }).await?;
    }
    Ok(bytes)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use lyceum_domain::exporting::scorm::{RuntimeBaseUrl, ScormVersion};
    use lyceum_domain::exporting::scorm_policy::{LaunchPolicy, ReportingPolicy};
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::running::trash::TrashPart;
    use lyceum_ports::exporting::scorm::{Completion, CourseSnapshot, Reporting, ScormEdition};
    use lyceum_ports::mocks::MockTx;

    use crate::identity::visibility::tests::{context, id, now};

    /// Package 9, being made.
    pub fn package() -> ScormPackage {
        ScormPackage {
            workspace_id: id(1),
            id: id(9),
            cohort_id: id(8),
            course_id: id(7),
            version: ScormVersion::V2004,
            runtime_base_url: RuntimeBaseUrl::parse("http://127.0.0.1:8080").unwrap(),
            launch: LaunchPolicy::default(),
            reporting: ReportingPolicy::default(),
            state: ScormState::Pending {
                estimated_ready_at: now(),
            },
            stamp: Stamp::new(now()),
        }
    }

    /// The archive of an origin.
    pub fn file(origin: u8) -> ScormFile {
        ScormFile {
            origin: id(origin),
            fingerprint: Some("f".to_owned()),
            size_bytes: 1,
            sha256: String::new(),
            content_hash: String::new(),
            warnings: Vec::new(),
        }
    }

    /// A course without anything in it.
    pub fn snapshot() -> CourseSnapshot {
        CourseSnapshot {
            cohort_id: "coh_8".to_owned(),
            edition: ScormEdition::V2004,
            service: None,
            accent_color: None,
            tutor: true,
            reporting: Reporting::default(),
            completion: Completion::default(),
            course_name: "Cooling".to_owned(),
            cohort_name: "Spring".to_owned(),
            language: "en".to_owned(),
            description: String::new(),
            units: Vec::new(),
            assignments: Vec::new(),
            media: Vec::new(),
            unavailable: Vec::new(),
        }
    }

    fn sharing(number: u8) -> ScormPackage {
        ScormPackage {
            id: id(number),
            state: ScormState::Ready(file(9)),
            ..package()
        }
    }

    fn owner() -> Context {
        context(Role::Owner, KeyKind::Standard)
    }

    #[test]
    fn a_policy_that_has_ended_already_is_refused() {
        let new = NewScormPackage {
            cohort_id: id(8),
            version: ScormVersion::V12,
            runtime_base_url: None,
            launch: LaunchPolicy {
                expires_at: Some(now()),
                ..LaunchPolicy::default()
            },
            reporting: ReportingPolicy::default(),
        };
        let refused = create(&mut MockTx::default(), &owner(), new).err();
        assert!(
            matches!(refused, Some(Error::Invalid(problems)) if problems[0].field == "launch_expires_at")
        );
    }

    #[test]
    fn revoking_one_revokes_all_that_share_its_archive_and_tells_of_each() {
        let mut tx = MockTx::default();
        tx.scorm_packages
            .expect_find()
            .returning(|_, _| Ok(Some(sharing(10))));
        tx.scorm_packages
            .expect_sharing()
            .withf(|_, origin| *origin == id(9))
            .returning(|_, _| Ok(vec![sharing(9), sharing(10), sharing(11)]));
        tx.scorm_packages
            .expect_update()
            .times(3)
            .withf(|package| matches!(package.state, ScormState::Revoked(_)))
            .returning(|_| Ok(()));
        tx.events.expect_append().times(3).returning(|_| Ok(()));
        tx.webhooks.expect_enabled().returning(|_| Ok(Vec::new()));
        let revoked = revoke(&mut tx, &owner(), id(10)).unwrap();
        assert_eq!(
            (revoked.id, revoked.status.as_str()),
            (
                id::<lyceum_domain::ids::ScormPackage>(10).to_string(),
                "revoked"
            )
        );
    }

    #[test]
    fn the_archive_of_a_deleted_package_stays_while_it_may_come_back() {
        let mut tx = MockTx::default();
        tx.scorm_packages
            .expect_find()
            .returning(|_, _| Ok(Some(sharing(10))));
        // A job that removes the archive would panic.
        tx.trash
            .expect_gather()
            .once()
            .withf(|item| item.kind == TrashKind::ScormPackage && item.name == "SCORM 2004")
            .returning(|_| Ok([(TrashPart::ScormPackages, 1)].into()));
        tx.trash
            .expect_pending_generations()
            .returning(|_| Ok(Vec::new()));
        tx.trash.expect_take_out().once().returning(|_| Ok(()));
        delete(&mut tx, &owner(), id(10)).unwrap();
    }
}
