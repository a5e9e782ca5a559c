//! Two workers, leases that run out whenever they like, and every order of what they do: the queue moves as the list of
//! moves says, and whatever was done has one effect.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::running::jobs::{JobMove, JobState, QueuedJob};
use lyceum_ports::store::StoreError;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

cases![Stores:
    whatever_two_workers_do_there_is_one_effect,
];

/// What one of the two workers does, to the job it took last.
#[derive(Debug, Clone, Copy)]
enum Act {
    Claim(u64),
    Extend(u64),
    Finish(u64),
    Retry(u64),
    Bury(u64),
    Leave(u64),
    /// Time goes on by so many seconds.
    Wait(u64),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let worker = 1_u64..=2;
    let act = prop_oneof![
        4 => worker.clone().prop_map(Act::Claim),
        2 => worker.clone().prop_map(Act::Extend),
        2 => worker.clone().prop_map(Act::Finish),
        2 => worker.clone().prop_map(Act::Retry),
        1 => worker.clone().prop_map(Act::Bury),
        1 => worker.prop_map(Act::Leave),
        4 => (1_u64..50).prop_map(Act::Wait),
    ];
    prop::collection::vec(act, 1..40)
}

/// The queue of one job as it should be.
#[derive(Debug)]
struct Model {
    state: JobState,
    attempt: u32,
    holder: u64,
    lease_until: u64,
    now: u64,
    /// How often the effect happened.
    effects: u32,
}

impl Model {
    /// Makes a move, if it is a legal one for whoever asks with this attempt.
    fn make(&mut self, step: JobMove, attempt: Option<u32>) -> bool {
        let is_fenced = attempt.is_some_and(|attempt| attempt != self.attempt);
        if self.state != step.from() || is_fenced {
            return false;
        }
        self.state = step.to();
        self.attempt += u32::from(step.begins_attempt());
        true
    }

    /// Which move a claim is now, if any.
    fn claim(&self) -> Option<JobMove> {
        match self.state {
            JobState::Queued => Some(JobMove::Claim),
            JobState::Running if self.lease_until < self.now => Some(JobMove::TakeOver),
            JobState::Running | JobState::Done | JobState::Dead => None,
        }
    }
}

fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// The effect is written in the transaction that ends the job, as work does it.
async fn finish(
    store: &OpenStore,
    job: QueuedJob,
    now: u64,
    serial: u64,
) -> Result<bool, StoreError> {
    store
        .write(move |tx| {
            let still_mine = tx.jobs().finish(&job, at(now))?;
            if still_mine {
                tx.events().append(&people::event(id(1), 1000 + serial))?;
            }
            Ok(still_mine)
        })
        .await
}

async fn play(store: &OpenStore, serial: u64, acts: Vec<Act>) {
    let mut job = people::job(id(1), serial);
    job.task = people::task(JobKind::RemoveArchive, 1);
    let queued = job.clone();
    store
        .write(move |tx| tx.jobs().enqueue(&queued, at(0)))
        .await
        .unwrap();
    let mut model = Model {
        state: JobState::Queued,
        attempt: 0,
        holder: 0,
        lease_until: 0,
        now: 0,
        effects: 0,
    };
    let mut held: BTreeMap<u64, QueuedJob> = BTreeMap::new();
    for act in acts {
        step(store, serial, &mut model, &mut held, act).await;
        assert!(model.effects <= 1);
    }
    let told = store
        .read(move |tx| tx.events().find(id(1), id(1000 + serial)))
        .await
        .unwrap();
    assert_eq!(told.is_some(), model.state == JobState::Done);
    assert_eq!(model.effects, u32::from(model.state == JobState::Done));
    // Nothing of this job is left for the next.
    store
        .write(|tx| {
            tx.jobs().release_leases(at(0))?;
            let lease = sample::lease(9, at(100_000));
            for job in tx.jobs().claim(JobLane::Work, &lease, &mut None, 10)? {
                tx.jobs().bury(&job, "over", at(0))?;
            }
            Ok(())
        })
        .await
        .unwrap();
}

async fn step(
    store: &OpenStore,
    serial: u64,
    model: &mut Model,
    held: &mut BTreeMap<u64, QueuedJob>,
    act: Act,
) {
    let now = model.now;
    let of = |worker: u64| held.get(&worker).cloned();
    match act {
        Act::Wait(seconds) => model.now += seconds,
        Act::Claim(worker) => {
            let claimed = store
                .write(move |tx| {
                    let lease = sample::lease(worker, at(now));
                    tx.jobs().claim(JobLane::Work, &lease, &mut None, 4)
                })
                .await
                .unwrap();
            let expected = model.claim();
            assert_eq!(claimed.len(), usize::from(expected.is_some()));
            if let Some(step) = expected {
                assert!(model.make(step, None));
                assert_eq!(claimed[0].attempt, model.attempt);
                (model.holder, model.lease_until) = (worker, now + 60);
                held.insert(worker, claimed[0].clone());
            }
        }
        Act::Extend(worker) => {
            let Some(job) = of(worker) else { return };
            let mine = job.attempt;
            let done = store
                .write(move |tx| tx.jobs().extend(&job, at(now + 60)))
                .await;
            let legal = model.make(JobMove::Extend, Some(mine));
            assert_eq!(done.unwrap(), legal);
            if legal {
                model.lease_until = now + 60;
            }
        }
        Act::Finish(worker) => {
            let Some(job) = of(worker) else { return };
            let mine = job.attempt;
            let done = finish(store, job, now, serial).await.unwrap();
            assert_eq!(done, model.make(JobMove::Finish, Some(mine)));
            model.effects += u32::from(done);
        }
        Act::Retry(worker) => {
            let Some(job) = of(worker) else { return };
            let mine = job.attempt;
            let done = store
                .write(move |tx| tx.jobs().retry(&job, (at(now), 0), "again", at(now)))
                .await;
            assert_eq!(done.unwrap(), model.make(JobMove::Retry, Some(mine)));
        }
        Act::Bury(worker) => {
            let Some(job) = of(worker) else { return };
            let mine = job.attempt;
            let done = store
                .write(move |tx| tx.jobs().bury(&job, "broken", at(now)))
                .await;
            assert_eq!(done.unwrap(), model.make(JobMove::Bury, Some(mine)));
        }
        Act::Leave(worker) => {
            let node = sample::lease(worker, at(0)).node;
            let back = store
                .write(move |tx| tx.jobs().put_back(node, at(now)))
                .await;
            let is_holder = model.holder == worker;
            let legal = is_holder && model.make(JobMove::PutBack, None);
            assert_eq!(back.unwrap(), u64::from(legal));
        }
    }
}

async fn whatever_two_workers_do_there_is_one_effect(stores: &Stores) {
    let store = stores.open().await;
    let made = store.write(|tx| tx.workspaces().insert(&sample::workspace(1)));
    made.await.unwrap();
    let runtime = tokio::runtime::Handle::current();
    let serial = std::cell::Cell::new(0);
    let config = Config {
        cases: 64,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let play_one = |acts| {
        serial.set(serial.get() + 1);
        runtime.block_on(play(&store, serial.get(), acts));
        Ok(())
    };
    // The runner shrinks what failed, and knows nothing of waiting.
    let held = tokio::task::block_in_place(|| runner.run(&acts(), play_one));
    held.unwrap();
}
