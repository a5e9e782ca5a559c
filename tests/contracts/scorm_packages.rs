//! What every repository of SCORM packages keeps to.

use std::sync::Arc;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people as sample_people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::exporting::scorm::{
    LmsOrigin, RuntimeBaseUrl, ScormFile, ScormPackage, ScormState, ScormVersion,
};
use lyceum_domain::exporting::scorm_policy::{LaunchPolicy, ReportingPolicy};
use lyceum_domain::ids::{ScormPackageId, WorkspaceId};
use lyceum_ports::exporting::scorm_packages::ScormPackageFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    a_package_comes_back_as_it_was_stored_in_every_state,
    a_package_can_go_through_its_states,
    another_workspace_cannot_find_change_or_delete_it,
    a_signed_download_finds_it_in_whatever_workspace,
    a_change_is_stored_only_over_the_version_before_it,
    a_package_cannot_name_a_cohort_of_another_workspace,
    pages_go_newest_first_and_filters_narrow_them,
    packages_go_with_their_cohort,
    an_archive_is_found_by_its_fingerprint_while_somebody_has_it_ready,
    those_who_share_an_archive_are_found_by_its_origin,
    of_two_who_write_the_same_at_once_one_is_the_origin,
];

/// Two workspaces with a cohort each, a second cohort (3) here, and the packages given.
async fn store_with(stores: &Stores, packages: Vec<ScormPackage>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_cohorts(tx)?;
            let second = sample_people::cohort(here(), id(1), 3);
            tx.cohorts().insert(&second)?;
            packages
                .iter()
                .try_for_each(|package| tx.scorm_packages().insert(package))
        })
        .await
        .unwrap();
    store
}

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<ScormPackage> {
    store
        .read(move |tx| tx.scorm_packages().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Every id, page by page.
async fn walk(store: &OpenStore, filter: ScormPackageFilter) -> Vec<ScormPackageId> {
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let (filter, wanted) = (filter.clone(), page.clone());
        let got = store
            .read(move |tx| tx.scorm_packages().page(here(), &filter, &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|package| package.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => return seen,
        }
    }
}

fn file() -> ScormFile {
    ScormFile {
        origin: id(7),
        fingerprint: None,
        size_bytes: u64::from(u32::MAX) + 1,
        sha256: "ab".repeat(32),
        content_hash: "cd".repeat(32),
        warnings: vec!["lesson «3» is empty".to_owned()],
    }
}

fn in_state(n: u64, state: ScormState) -> ScormPackage {
    let mut package = content::scorm_package(here(), n);
    package.state = state;
    package
}

/// One package in every state: 10 to 13.
fn in_every_state() -> Vec<ScormPackage> {
    let error = ScormState::Error {
        code: "nothing_to_export".to_owned(),
        message: "the course is \"empty\"".to_owned(),
    };
    vec![
        content::scorm_package(here(), 10),
        in_state(11, ScormState::Ready(file())),
        in_state(12, error),
        in_state(13, ScormState::Revoked(file())),
    ]
}

async fn a_package_comes_back_as_it_was_stored_in_every_state(stores: &Stores) {
    let mut old = content::scorm_package(here(), 14);
    old.version = ScormVersion::V12;
    old.runtime_base_url = RuntimeBaseUrl::parse("http://127.0.0.1:8080/deep/er").unwrap();
    old.launch = LaunchPolicy {
        connected: false,
        allowed_origins: vec![
            LmsOrigin::parse("https://lms.example").unwrap(),
            LmsOrigin::parse("null").unwrap(),
        ],
        expires_at: Some(content::later()),
        max_learners: Some(10_000),
    };
    old.reporting = ReportingPolicy {
        waits_for_grades: true,
        retries_failed: true,
    };
    old.stamp.touch(content::later());
    let mut packages = in_every_state();
    packages.push(old);
    let store = store_with(stores, packages.clone()).await;
    for (package, n) in packages.into_iter().zip(10..) {
        assert_eq!(find(&store, here(), n).await, Some(package));
    }
}

async fn a_package_can_go_through_its_states(stores: &Stores) {
    let mut package = content::scorm_package(here(), 10);
    let store = store_with(stores, vec![package.clone()]).await;
    for state in in_every_state().into_iter().map(|package| package.state) {
        package.state = state;
        package.stamp.touch(content::later());
        let changed = package.clone();
        store
            .write(move |tx| tx.scorm_packages().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 10).await, Some(package.clone()));
    }
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let package = in_state(10, ScormState::Ready(file()));
    let store = store_with(stores, vec![package.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store.write(|tx| tx.scorm_packages().delete(elsewhere(), id(10)));
    assert!(!deleted.await.unwrap());
    let mut moved = package.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.scorm_packages().update(&moved));
    assert!(matches!(update.await, Err(StoreError::Stale)));
    assert_eq!(find(&store, here(), 10).await, Some(package));
}

async fn a_signed_download_finds_it_in_whatever_workspace(stores: &Stores) {
    let foreign = content::scorm_package(elsewhere(), 11);
    let packages = vec![content::scorm_package(here(), 10), foreign.clone()];
    let store = store_with(stores, packages).await;
    let (found, none) = store
        .read(|tx| {
            let packages = tx.scorm_packages();
            Ok((packages.find_signed(id(11))?, packages.find_signed(id(12))?))
        })
        .await
        .unwrap();
    assert_eq!(found, Some(foreign));
    assert_eq!(none, None);
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut package = content::scorm_package(here(), 10);
    let store = store_with(stores, vec![package.clone()]).await;
    package.finish(file(), content::later()).unwrap();
    let (first, second) = (package.clone(), package.clone());
    store
        .write(move |tx| tx.scorm_packages().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.scorm_packages().update(&second));
    assert!(matches!(again.await, Err(StoreError::Stale)));
    assert_eq!(find(&store, here(), 10).await, Some(package));
}

async fn a_package_cannot_name_a_cohort_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut package = content::scorm_package(elsewhere(), 10);
    package.cohort_id = id(1);
    let insert = store.write(move |tx| tx.scorm_packages().insert(&package));
    assert!(matches!(insert.await, Err(StoreError::Dangling)));
}

async fn pages_go_newest_first_and_filters_narrow_them(stores: &Stores) {
    let mut of_another = content::scorm_package(here(), 14);
    of_another.cohort_id = id(3);
    let mut packages = in_every_state();
    packages.push(of_another);
    packages.push(content::scorm_package(elsewhere(), 15));
    let store = store_with(stores, packages).await;
    let by = |status: Option<&str>, cohort: Option<u64>| ScormPackageFilter {
        status: status.map(str::to_owned),
        cohort_id: cohort.map(id),
    };
    for (filter, expected) in [
        (by(None, None), vec![14, 13, 12, 11, 10]),
        (by(Some("pending"), None), vec![14, 10]),
        (by(Some("ready"), None), vec![11]),
        (by(Some("error"), None), vec![12]),
        (by(Some("revoked"), None), vec![13]),
        (by(None, Some(1)), vec![13, 12, 11, 10]),
        (by(Some("pending"), Some(3)), vec![14]),
    ] {
        let expected: Vec<ScormPackageId> = expected.into_iter().map(id).collect();
        assert_eq!(walk(&store, filter.clone()).await, expected, "{filter:?}");
    }
}

async fn packages_go_with_their_cohort(stores: &Stores) {
    let store = store_with(stores, vec![content::scorm_package(here(), 10)]).await;
    let deleted = store.write(|tx| tx.cohorts().delete(here(), id(1)));
    assert!(deleted.await.unwrap());
    assert_eq!(find(&store, here(), 10).await, None);
}

/// Package `n`, ready, with the archive of `origin`.
fn sharing(workspace: WorkspaceId, n: u64, origin: u64) -> ScormPackage {
    let mut package = content::scorm_package(workspace, n);
    package.state = ScormState::Ready(ScormFile {
        origin: id(origin),
        fingerprint: Some(format!("fingerprint {origin}")),
        ..file()
    });
    package
}

async fn an_archive_is_found_by_its_fingerprint_while_somebody_has_it_ready(stores: &Stores) {
    let mut revoked = sharing(here(), 12, 12);
    revoked.revoke(content::later()).unwrap();
    let packages = vec![
        // The origin of this archive is gone.
        sharing(here(), 11, 10),
        sharing(here(), 13, 10),
        sharing(elsewhere(), 14, 14),
        revoked,
        in_state(15, ScormState::Ready(file())),
    ];
    let store = store_with(stores, packages).await;
    for (workspace, origin, expected) in [
        (here(), 10, Some(sharing(here(), 11, 10))),
        (here(), 12, None),
        (here(), 14, None),
        (elsewhere(), 14, Some(sharing(elsewhere(), 14, 14))),
        (elsewhere(), 10, None),
    ] {
        let find = move |tx: &mut dyn lyceum_ports::store::Tx| {
            let fingerprint = format!("fingerprint {origin}");
            tx.scorm_packages()
                .with_fingerprint(workspace, &fingerprint)
        };
        assert_eq!(store.read(find).await.unwrap(), expected, "{origin}");
    }
}

async fn those_who_share_an_archive_are_found_by_its_origin(stores: &Stores) {
    let mut revoked = sharing(here(), 12, 10);
    revoked.revoke(content::later()).unwrap();
    let packages = vec![
        sharing(here(), 11, 10),
        revoked,
        sharing(here(), 13, 10),
        sharing(here(), 16, 16),
        sharing(elsewhere(), 14, 14),
    ];
    let store = store_with(stores, packages).await;
    let (shared, foreign, open, elsewhere_open, nobody, of_cohort) = store
        .read(|tx| {
            let packages = tx.scorm_packages();
            Ok((
                packages.sharing(here(), id(10))?,
                packages.sharing(elsewhere(), id(10))?,
                packages.open(id(10))?,
                packages.open(id(14))?,
                packages.open(id(11))?,
                packages.origins_of_cohort(here(), id(1))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(shared, [sharing(here(), 11, 10), sharing(here(), 13, 10)]);
    assert_eq!(foreign, []);
    assert_eq!(open, Some(sharing(here(), 11, 10)));
    assert_eq!(elsewhere_open, Some(sharing(elsewhere(), 14, 14)));
    assert_eq!(nobody, None);
    let mut of_cohort = of_cohort;
    of_cohort.sort_unstable_by_key(ToString::to_string);
    assert_eq!(of_cohort, [id(10), id(16)]);
}

async fn of_two_who_write_the_same_at_once_one_is_the_origin(stores: &Stores) {
    let waiting = (10..14).map(|n| content::scorm_package(here(), n));
    let store = store_with(stores, waiting.collect()).await;
    let mut race = JoinSet::new();
    for n in 10..14 {
        let store = Arc::clone(&store.store);
        race.spawn(async move {
            let settle = move |tx: &mut dyn lyceum_ports::store::Tx| {
                let found = tx.scorm_packages().with_fingerprint(here(), "same")?;
                let own = ScormFile {
                    origin: id(n),
                    fingerprint: Some("same".to_owned()),
                    ..file()
                };
                let origin = found.and_then(|package| package.origin());
                let mut package = content::scorm_package(here(), n);
                let origin = origin.unwrap_or(own.origin);
                let finished = package.finish(ScormFile { origin, ..own }, content::later());
                finished.map_err(|error| StoreError::Failed(error.into()))?;
                tx.scorm_packages().update(&package)?;
                Ok::<ScormPackageId, StoreError>(origin)
            };
            store.write(settle).await.unwrap()
        });
    }
    let origins = race.join_all().await;
    assert!(
        origins.windows(2).all(|pair| pair[0] == pair[1]),
        "{origins:?}"
    );
}
