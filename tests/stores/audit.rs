//! The audit trail holds against whoever has the database's password, on ours.

use std::panic::catch_unwind;

use lyceum_domain::ids;
use lyceum_domain::running::audit::{
    AuditAction, AuditActor, AuditEntry, AuditSubject, AuditedChange,
};
use rstest::rstest;
use serde_json::json;
use support::fakes::id;
use support::sample;
use support::stores::{Database, TestStore};
use support::tampering::tamper;

fn entry() -> AuditEntry {
    AuditEntry {
        workspace_id: id(1),
        id: id(10),
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

#[rstest]
#[tokio::test]
async fn nobody_changes_or_removes_an_entry(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let there = entry();
    let noted = there.clone();
    let work = store.write(move |tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        tx.audit().append(&noted)
    });
    work.await.unwrap();
    let mut statements = vec![
        "UPDATE audit_entries SET action = 'key.created'",
        "DELETE FROM audit_entries",
        "UPDATE audit_entries SET workspace_id = 'wsp_gone'; DELETE FROM audit_entries",
    ];
    if database == Database::Postgres {
        statements.push("TRUNCATE audit_entries");
    }
    for statement in statements {
        let url = store.url.clone();
        let done = catch_unwind(move || tamper(&url, statement));
        assert!(done.is_err(), "{statement} was carried out");
        let found = store.read(|tx| tx.audit().find(id(1), id(10))).await;
        assert_eq!(found.unwrap().as_ref(), Some(&there));
    }
}
