//! What every repository of certificates keeps to.

use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::grading::certificates::certification::{
    Certification, CertificationState, Declared, EndCause, Issued,
};
use lyceum_domain::grading::certificates::declaration::Releasable;
use lyceum_domain::grading::certificates::gate::Fate;
use lyceum_domain::grading::certificates::ledger::{BlindGrade, CertificateAnswer, TestSheet};
use lyceum_domain::grading::certificates::records::ReleaseRecord;
use lyceum_domain::grading::certificates::testing::SealedPoints;
use lyceum_domain::grading::receipts::ChainHead;
use lyceum_domain::grading::release::draw::Arrivals;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::points::Points;
use lyceum_ports::store::StoreError;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};

cases![Stores:
    a_try_comes_back_as_it_was_stored_whatever_became_of_it,
    one_try_of_an_assignment_is_open_at_a_time,
    an_answer_comes_back_whatever_became_of_it,
    overdue_are_audits_that_came_before_and_wait,
    a_chain_has_each_place_once_and_stays_in_its_workspace,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// The `n`-th try, of assignment 1.
fn certification(n: u64) -> Certification {
    let ids = (here(), id(n), id(1));
    Certification::new(ids, ReleaseTerms::default(), Some(20), sample::now())
}

fn issued(n: u64) -> Certification {
    let mut one = certification(n);
    one.looks_before = 1;
    one.looks_spent = 2;
    one.head = ChainHead {
        sequence: 7,
        hash: "a hash".to_owned(),
    };
    one.state = CertificationState::Paused;
    one.declared = Some(Declared {
        grader_hash: "grader".to_owned(),
        sizes: vec![20, 40],
        seed_hash: "seed".to_owned(),
        size: 200,
        look: 2.try_into().unwrap(),
        issued: Some(Issued {
            threshold: 71,
            tests: 30,
            errors: 1,
            at_hand: 180,
            bound_at_hand: 190_000,
            bound_of_later: 200_000,
            arrivals: Arrivals {
                arrived: 12,
                since_audit: 3,
            },
        }),
    });
    one
}

async fn store_with(stores: &Stores, tries: Vec<Certification>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_submissions(tx)?;
            tries
                .iter()
                .try_for_each(|one| tx.certificates().insert(one))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Certification> {
    store
        .read(move |tx| tx.certificates().find(workspace, id(n)))
        .await
        .unwrap()
}

async fn a_try_comes_back_as_it_was_stored_whatever_became_of_it(stores: &Stores) {
    let store = store_with(stores, vec![certification(1)]).await;
    assert_eq!(find(&store, here(), 1).await, Some(certification(1)));
    assert_eq!(find(&store, elsewhere(), 1).await, None);
    let mut one = issued(1);
    for state in CertificationState::ALL {
        one.state = *state;
        one.ended_because = (*state == CertificationState::Ended).then_some(EndCause::TooFew);
        one.stamp.touch(content::later());
        let changed = one.clone();
        store
            .write(move |tx| tx.certificates().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    }
    let stale = one.clone();
    let refused = store
        .write(move |tx| tx.certificates().update(&stale))
        .await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    let newest = store.read(move |tx| tx.certificates().newest(here(), id(1)));
    assert_eq!(newest.await.unwrap(), Some(one.clone()));
    let all = store.read(move |tx| tx.certificates().of_assignment(here(), id(1)));
    assert_eq!(all.await.unwrap(), [one]);
}

async fn one_try_of_an_assignment_is_open_at_a_time(stores: &Stores) {
    let store = store_with(stores, vec![certification(1)]).await;
    let second = || store.write(|tx| tx.certificates().insert(&certification(2)));
    let refused = second().await;
    let is_taken =
        matches!(&refused, Err(StoreError::Taken { field }) if *field == "assignment_id");
    assert!(is_taken, "{refused:?}");
    let mut first = certification(1);
    first.end(EndCause::GivenUp, 0, content::later());
    store
        .write(move |tx| tx.certificates().update(&first))
        .await
        .unwrap();
    second().await.unwrap();
}

fn answer(n: u64) -> CertificateAnswer {
    let one = Releasable {
        submission_id: id(n),
        confidence: 80,
    };
    CertificateAnswer::at_hand(one, sample::now())
}

fn sheet(grade: Option<BlindGrade>) -> TestSheet {
    TestSheet {
        ai: sealed(90),
        max_score: Points::HUNDRED,
        grade,
    }
}

fn sealed(points: u16) -> SealedPoints {
    SealedPoints {
        points: Points::whole(points),
        receipt: format!("receipt of {points}"),
    }
}

async fn an_answer_comes_back_whatever_became_of_it(stores: &Stores) {
    let store = store_with(stores, vec![certification(1)]).await;
    let answers = vec![
        answer(1),
        CertificateAnswer {
            place: Some(0),
            test: Some(sheet(Some(BlindGrade::Given(sealed(40))))),
            ..answer(2)
        },
        CertificateAnswer {
            place: Some(1),
            test: Some(sheet(Some(BlindGrade::GivenUp))),
            ..answer(3)
        },
        CertificateAnswer {
            arrived: Some(4),
            fate: Some(Fate::Audited),
            test: Some(sheet(None)),
            audit: Some(1),
            left: true,
            ..answer(4)
        },
    ];
    let added = answers.clone();
    store
        .write(move |tx| tx.certificates().add_answers(here(), id(1), &added))
        .await
        .unwrap();
    let all = store.read(|tx| tx.certificates().answers(here(), id(1)));
    assert_eq!(all.await.unwrap(), answers);
    let changed = CertificateAnswer {
        fate: Some(Fate::GoesOut),
        ..answer(1)
    };
    let stored = changed.clone();
    store
        .write(move |tx| tx.certificates().update_answer(here(), id(1), &stored))
        .await
        .unwrap();
    let of = |workspace| store.read(move |tx| tx.certificates().answer(workspace, id(1), id(1)));
    assert_eq!(of(here()).await.unwrap(), Some(changed));
    assert_eq!(of(elsewhere()).await.unwrap(), None);
}

async fn overdue_are_audits_that_came_before_and_wait(stores: &Stores) {
    let store = store_with(stores, vec![certification(1)]).await;
    let audited = |n| CertificateAnswer {
        fate: Some(Fate::Audited),
        ..answer(n)
    };
    let answers = [
        answer(1),
        audited(2),
        CertificateAnswer {
            audit: Some(1),
            ..audited(3)
        },
        CertificateAnswer {
            left: true,
            ..audited(4)
        },
        CertificateAnswer {
            at: content::later(),
            ..audited(5)
        },
    ];
    store
        .write(move |tx| tx.certificates().add_answers(here(), id(1), &answers))
        .await
        .unwrap();
    let before = content::later();
    let found = store.read(move |tx| tx.certificates().overdue(here(), id(1), before, 9));
    assert_eq!(found.await.unwrap(), [audited(2)]);
}

async fn a_chain_has_each_place_once_and_stays_in_its_workspace(stores: &Stores) {
    let store = store_with(stores, vec![certification(1)]).await;
    let record = |sequence: u32| ReleaseRecord {
        sequence,
        content: format!("{{\"sequence\":{sequence}}}"),
        hash: format!("hash {sequence}"),
    };
    let append = |sequence| {
        let one = record(sequence);
        store.write(move |tx| tx.certificates().append(&certification(1), &one))
    };
    append(1).await.unwrap();
    append(2).await.unwrap();
    let again = append(2).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    let records = store.read(|tx| tx.certificates().records(here(), id(1)));
    assert_eq!(records.await.unwrap(), [record(1), record(2)]);
    let others = store.read(|tx| tx.certificates().records(elsewhere(), id(1)));
    assert_eq!(others.await.unwrap(), []);
    let walk = |workspace, after| {
        store.read(move |tx| tx.certificates().with_records(workspace, after, 5))
    };
    assert_eq!(walk(None, None).await.unwrap(), [(here(), id(1))]);
    assert_eq!(walk(Some(elsewhere()), None).await.unwrap(), []);
    assert_eq!(walk(None, Some((here(), id(1)))).await.unwrap(), []);
}
