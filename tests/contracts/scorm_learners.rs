//! What every repository of SCORM packages' learners keeps to.

use std::sync::Arc;

use lyceum_domain::keys::SecretHash;
use lyceum_domain::scorm_learners::{LearnerIdentity, LearnerTrust, ScormLearner};
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::store::StoreError;
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample_content as content;
use support::sample_people as people;
use support::stores::{Database, TestStore};
use tokio::task::JoinSet;

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn jane() -> LearnerIdentity {
    LearnerIdentity::of("https://lms.example", "jdoe")
}

fn proof(n: u64) -> SecretHash {
    SecretHash::of(&format!("proof {n}"))
}

fn nonce(n: u64) -> SecretHash {
    SecretHash::of(&format!("nonce {n}"))
}

/// The `n`-th learner, of package 10: user `n`, who came first under Jane's id.
fn learner(n: u64) -> ScormLearner {
    ScormLearner {
        workspace_id: here(),
        id: id(n),
        package_id: id(10),
        user_id: id(n),
        identity: jane(),
        trust: LearnerTrust::FirstUse,
        proof: proof(n),
        nonce: nonce(n),
        created_at: sample::now(),
        launched_at: sample::now(),
    }
}

fn unverified(n: u64) -> ScormLearner {
    ScormLearner {
        trust: LearnerTrust::Unverified,
        ..learner(n)
    }
}

/// Packages 10 and 11 here, 12 elsewhere; users 1, 3, 4, 5 here and 2 elsewhere; the learners given.
async fn store_with(database: Database, learners: Vec<ScormLearner>) -> TestStore {
    let store = TestStore::open(database);
    store
        .write(move |tx| {
            content::put_students(tx)?;
            for n in 3..=5 {
                tx.users().insert_person(&people::person(n))?;
                tx.users().insert(&people::user(here(), n))?;
            }
            for (workspace, n) in [(here(), 10), (here(), 11), (elsewhere(), 12)] {
                let package = content::scorm_package(workspace, n);
                tx.scorm_packages().insert(&package)?;
            }
            learners
                .iter()
                .try_for_each(|learner| tx.scorm_learners().insert(learner))
        })
        .await
        .unwrap();
    store
}

async fn with_proof(
    store: &TestStore,
    workspace: WorkspaceId,
    package: u64,
    identity: LearnerIdentity,
    n: u64,
) -> Option<ScormLearner> {
    let find = move |tx: &mut dyn lyceum_ports::store::Tx| {
        let learners = tx.scorm_learners();
        learners.with_proof(workspace, id(package), &identity, &proof(n))
    };
    store.read(find).await.unwrap()
}

async fn with_nonce(store: &TestStore, n: u64) -> Option<ScormLearner> {
    let find = move |tx: &mut dyn lyceum_ports::store::Tx| {
        let learners = tx.scorm_learners();
        learners.with_nonce(here(), id(10), &jane(), &nonce(n))
    };
    store.read(find).await.unwrap()
}

#[rstest]
#[tokio::test]
async fn a_learner_is_found_by_their_own_proof_at_their_own_package(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, vec![learner(1), unverified(3), unverified(4)]).await;
    for n in [3, 4] {
        let found = with_proof(&store, here(), 10, jane(), n).await;
        assert_eq!(found, Some(unverified(n)));
    }
    let found = with_proof(&store, here(), 10, jane(), 1).await;
    assert_eq!(found, Some(learner(1)));
    let other = LearnerIdentity::of("https://other.example", "jdoe");
    assert_eq!(with_proof(&store, here(), 10, other, 1).await, None);
    assert_eq!(with_proof(&store, here(), 10, jane(), 5).await, None);
    assert_eq!(with_proof(&store, here(), 11, jane(), 1).await, None);
    assert_eq!(with_proof(&store, elsewhere(), 10, jane(), 1).await, None);
}

#[rstest]
#[tokio::test]
async fn of_launches_the_last_one_is_remembered(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, vec![learner(1)]).await;
    assert_eq!(with_nonce(&store, 1).await, Some(learner(1)));
    let later = content::later();
    store
        .write(move |tx| {
            let learners = tx.scorm_learners();
            learners.note_launch(here(), id(1), &nonce(2), later)
        })
        .await
        .unwrap();
    assert_eq!(with_nonce(&store, 1).await, None);
    let again = ScormLearner {
        nonce: nonce(2),
        launched_at: later,
        ..learner(1)
    };
    assert_eq!(with_nonce(&store, 2).await, Some(again));
    let foreign = store.write(move |tx| {
        let learners = tx.scorm_learners();
        learners.note_launch(elsewhere(), id(1), &nonce(3), later)
    });
    assert!(matches!(foreign.await, Err(StoreError::Stale)));
}

#[rstest]
#[tokio::test]
async fn who_is_known_and_how_many_is_a_matter_of_one_package(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut at_another = learner(4);
    at_another.package_id = id(11);
    let store = store_with(database, vec![learner(1), unverified(3), at_another]).await;
    let told = store
        .read(|tx| {
            let nobody = LearnerIdentity::of("", "nobody");
            let learners = tx.scorm_learners();
            Ok((
                learners.is_known(here(), id(10), &jane())?,
                learners.is_known(here(), id(10), &nobody)?,
                learners.is_known(elsewhere(), id(10), &jane())?,
                learners.count(here(), id(10))?,
                learners.count(here(), id(11))?,
                learners.count(elsewhere(), id(10))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(told, (true, false, false, 2, 1, 0));
}

#[rstest]
#[tokio::test]
async fn the_package_of_a_person_is_found_in_their_workspace(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, vec![learner(1)]).await;
    let found = store
        .read(|tx| {
            let learners = tx.scorm_learners();
            Ok((
                learners.package_of(here(), id(1))?,
                learners.package_of(here(), id(3))?,
                learners.package_of(elsewhere(), id(1))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(
        found,
        (Some(content::scorm_package(here(), 10)), None, None)
    );
}

#[rstest]
#[tokio::test]
async fn of_many_who_come_first_at_once_one_is_the_first(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, vec![]).await;
    let mut race = JoinSet::new();
    for n in [1, 3, 4, 5] {
        let store = Arc::clone(&store.store);
        race.spawn(async move {
            let come = move |tx: &mut dyn lyceum_ports::store::Tx| {
                let known = tx.scorm_learners().is_known(here(), id(10), &jane())?;
                let new = if known { unverified(n) } else { learner(n) };
                tx.scorm_learners().insert(&new)?;
                Ok::<bool, StoreError>(known)
            };
            store.write(come).await.unwrap()
        });
    }
    let known = race.join_all().await;
    assert_eq!(known.iter().filter(|known| !**known).count(), 1);
}

#[rstest]
#[tokio::test]
async fn a_learner_goes_with_their_package_and_with_their_membership(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut at_another = learner(3);
    at_another.package_id = id(11);
    let store = store_with(database, vec![learner(1), at_another]).await;
    store
        .write(|tx| {
            tx.users().delete(here(), id(1))?;
            tx.scorm_packages().delete(here(), id(11))
        })
        .await
        .unwrap();
    let left = store
        .read(|tx| {
            let learners = tx.scorm_learners();
            Ok((
                learners.count(here(), id(10))?,
                learners.count(here(), id(11))?,
                tx.users().find(here(), id(3))?.is_some(),
            ))
        })
        .await
        .unwrap();
    assert_eq!(left, (0, 0, true));
}

#[rstest]
#[tokio::test]
async fn a_learner_cannot_be_of_a_package_or_a_user_of_another_workspace(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = store_with(database, vec![]).await;
    let (mut of_package, mut of_user) = (learner(1), learner(3));
    of_package.package_id = id(12);
    of_user.user_id = id(2);
    for foreign in [of_package, of_user] {
        let insert = store.write(move |tx| tx.scorm_learners().insert(&foreign));
        assert!(matches!(insert.await, Err(StoreError::Dangling)));
    }
}
