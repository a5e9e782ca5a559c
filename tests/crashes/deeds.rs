//! What a process does when it dies, and how to see whether it is done.

use std::ops::RangeInclusive;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::ids::{EventId, WorkspaceId};
use lyceum_domain::running::jobs::JobKind;
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashKind};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::database::failpoints;
use support::company::{in_company, piece};
use support::fakes::id;
use support::stores::reopen;
use support::{sample, sample_content as content, sample_people as people};

use crate::sign_in;

const URL: &str = "LYCEUM_TEST_CRASH_URL";
const DEED: &str = "LYCEUM_TEST_CRASH_DEED";
const AT: &str = "LYCEUM_TEST_CRASH_AT";

/// Something that is to happen whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Opening the database, and nothing else.
    Open,
    /// A workspace, its event, and the reply that its key has.
    Create,
    /// Taking a job.
    Claim,
    /// Ending a job with its event.
    Complete,
    /// Putting a course that is in use into the trash.
    Delete,
    /// Bringing it back.
    Restore,
    /// Using a link up, for a session.
    SignIn,
    /// Using an invitation up, for a membership and a session.
    Accept,
    /// Linking whoever came back from a provider, for a session.
    SignInBySso,
    /// Three workspaces, by three who wait for a connection to PostgreSQL at once.
    Together,
}

impl Deed {
    pub const ALL: [Self; 10] = [
        Self::Open,
        Self::Create,
        Self::Claim,
        Self::Complete,
        Self::Delete,
        Self::Restore,
        Self::SignIn,
        Self::Accept,
        Self::SignInBySso,
        Self::Together,
    ];

    fn name(self) -> String {
        format!("{self:?}")
    }

    /// What must be there before.
    pub fn prepare(self, tx: &mut dyn Tx) -> Result<(), StoreError> {
        if matches!(self, Self::Open | Self::Create | Self::Together) {
            return Ok(());
        }
        if matches!(self, Self::SignIn | Self::Accept | Self::SignInBySso) {
            return sign_in::prepare(tx);
        }
        if matches!(self, Self::Delete | Self::Restore) {
            content::put_submissions(tx)?;
            return if self == Self::Restore {
                delete(tx)
            } else {
                Ok(())
            };
        }
        tx.workspaces().insert(&sample::workspace(1))?;
        tx.jobs().enqueue(&job(), sample::now())?;
        if self == Self::Complete {
            claim(tx)?;
        }
        Ok(())
    }

    /// Does it.
    pub fn perform(self, tx: &mut dyn Tx) -> Result<(), StoreError> {
        match self {
            Self::Open => Ok(()),
            Self::Create => {
                tx.workspaces().insert(&sample::workspace(1))?;
                tx.events().append(&people::event(here(), 5))?;
                let key = people::reply_key(id(1), Some(here()));
                tx.idempotency().remember(&key, &people::reply("made"))
            }
            Self::Claim => claim(tx).map(drop),
            Self::Complete => {
                let claimed = QueuedJob {
                    attempt: 1,
                    ..job()
                };
                tx.jobs().finish(&claimed, sample::now())?;
                tx.events().append(&people::event(here(), 5))
            }
            Self::Delete => delete(tx),
            Self::Restore => restore(tx),
            Self::SignIn => sign_in::by_link(tx),
            Self::Accept => sign_in::by_invitation(tx),
            Self::SignInBySso => sign_in::by_provider(tx),
            Self::Together => TOGETHER.into_iter().try_for_each(|n| make(tx, n)),
        }
    }

    /// Whether it is done, by each of its traces; they are to agree.
    pub fn traces(self, tx: &mut dyn Tx) -> Result<Vec<bool>, StoreError> {
        let event: EventId = id(5);
        match self {
            Self::Open => Ok(Vec::new()),
            Self::Create => {
                let key = people::reply_key(id(1), Some(here()));
                let long_ago = sample::now().minus(Duration::from_hours(1));
                Ok(vec![
                    tx.workspaces().find(here())?.is_some(),
                    tx.events().find(here(), event)?.is_some(),
                    tx.idempotency().find(&key, long_ago)?.is_some(),
                ])
            }
            // A job that is taken is due when its lease ends.
            Self::Claim => Ok(vec![tx.jobs().next_due()? == Some(lease_end())]),
            Self::Complete => Ok(vec![
                tx.jobs().next_due()?.is_none(),
                tx.events().find(here(), event)?.is_some(),
            ]),
            Self::Delete => Ok(vec![
                tx.trash().find(here(), item().id)?.is_some(),
                tx.courses().find(here(), id(1))?.is_none(),
                tx.submissions().find(here(), id(1))?.is_none(),
            ]),
            Self::Restore => Ok(vec![
                tx.trash().find(here(), item().id)?.is_none(),
                tx.courses().find(here(), id(1))?.is_some(),
                tx.submissions().find(here(), id(1))?.is_some(),
            ]),
            Self::SignIn => sign_in::is_in_by_link(tx),
            Self::Accept => sign_in::is_in_by_invitation(tx),
            Self::SignInBySso => sign_in::is_in_by_provider(tx),
            Self::Together => TOGETHER
                .map(|n| Ok(tx.workspaces().find(id(n))?.is_some()))
                .collect(),
        }
    }
}

/// Those who are made together.
const TOGETHER: RangeInclusive<u64> = 1..=3;

fn make(tx: &mut dyn Tx, n: u64) -> Result<(), StoreError> {
    tx.workspaces().insert(&sample::workspace(n))
}

/// Does a deed, each part of it by somebody else where there are some.
fn perform(store: &Arc<dyn Store>, deed: Deed) {
    if deed != Deed::Together {
        return write(store, Deed::perform, deed).unwrap();
    }
    let pieces = TOGETHER.map(|n| piece(move |tx| make(tx, n)));
    let ended = on_a_runtime(in_company(store, pieces.collect()));
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
}

fn here() -> WorkspaceId {
    id(1)
}

fn job() -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::RemoveArchive, 1),
        ..people::job(here(), 9)
    }
}

/// The course of the sample on its way into the trash.
fn item() -> TrashItem {
    TrashItem {
        workspace_id: here(),
        id: id(7),
        kind: TrashKind::Course,
        object_id: id::<lyceum_domain::ids::Course>(1).to_string(),
        name: "Food".to_owned(),
        counts: TrashCounts::new(),
        person_id: None,
        deleted_by: None,
        restorable_until: sample::now().plus(Duration::from_hours(24)),
        created_at: sample::now(),
    }
}

fn delete(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let mut item = item();
    item.counts = tx.trash().gather(&item)?;
    tx.trash().take_out(&item)
}

fn restore(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let Some(item) = tx.trash().find(here(), item().id)? else {
        return Err(StoreError::Stale);
    };
    tx.trash().hold(&item)?;
    tx.trash().put_back(&item, None, sample::now())?;
    tx.trash().forget(&item)
}

fn lease_end() -> lyceum_domain::Timestamp {
    sample::now().plus(QueuedJob::LEASE)
}

fn claim(tx: &mut dyn Tx) -> Result<Vec<QueuedJob>, StoreError> {
    let lane = JobKind::RemoveArchive.lane();
    tx.jobs()
        .claim(lane, &sample::lease(1, sample::now()), &mut None, 1)
}

/// Does a deed in a process of its own, which dies at the `n`-th point on its way; how it ended.
pub fn in_a_process_that_dies_at(n: usize, deed: Deed, url: &str) -> ExitStatus {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "deeds::a_deed_leaves_all_its_traces"])
        .env(URL, url)
        .env(DEED, deed.name())
        .env(AT, n.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap()
}

fn on_a_runtime<T>(doing: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(doing)
}

/// Writes in a transaction that is kept.
pub fn write(
    store: &Arc<dyn Store>,
    work: fn(Deed, &mut dyn Tx) -> Result<(), StoreError>,
    deed: Deed,
) -> Result<(), StoreError> {
    on_a_runtime(store.write(move |tx| work(deed, tx)))
}

/// Whether a deed is done.
///
/// # Panics
/// If one trace says so and another does not.
pub fn is_done(store: &Arc<dyn Store>, deed: Deed) -> bool {
    let traces: Result<_, StoreError> = on_a_runtime(store.read(move |tx| deed.traces(tx)));
    let traces = traces.unwrap();
    assert!(
        traces.windows(2).all(|pair| pair[0] == pair[1]),
        "{deed:?} is half done: {traces:?}"
    );
    traces.first().copied().unwrap_or(true)
}

/// Beside being a test, what the processes of other tests do.
#[test]
fn a_deed_leaves_all_its_traces() {
    if let Ok(url) = std::env::var(URL) {
        let wanted = std::env::var(DEED).unwrap();
        let deed = Deed::ALL.into_iter().find(|deed| deed.name() == wanted);
        failpoints::die_at(std::env::var(AT).unwrap().parse().unwrap());
        return perform(&reopen(&url), deed.unwrap());
    }
    for deed in Deed::ALL {
        let store = support::stores::TestStore::open(support::stores::Database::Sqlite);
        write(&store.store, Deed::prepare, deed).unwrap();
        assert_eq!(is_done(&store.store, deed), deed == Deed::Open, "{deed:?}");
        write(&store.store, Deed::perform, deed).unwrap();
        assert!(is_done(&store.store, deed), "{deed:?}");
    }
}
