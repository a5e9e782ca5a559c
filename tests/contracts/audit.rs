//! What every audit trail keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids;
use lyceum_domain::running::audit::{
    AuditAction, AuditActor, AuditEntry, AuditSubject, AuditedChange,
};
use lyceum_ports::page::PageRequest;
use lyceum_ports::running::audit::AuditFilter;
use serde_json::json;

cases![Stores:
    an_entry_comes_back_as_it_was_noted_and_in_its_workspace_alone,
    filters_narrow,
    a_trail_goes_with_its_workspace,
];

fn entry(workspace: u64, n: u64) -> AuditEntry {
    AuditEntry {
        workspace_id: id(workspace),
        id: id(n),
        created_at: sample::now(),
        actor: AuditActor::User {
            user_id: id(5),
            api_key_id: id(6),
        },
        request_id: Some("req_1".to_owned()),
        action: AuditAction::MemberRoleChanged,
        subject: AuditSubject::of::<ids::User>(id(7)),
        change: AuditedChange::between(json!({"role": "student"}), json!({"role": "teacher"})),
    }
}

async fn store_with(stores: &Stores, entries: Vec<AuditEntry>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            entries
                .iter()
                .try_for_each(|entry| tx.audit().append(entry))
        })
        .await
        .unwrap();
    store
}

async fn found(store: &OpenStore, filter: AuditFilter) -> Vec<AuditEntry> {
    let page = store
        .read(move |tx| tx.audit().page(id(1), &filter, &PageRequest::first(100)))
        .await
        .unwrap();
    page.items
}

async fn an_entry_comes_back_as_it_was_noted_and_in_its_workspace_alone(stores: &Stores) {
    let store = store_with(stores, vec![entry(1, 10), entry(2, 10)]).await;
    let one = store.read(|tx| tx.audit().find(id(1), id(10))).await;
    assert_eq!(one.unwrap(), Some(entry(1, 10)));
    assert_eq!(found(&store, AuditFilter::default()).await, [entry(1, 10)]);
}

async fn filters_narrow(stores: &Stores) {
    let by_nobody = AuditEntry {
        actor: AuditActor::System,
        action: AuditAction::GradeChanged,
        request_id: None,
        ..entry(1, 11)
    };
    let store = store_with(stores, vec![entry(1, 10), by_nobody.clone()]).await;
    let by = async |actor: String| {
        let filter = AuditFilter {
            actor: Some(actor),
            ..AuditFilter::default()
        };
        found(&store, filter).await
    };
    let who = entry(1, 10).actor;
    assert!(matches!(who, AuditActor::User { .. }));
    if let AuditActor::User {
        user_id,
        api_key_id,
    } = who
    {
        assert_eq!(by(user_id.to_string()).await, [entry(1, 10)]);
        assert_eq!(by(api_key_id.to_string()).await, [entry(1, 10)]);
    }
    assert_eq!(
        by("system".to_owned()).await,
        *std::slice::from_ref(&by_nobody)
    );
    let filter = AuditFilter {
        action: Some(AuditAction::GradeChanged),
        subject_object: Some("user".to_owned()),
        subject_id: Some(entry(1, 10).subject.id),
        actor: None,
    };
    assert_eq!(found(&store, filter).await, [by_nobody]);
}

async fn a_trail_goes_with_its_workspace(stores: &Stores) {
    let store = store_with(stores, vec![entry(1, 10), entry(2, 11)]).await;
    let deleted = store.write(|tx| tx.workspaces().delete(id(1))).await;
    assert!(deleted.unwrap());
    assert_eq!(found(&store, AuditFilter::default()).await, []);
    let kept = store.read(|tx| tx.audit().find(id(2), id(11))).await;
    assert_eq!(kept.unwrap(), Some(entry(2, 11)));
}
