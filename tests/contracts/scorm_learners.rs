//! What every repository of SCORM packages' learners keeps to.

use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::exporting::scorm_learners::{LearnerIdentity, LearnerTrust, Lms, ScormLearner};
use lyceum_domain::identity::keys::{ApiKey, SecretHash};
use lyceum_domain::ids::{ScormLearnerId, WorkspaceId};
use lyceum_ports::exporting::scorm_learners::{KnownLearner, ScormLearnerFilter};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    a_learner_is_found_by_their_own_proof_in_their_own_cohort,
    of_launches_the_last_one_is_remembered,
    who_is_known_is_a_matter_of_the_cohort_and_how_many_one_of_the_package,
    who_comes_to_the_next_package_is_there_too_and_found_where_they_came_last,
    the_learners_of_a_package_are_told_page_by_page_with_when_they_were_seen,
    of_many_who_come_first_at_once_one_is_the_first,
    a_learner_goes_with_their_cohort_and_with_their_membership_and_stays_without_a_package,
    a_learner_cannot_be_of_a_cohort_or_a_user_of_another_workspace,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn jane() -> LearnerIdentity {
    LearnerIdentity::of("https://lms.example", "jdoe")
}

fn lms(origin: &str) -> Lms {
    Lms {
        origin: origin.to_owned(),
        title: "Campus".to_owned(),
        version: "1.2".to_owned(),
    }
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
        cohort_id: id(1),
        package_id: id(10),
        user_id: id(n),
        identity: jane(),
        claimed_id: "jdoe".to_owned(),
        lms: lms("https://lms.example"),
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

/// Cohorts 1 and 3 here, 2 elsewhere; users 1, 3, 4, 5 here and 2 elsewhere; the learners given.
async fn store_with(stores: &Stores, learners: Vec<ScormLearner>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_students(tx)?;
            for n in 3..=5 {
                tx.users().insert_person(&people::person(n))?;
                tx.users().insert(&people::user(here(), n))?;
            }
            tx.cohorts().insert(&people::cohort(here(), id(1), 3))?;
            learners
                .iter()
                .try_for_each(|learner| tx.scorm_learners().insert(learner))
        })
        .await
        .unwrap();
    store
}

async fn with_proof(
    store: &OpenStore,
    workspace: WorkspaceId,
    cohort: u64,
    identity: LearnerIdentity,
    n: u64,
) -> Option<ScormLearner> {
    let find = move |tx: &mut dyn lyceum_ports::store::Tx| {
        let learners = tx.scorm_learners();
        learners.with_proof(workspace, id(cohort), &identity, &proof(n))
    };
    store.read(find).await.unwrap()
}

async fn with_nonce(store: &OpenStore, n: u64) -> Option<ScormLearner> {
    let find = move |tx: &mut dyn lyceum_ports::store::Tx| {
        let learners = tx.scorm_learners();
        learners.with_nonce(here(), id(10), &jane(), &nonce(n))
    };
    store.read(find).await.unwrap()
}

async fn a_learner_is_found_by_their_own_proof_in_their_own_cohort(stores: &Stores) {
    let store = store_with(stores, vec![learner(1), unverified(3), unverified(4)]).await;
    for n in [3, 4] {
        let found = with_proof(&store, here(), 1, jane(), n).await;
        assert_eq!(found, Some(unverified(n)));
    }
    let found = with_proof(&store, here(), 1, jane(), 1).await;
    assert_eq!(found, Some(learner(1)));
    let other = LearnerIdentity::of("https://other.example", "jdoe");
    assert_eq!(with_proof(&store, here(), 1, other, 1).await, None);
    assert_eq!(with_proof(&store, here(), 1, jane(), 5).await, None);
    assert_eq!(with_proof(&store, here(), 3, jane(), 1).await, None);
    assert_eq!(with_proof(&store, elsewhere(), 1, jane(), 1).await, None);
}

async fn of_launches_the_last_one_is_remembered(stores: &Stores) {
    let store = store_with(stores, vec![learner(1)]).await;
    assert_eq!(with_nonce(&store, 1).await, Some(learner(1)));
    let later = content::later();
    store
        .write(move |tx| {
            let learners = tx.scorm_learners();
            let moved = lms("https://moved.example");
            learners.note_launch(here(), id(1), &nonce(2), &moved, later)
        })
        .await
        .unwrap();
    assert_eq!(with_nonce(&store, 1).await, None);
    let again = ScormLearner {
        nonce: nonce(2),
        lms: lms("https://moved.example"),
        launched_at: later,
        ..learner(1)
    };
    assert_eq!(with_nonce(&store, 2).await, Some(again));
    let foreign = store.write(move |tx| {
        let learners = tx.scorm_learners();
        learners.note_launch(elsewhere(), id(1), &nonce(3), &Lms::default(), later)
    });
    assert!(matches!(foreign.await, Err(StoreError::Stale)));
}

async fn who_is_known_is_a_matter_of_the_cohort_and_how_many_one_of_the_package(stores: &Stores) {
    let mut at_another = unverified(4);
    at_another.package_id = id(11);
    let store = store_with(stores, vec![learner(1), unverified(3), at_another]).await;
    let told = store
        .read(|tx| {
            let nobody = LearnerIdentity::of("", "nobody");
            let learners = tx.scorm_learners();
            Ok((
                learners.is_known(here(), id(1), &jane())?,
                learners.is_known(here(), id(1), &nobody)?,
                learners.is_known(here(), id(3), &jane())?,
                learners.is_known(elsewhere(), id(1), &jane())?,
                learners.count(here(), id(10))?,
                learners.count(here(), id(11))?,
                learners.count(elsewhere(), id(10))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(told, (true, false, false, false, 2, 1, 0));
}

/// Learner 1 again, who came to package 11 later.
fn at_the_next_package() -> ScormLearner {
    ScormLearner {
        id: id(6),
        package_id: id(11),
        trust: LearnerTrust::Proven,
        nonce: nonce(6),
        created_at: content::later(),
        launched_at: content::later(),
        ..learner(1)
    }
}

async fn who_comes_to_the_next_package_is_there_too_and_found_where_they_came_last(
    stores: &Stores,
) {
    let store = store_with(stores, vec![learner(1), at_the_next_package()]).await;
    let found = with_proof(&store, here(), 1, jane(), 1).await;
    assert_eq!(found, Some(at_the_next_package()));
    let at = async |workspace: WorkspaceId, package: u64, user: u64| {
        let find = move |tx: &mut dyn lyceum_ports::store::Tx| {
            tx.scorm_learners().at(workspace, id(package), id(user))
        };
        store.read(find).await.unwrap()
    };
    assert_eq!(at(here(), 10, 1).await, Some(learner(1)));
    assert_eq!(at(here(), 11, 1).await, Some(at_the_next_package()));
    assert_eq!(at(here(), 12, 1).await, None);
    assert_eq!(at(here(), 10, 3).await, None);
    assert_eq!(at(elsewhere(), 10, 1).await, None);
}

/// A session of user `n`, opened with `package`, and last used so many milliseconds after it was made.
fn session(n: u64, package: u64, number: u64, used: Option<u64>) -> ApiKey {
    let mut key = people::session_key(here(), id(n), id(900), number);
    key.issued_by = None;
    key.package_id = Some(id(package));
    key.last_used_at = used.map(|used| sample::now().plus(Duration::from_millis(used)));
    key
}

async fn the_learners_of_a_package_are_told_page_by_page_with_when_they_were_seen(stores: &Stores) {
    let mut at_another = unverified(5);
    at_another.package_id = id(11);
    let mut moved = unverified(4);
    moved.lms = lms("https://moved.example");
    let store = store_with(stores, vec![learner(1), unverified(3), moved, at_another]).await;
    store
        .write(|tx| {
            for key in [
                session(1, 10, 901, Some(5)),
                session(1, 10, 902, Some(9)),
                session(1, 11, 903, Some(70)),
                session(3, 10, 904, None),
            ] {
                tx.keys().insert(&key)?;
            }
            Ok::<(), StoreError>(())
        })
        .await
        .unwrap();
    let walk = async |workspace: WorkspaceId, filter: ScormLearnerFilter| {
        let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
        loop {
            let (filter, wanted) = (filter.clone(), page.clone());
            let got = store
                .read(move |tx| {
                    tx.scorm_learners()
                        .page(workspace, id(10), &filter, &wanted)
                })
                .await
                .unwrap();
            seen.extend(got.items);
            match got.next {
                Some(after) => page.after = Some(after),
                None => return seen,
            }
        }
    };
    let numbers = |seen: &[KnownLearner]| -> Vec<ScormLearnerId> {
        seen.iter().map(|known| known.learner.id).collect()
    };
    let everybody = walk(here(), ScormLearnerFilter::default()).await;
    assert_eq!(numbers(&everybody), [id(4), id(3), id(1)]);
    let used = everybody.iter().map(|known| known.used_at);
    let used: Vec<_> = used
        .map(|at| at.map(|at| at.since(sample::now())))
        .collect();
    assert_eq!(used, [None, None, Some(Duration::from_millis(9))]);
    assert_eq!(everybody[2].learner, learner(1));
    assert_eq!(everybody[2].name, people::user(here(), 1).name);
    let first = ScormLearnerFilter {
        identity: Some(LearnerTrust::FirstUse),
        ..ScormLearnerFilter::default()
    };
    assert_eq!(numbers(&walk(here(), first).await), [id(1)]);
    let from = ScormLearnerFilter {
        origin: Some("https://moved.example".to_owned()),
        ..ScormLearnerFilter::default()
    };
    assert_eq!(numbers(&walk(here(), from).await), [id(4)]);
    assert!(
        walk(elsewhere(), ScormLearnerFilter::default())
            .await
            .is_empty()
    );
}

async fn of_many_who_come_first_at_once_one_is_the_first(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut race = JoinSet::new();
    for n in [1, 3, 4, 5] {
        let store = Arc::clone(&store.store);
        race.spawn(async move {
            let come = move |tx: &mut dyn lyceum_ports::store::Tx| {
                let known = tx.scorm_learners().is_known(here(), id(1), &jane())?;
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

async fn a_learner_goes_with_their_cohort_and_with_their_membership_and_stays_without_a_package(
    stores: &Stores,
) {
    let mut of_another = learner(3);
    of_another.cohort_id = id(3);
    of_another.package_id = id(11);
    let store = store_with(stores, vec![learner(1), of_another, unverified(4)]).await;
    store
        .write(|tx| {
            tx.scorm_packages()
                .insert(&content::scorm_package(here(), 10))?;
            tx.scorm_packages().delete(here(), id(10))?;
            tx.users().delete(here(), id(1))?;
            tx.cohorts().delete(here(), id(3))
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
    assert_eq!(left, (1, 0, true));
}

async fn a_learner_cannot_be_of_a_cohort_or_a_user_of_another_workspace(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let (mut of_cohort, mut of_user) = (learner(1), learner(3));
    of_cohort.cohort_id = id(2);
    of_user.user_id = id(2);
    for foreign in [of_cohort, of_user] {
        let insert = store.write(move |tx| tx.scorm_learners().insert(&foreign));
        assert!(matches!(insert.await, Err(StoreError::Dangling)));
    }
}
