//! Who deletes what nobody used, while somebody begins to use it: PostgreSQL runs the transaction again, which then sees.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use lyceum_domain::ids::{UserId, WorkspaceId};
use lyceum_domain::running::in_use::{MOST_COUNTED, Subject, Uses};
use lyceum_ports::store::{StoreError, Tx};
use support::fakes::id;
use support::sample_content as content;
use support::sample_learning::{attempt, completion, put_learners};
use support::stores::{Database, TestStore};

const HERE: fn() -> WorkspaceId = || id(1);

fn hand_in(tx: &mut dyn Tx) -> Result<(), StoreError> {
    tx.submissions().insert(&content::submission(HERE(), 90))
}

fn try_quiz(tx: &mut dyn Tx) -> Result<(), StoreError> {
    tx.attempts().insert(&attempt(HERE(), user(), 90))
}

fn finish_lesson(tx: &mut dyn Tx) -> Result<(), StoreError> {
    tx.progress().complete(&completion(HERE(), user(), 1, 90))
}

fn user() -> UserId {
    id(1)
}

type Deed = fn(&mut dyn Tx) -> Result<(), StoreError>;

fn delete(tx: &mut dyn Tx, subject: Subject) -> Result<bool, StoreError> {
    match subject {
        Subject::Course(id) => tx.courses().delete(HERE(), id),
        Subject::Unit(id) => tx.units().delete(HERE(), id),
        Subject::Lesson(id) => tx.lessons().delete(HERE(), id),
        Subject::Activity(id) => tx.activities().delete(HERE(), id),
        Subject::Assignment(id) => tx.assignments().delete(HERE(), id),
        Subject::User(id) => tx.users().delete(HERE(), id),
        // Not deleted here.
        Subject::Workspace | Subject::Cohort(_) | Subject::Submission(_) => Ok(false),
    }
}

/// Counts, lets somebody do the deed, and deletes if nobody had used it; what each run counted.
async fn race(subject: Subject, deed: Deed) -> (Vec<Uses>, TestStore) {
    let store = TestStore::open(Database::Postgres);
    let set_up = |tx: &mut dyn Tx| {
        put_learners(tx)?;
        tx.assignments().insert(&content::assignment(HERE(), 1))
    };
    let set_up: Result<(), StoreError> = store.write(set_up).await;
    set_up.unwrap();
    let (counted, has_counted): (Sender<()>, Receiver<()>) = channel();
    let (done, is_done): (Sender<()>, Receiver<()>) = channel();
    let runs = Arc::new(Mutex::new(Vec::new()));
    let (seen, is_done) = (Arc::clone(&runs), Mutex::new(is_done));
    let deleting = Arc::clone(&store.store);
    let deleting = tokio::spawn(async move {
        let outcome: Result<(), StoreError> = deleting
            .write(move |tx| {
                let uses = tx.in_use().uses(HERE(), subject, MOST_COUNTED)?;
                let first = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(uses);
                    seen.len() == 1
                };
                if first {
                    counted.send(()).unwrap();
                    is_done.lock().unwrap().recv().unwrap();
                }
                if uses.is_none() {
                    delete(tx, subject)?;
                }
                Ok(())
            })
            .await;
        outcome
    });
    tokio::task::spawn_blocking(move || has_counted.recv().unwrap())
        .await
        .unwrap();
    let deed: Result<(), StoreError> = store.write(deed).await;
    deed.unwrap();
    done.send(()).unwrap();
    deleting.await.unwrap().unwrap();
    let runs = runs.lock().unwrap().clone();
    (runs, store)
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_begins_to_use_what_is_deleted_at_that_moment_keeps_it() {
    let cases: [(Subject, Deed); 9] = [
        (Subject::Assignment(id(1)), hand_in),
        (Subject::Course(id(1)), hand_in),
        (Subject::User(id(1)), hand_in),
        (Subject::Activity(id(1)), try_quiz),
        (Subject::Unit(id(1)), try_quiz),
        (Subject::User(id(1)), try_quiz),
        (Subject::Lesson(id(1)), finish_lesson),
        (Subject::Course(id(1)), finish_lesson),
        (Subject::Unit(id(1)), finish_lesson),
    ];
    for (subject, deed) in cases {
        let (runs, store) = race(subject, deed).await;
        assert_eq!(runs.len(), 2, "{subject:?}");
        assert!(runs[0].is_none(), "{subject:?} {runs:?}");
        assert!(!runs[1].is_none(), "{subject:?} {runs:?}");
        let left: Result<Uses, StoreError> = store
            .read(move |tx| tx.in_use().uses(HERE(), subject, MOST_COUNTED))
            .await;
        assert_eq!(left.unwrap(), runs[1]);
    }
}
