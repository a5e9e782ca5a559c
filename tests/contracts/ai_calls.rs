//! What every repository of calls to AI providers keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::ai as sample_ai;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::drafting::ai_calls::{AiCallRecord, AiFeature, AiUsage, CallOutcome};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai_calls::{AiCallFilter, Period, UsageKey};
use lyceum_ports::page::{Bound, Keyset, Narrowing, PageRequest};
use lyceum_ports::store::StoreError;

cases![Stores:
    calls_come_back_newest_first_as_they_were_stored,
    calls_are_found_by_what_they_were_for_how_they_ended_and_for_whom,
    a_period_is_summed_up_without_what_lies_outside_and_of_others,
    sums_are_put_together_by_feature_by_model_and_by_day_in_utc,
    calls_go_with_their_workspace_and_belong_to_one,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// The `n`-th call of a workspace, at this moment.
fn call(workspace: WorkspaceId, n: u64, at: &str) -> AiCallRecord {
    AiCallRecord {
        model: Some("small-2026".to_owned()),
        request_id: Some("req_«1»".to_owned()),
        tokens_in: 100,
        tokens_out: 10,
        tokens_cached: 30,
        cost: Some(MicroUsd::new(250)),
        created_at: moment(at),
        ..sample_ai::call(workspace, n)
    }
}

/// One that never got an answer, whose tokens are a guess and whose price nobody knows.
fn lost(workspace: WorkspaceId, n: u64, at: &str) -> AiCallRecord {
    AiCallRecord {
        feature: AiFeature::Tutoring,
        spender: Spender::Learners,
        model: None,
        request_id: None,
        tokens_out: 0,
        tokens_cached: 0,
        estimated: true,
        cost: None,
        outcome: CallOutcome::Unavailable,
        sent: Vec::new(),
        ..call(workspace, n, at)
    }
}

/// Two workspaces, and the calls given.
async fn store_with(stores: &Stores, calls: Vec<AiCallRecord>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.ai_calls().append(&calls)
        })
        .await
        .unwrap();
    store
}

async fn page(store: &OpenStore, filter: AiCallFilter, page: PageRequest) -> Vec<AiCallRecord> {
    store
        .read(move |tx| tx.ai_calls().page(here(), &filter, &page))
        .await
        .unwrap()
        .items
}

fn november() -> Period {
    Period {
        from: moment("2026-11-01T00:00:00Z"),
        to: moment("2026-12-01T00:00:00Z"),
    }
}

async fn usage_by(store: &OpenStore, key: UsageKey) -> Vec<(String, u64)> {
    let sums = store
        .read(move |tx| tx.ai_calls().usage_by(here(), november(), key))
        .await
        .unwrap();
    sums.into_iter()
        .map(|(name, usage)| (name, usage.calls))
        .collect()
}

async fn calls_come_back_newest_first_as_they_were_stored(stores: &Stores) {
    let (first, second) = (
        call(here(), 10, "2026-11-02T10:00:00.123Z"),
        lost(here(), 11, "2026-11-03T10:00:00Z"),
    );
    let foreign = call(elsewhere(), 12, "2026-11-03T10:00:00Z");
    let store = store_with(stores, vec![first.clone(), second.clone(), foreign]).await;
    let all = page(&store, AiCallFilter::default(), PageRequest::first(10)).await;
    assert_eq!(all, [second.clone(), first.clone()]);
    let after = PageRequest {
        after: Some(Keyset::of_id(second.id.to_string())),
        ..PageRequest::first(10)
    };
    assert_eq!(
        page(&store, AiCallFilter::default(), after).await,
        std::slice::from_ref(&first)
    );
    let later = PageRequest {
        narrowed: Narrowing {
            created: vec![(Bound::AtOrAfter, second.created_at)],
            ..Narrowing::default()
        },
        ..PageRequest::first(10)
    };
    assert_eq!(page(&store, AiCallFilter::default(), later).await, [second]);
}

async fn calls_are_found_by_what_they_were_for_how_they_ended_and_for_whom(stores: &Stores) {
    let (first, second) = (
        call(here(), 10, "2026-11-02T10:00:00Z"),
        lost(here(), 11, "2026-11-03T10:00:00Z"),
    );
    let store = store_with(stores, vec![first.clone(), second.clone()]).await;
    let first_page = || PageRequest::first(10);
    let feature = AiCallFilter {
        feature: Some(AiFeature::Grading),
        ..AiCallFilter::default()
    };
    assert_eq!(
        page(&store, feature, first_page()).await,
        std::slice::from_ref(&first)
    );
    let outcome = AiCallFilter {
        outcome: Some(CallOutcome::Unavailable),
        ..AiCallFilter::default()
    };
    assert_eq!(page(&store, outcome, first_page()).await, [second]);
    let subject = AiCallFilter {
        subject_id: Some("sub_10".to_owned()),
        ..AiCallFilter::default()
    };
    assert_eq!(page(&store, subject, first_page()).await, [first]);
}

async fn a_period_is_summed_up_without_what_lies_outside_and_of_others(stores: &Stores) {
    let calls = vec![
        call(here(), 10, "2026-10-31T23:59:59.999Z"),
        call(here(), 11, "2026-11-01T00:00:00Z"),
        lost(here(), 12, "2026-11-30T23:59:59.999Z"),
        call(here(), 13, "2026-12-01T00:00:00Z"),
        call(elsewhere(), 14, "2026-11-05T00:00:00Z"),
    ];
    let store = store_with(stores, calls).await;
    let usage = async |period: Period| {
        store
            .read(move |tx| tx.ai_calls().usage(here(), period))
            .await
            .unwrap()
    };
    let expected = AiUsage {
        calls: 2,
        tokens_in: 200,
        tokens_out: 10,
        tokens_cached: 30,
        estimated_calls: 1,
        unpriced_calls: 1,
        cost: MicroUsd::new(250),
    };
    assert_eq!(usage(november()).await, expected);
    let before = Period {
        from: moment("2020-01-01T00:00:00Z"),
        to: moment("2020-02-01T00:00:00Z"),
    };
    assert_eq!(usage(before).await, AiUsage::default());
}

async fn sums_are_put_together_by_feature_by_model_and_by_day_in_utc(stores: &Stores) {
    let calls = vec![
        call(here(), 10, "2026-11-02T00:30:00+01:00"),
        call(here(), 11, "2026-11-02T23:00:00Z"),
        lost(here(), 12, "2026-11-02T00:00:00Z"),
        call(elsewhere(), 13, "2026-11-02T00:00:00Z"),
    ];
    let store = store_with(stores, calls).await;
    let named = |pairs: &[(&str, u64)]| -> Vec<(String, u64)> {
        let owned = |(name, count): &(&str, u64)| ((*name).to_owned(), *count);
        pairs.iter().map(owned).collect()
    };
    assert_eq!(
        usage_by(&store, UsageKey::Feature).await,
        named(&[("grading", 2), ("tutoring", 1)])
    );
    assert_eq!(
        usage_by(&store, UsageKey::Model).await,
        named(&[("small", 1), ("small-2026", 2)])
    );
    assert_eq!(
        usage_by(&store, UsageKey::Spender).await,
        named(&[("learners", 1), ("staff", 2)])
    );
    assert_eq!(
        usage_by(&store, UsageKey::Day).await,
        named(&[("2026-11-01", 1), ("2026-11-02", 2)])
    );
}

async fn calls_go_with_their_workspace_and_belong_to_one(stores: &Stores) {
    let store = store_with(stores, vec![call(here(), 10, "2026-11-02T00:00:00Z")]).await;
    store
        .write(|tx| tx.workspaces().delete(here()))
        .await
        .unwrap();
    let left = page(&store, AiCallFilter::default(), PageRequest::first(10)).await;
    assert_eq!(left, []);
    let refused = store
        .write(|tx| {
            tx.ai_calls()
                .append(&[call(here(), 11, "2026-11-02T00:00:00Z")])
        })
        .await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}
