//! Groups whose transaction is lost as a whole.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::PersonId;
use lyceum_ports::running::idempotency::{RememberedReply, ReplyKey};
use lyceum_ports::store::Tx;
use uuid::Uuid;

use super::*;
use crate::mapping::vault::MasterKey;
use crate::upkeep::migrate;
use crate::upkeep::space::SpaceSettings;

fn writer(folder: &Path) -> Writer {
    let path = folder.join("lyceum.db");
    migrate::sqlite(&mut connect(&path, false).unwrap()).unwrap();
    let vault = Vault::new(&MasterKey::from_bytes([7; 32]));
    let space = SpaceSettings {
        reserve_bytes: 1 << 20,
        minimum_free_bytes: 0,
    };
    let safeguards = Safeguards {
        space,
        ..Safeguards::default()
    };
    Writer::open(&path, Arc::new(vault), Gate::new(folder, space), safeguards).unwrap()
}

fn key(name: &str) -> ReplyKey {
    ReplyKey {
        person_id: PersonId::from_uuid(Uuid::nil()),
        workspace_id: None,
        key: name.to_owned(),
    }
}

/// A piece of work that stores so many bytes, and where its answer comes.
fn storing(name: &str, bytes: usize) -> (Request, oneshot::Receiver<Answer>) {
    let key = key(name);
    let work = move |tx: &mut dyn Tx| {
        let reply = RememberedReply {
            fingerprint: "f".to_owned(),
            reply: "x".repeat(bytes),
            created_at: Timestamp::from_unix_millis(0),
        };
        match tx.idempotency().remember(&key, &reply) {
            Ok(()) => Finish::Commit,
            Err(_) => Finish::Rollback,
        }
    };
    let (reply, answer) = oneshot::channel();
    let request = Request {
        work: Box::new(work),
        concluding: false,
        since: Instant::now(),
        reply,
    };
    (request, answer)
}

fn is_there(writer: &mut Writer, name: &str) -> bool {
    let oldest = Timestamp::from_unix_millis(0);
    let mut session = Session::new(&mut writer.connection, &writer.vault);
    let found = session.idempotency().find(&key(name), oldest);
    found.unwrap().is_some()
}

fn limit(writer: &mut Writer, pages: &str) {
    let pragma = format!("PRAGMA max_page_count = {pages}");
    writer.connection.batch_execute(&pragma).unwrap();
}

#[test]
fn a_full_disk_refuses_all_that_it_undid_keeps_nothing_of_it_and_is_got_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    assert!(folder.path().join("RESERVE").exists());
    // No page more than there is: SQLite then says the same as on a full disk.
    limit(&mut writer, "1");
    let (small, first) = storing("small", 10);
    let (large, second) = storing("large", 1 << 20);
    let (late, third) = storing("late", 10);
    writer.write(vec![small, large, late]);
    let mut kept = Vec::new();
    for (name, mut answer) in [("small", first), ("large", second), ("late", third)] {
        let told = answer.try_recv().unwrap();
        let there = is_there(&mut writer, name);
        if there {
            kept.push(name);
            assert!(told.is_ok(), "{name}: {told:?}");
        } else if name != "large" {
            assert!(
                matches!(told, Err(StoreError::DiskFull)),
                "{name}: {told:?}"
            );
        }
    }
    assert!(!kept.contains(&"large"), "{kept:?}");
    assert!(!folder.path().join("RESERVE").exists());
    limit(&mut writer, "1000000");
    let (again, mut answer) = storing("large", 1 << 20);
    writer.write(vec![again]);
    answer.try_recv().unwrap().unwrap();
    assert!(is_there(&mut writer, "large"));
}

#[test]
fn who_goes_on_after_the_disk_was_full_keeps_nothing_either() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    limit(&mut writer, "1");
    let (mut large, mut answer) = storing("large", 1 << 20);
    let mut storing_large = std::mem::replace(&mut large.work, Box::new(|_| Finish::Rollback));
    large.work = Box::new(move |tx| {
        storing_large(tx);
        let reply = RememberedReply {
            fingerprint: "f".to_owned(),
            reply: String::new(),
            created_at: Timestamp::from_unix_millis(0),
        };
        drop(tx.idempotency().remember(&key("small"), &reply));
        Finish::Commit
    });
    writer.write(vec![large]);
    assert!(answer.try_recv().unwrap().is_err());
    assert!(!is_there(&mut writer, "large") && !is_there(&mut writer, "small"));
}

#[test]
fn a_transaction_that_sqlite_gave_up_takes_its_neighbours_with_it_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    let (small, mut first) = storing("small", 10);
    let (other, mut second) = storing("other", 10);
    writer.connection.batch_execute("BEGIN IMMEDIATE").unwrap();
    let mut group = vec![small, other];
    let done = writer.work_one(&mut group[0].work).unwrap();
    assert!(done.is_ok());
    // What SQLite does by itself after some errors.
    writer.connection.batch_execute("ROLLBACK").unwrap();
    let lost = writer.end_savepoint(false).unwrap_err();
    writer.refuse(group, &lost);
    for answer in [&mut first, &mut second] {
        let told = answer.try_recv().unwrap();
        assert!(matches!(told, Err(StoreError::Unavailable(_))), "{told:?}");
    }
    assert!(!is_there(&mut writer, "small"));
    let (next, mut answer) = storing("next", 10);
    writer.write(vec![next]);
    answer.try_recv().unwrap().unwrap();
}

#[test]
fn a_writer_left_inside_a_transaction_begins_another_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    writer.connection.batch_execute("BEGIN IMMEDIATE").unwrap();
    let (stuck, mut told) = storing("stuck", 10);
    writer.write(vec![stuck]);
    assert!(told.try_recv().unwrap().is_err());
    let (next, mut answer) = storing("next", 10);
    writer.write(vec![next]);
    answer.try_recv().unwrap().unwrap();
}
