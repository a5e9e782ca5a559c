//! One process of the service: it answers clients, does jobs and makes deliveries, as `lyceum serve` does.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lyceum_application::authoring::courses;
use lyceum_application::grading::submissions;
use lyceum_application::running::idempotency::{IdempotencyKey, Reply, ReplyKey};
use lyceum_application::running::node::ThisNode;
use lyceum_application::running::retention;
use lyceum_application::work::ClaimedDelivery;
use lyceum_application::{App, Context, Error, Tx, work};
use lyceum_domain::grading::submissions::{NewSubmission, RunOverrides, SubmissionContent};
use lyceum_domain::json::Metadata;
use lyceum_domain::running::jobs::JobLane;
use lyceum_domain::text::LongText;
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::running::nodes::NodeId;
use lyceum_wire::grading::submissions::SubmissionRequest;
use tokio::task::JoinSet;

use crate::machine::Machine;
use crate::membership::Membership;
use crate::store::{DOING, Doing, FaultyStore};
use crate::template::{School, new_course};
use crate::trace::Trace;
use crate::wire;

/// How often a running job's lease is renewed, as in the service.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// How long work may take to end after a stop was asked for, as in the service.
const WORK_GRACE: Duration = Duration::from_secs(20);

/// A process; it is gone when its host crashes.
#[derive(Clone)]
pub struct Node {
    /// Its host's name.
    pub name: String,
    /// What its operator calls it, if anything.
    pub registered_as: Option<String>,
    /// The application in it.
    pub app: App,
    /// Its way to the database.
    pub database: Arc<FaultyStore>,
    /// What it runs on.
    pub machine: Arc<Machine>,
    /// Whether no other can be alive.
    pub is_single: bool,
    /// What is in the database.
    pub school: School,
    /// What happened.
    pub trace: Trace,
    /// Randomness of its loops.
    pub random: Arc<Mutex<fastrand::Rng>>,
}

impl Node {
    /// Runs until it was asked to stop and did, or until the host crashes.
    pub async fn serve(mut self) -> turmoil::Result {
        self.note("starts");
        self.machine.begin_process();
        // A process that starts again is another node.
        self.app.node = ThisNode::new(NodeId(self.app.ids.next()));
        let node = Rc::new(self);
        let membership = Membership::begin(&node).await;
        let mut loops = JoinSet::new();
        loops.spawn_local(Rc::clone(&node).do_jobs());
        loops.spawn_local(Rc::clone(&node).make_deliveries());
        let sweeping = tokio::task::spawn_local(Rc::clone(&node).sweep());
        let answering = Rc::clone(&node);
        let served = tokio::select! {
            biased;
            served = wire::serve(move |line| Rc::clone(&answering).answer(line)) => served,
            () = node.stop(loops, membership) => Ok(()),
        };
        sweeping.abort();
        served
    }

    /// Waits until a stop is asked for, then lets work end, puts back what does not, and leaves.
    async fn stop(&self, mut loops: JoinSet<()>, membership: Membership) {
        self.machine.stop_is_asked_for().await;
        self.machine.goes_on().await;
        self.app.node.drain();
        self.machine.bell.notify_waiters();
        membership.tell(self).await;
        let working = async { while loops.join_next().await.is_some() {} };
        drop(tokio::time::timeout(WORK_GRACE, working).await);
        self.machine.goes_on().await;
        // Whatever still runs is broken off before its leases are given back.
        loops.shutdown().await;
        membership.end(self).await;
    }

    /// Notes what it does.
    pub fn note(&self, what: impl std::fmt::Display) {
        self.trace.note(&self.name, what);
    }

    async fn do_jobs(self: Rc<Self>) {
        let mut running = JoinSet::new();
        while !self.app.node.is_draining() {
            self.machine.goes_on().await;
            let claimed = work::claim(&self.app, JobLane::Ai, 4).await;
            let claimed = claimed.unwrap_or_default();
            if claimed.is_empty() {
                self.rest().await;
            }
            for job in claimed {
                running.spawn_local(Rc::clone(&self).perform(job));
            }
            while running.try_join_next().is_some() {}
        }
        while running.join_next().await.is_some() {}
    }

    async fn perform(self: Rc<Self>, job: QueuedJob) {
        let doing = Doing::Job {
            id: job.id.to_string(),
            attempt: job.attempt.into(),
        };
        self.note(format!("begins {doing} on {}", job.task.subject()));
        let performing = async {
            tokio::select! {
                biased;
                ended = work::perform(&self.app, &job) => ended,
                never = self.keep_lease(&doing, &job) => match never {},
            }
        };
        let ended = DOING.scope(doing.clone(), performing).await;
        let ended = ended.map_err(|error| error.to_string());
        self.note(format!("ends {doing}: {ended:?}"));
        self.machine.bell.notify_waiters();
    }

    /// Also of what it holds no longer: whoever was overtaken may not know yet.
    async fn keep_lease(&self, doing: &Doing, job: &QueuedJob) -> Infallible {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            let renewed = work::extend(&self.app, job).await.ok();
            self.note(format!("renews {doing}: {renewed:?}"));
        }
    }

    async fn make_deliveries(self: Rc<Self>) {
        let mut running = JoinSet::new();
        while !self.app.node.is_draining() {
            self.machine.goes_on().await;
            let place = Arc::new(Mutex::new(None));
            let claiming = work::claim_deliveries(&self.app, 1);
            let claimed = DOING
                .scope(Doing::Claiming(Arc::clone(&place)), claiming)
                .await
                .unwrap_or_default();
            if claimed.is_empty() {
                self.rest().await;
            }
            let held = place.lock().unwrap_or_else(PoisonError::into_inner).take();
            for delivery in claimed {
                // A mutant may have taken away what was just claimed.
                let (id, attempts) = held.clone().unwrap_or_default();
                let doing = Doing::Delivery { id, attempts };
                let making = Rc::clone(&self).deliver(doing.clone(), delivery);
                running.spawn_local(DOING.scope(doing, making));
            }
            while running.try_join_next().is_some() {}
        }
        while running.join_next().await.is_some() {}
    }

    async fn deliver(self: Rc<Self>, doing: Doing, delivery: ClaimedDelivery) {
        self.note(format!("begins {doing}"));
        let ended = work::deliver(&self.app, delivery).await;
        let ended = ended.map_err(|error| error.to_string());
        self.note(format!("ends {doing}: {ended:?}"));
    }

    async fn sweep(self: Rc<Self>) {
        loop {
            tokio::time::sleep(Duration::from_mins(10)).await;
            drop(retention::sweep(&self.app).await);
        }
    }

    /// Until the bell rings, or for a while.
    pub async fn rest(&self) {
        let millis = self
            .random
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .u64(3_000..25_000);
        tokio::select! {
            biased;
            () = self.machine.bell.notified() => {}
            () = tokio::time::sleep(Duration::from_millis(millis)) => {}
        }
    }

    /// `<verb> <key> <argument>`, answered with a status and, if it is 201, an id.
    async fn answer(self: Rc<Self>, line: String) -> Option<String> {
        self.machine.goes_on().await;
        let mut words = line.splitn(3, ' ');
        let (verb, key, argument) = (words.next()?, words.next()?, words.next()?);
        let done = self.write(verb, key, argument).await;
        self.machine.goes_on().await;
        Some(match done {
            Ok(id) => format!("201 {id}"),
            Err(error) => format!("503 {error}"),
        })
    }

    async fn write(&self, verb: &str, key: &str, argument: &str) -> Result<String, Error> {
        let ctx = self.app.service_context(self.school.workspace.clone());
        let key = IdempotencyKey {
            key: ReplyKey {
                person_id: self.school.person,
                workspace_id: Some(self.school.workspace.id),
                key: key.to_owned(),
            },
            fingerprint: format!("{verb} {argument}"),
        };
        let (queued, now) = (Arc::clone(&ctx.queued), ctx.now);
        queued.store(false, Ordering::Relaxed);
        let (verb, argument, school) = (verb.to_owned(), argument.to_owned(), self.school.clone());
        let work = move |tx: &mut dyn Tx| {
            let body = change(tx, &ctx, &school, &verb, &argument)?;
            Ok(Reply {
                status: 201,
                location: None,
                body,
            })
        };
        let answer = self.app.write(queued, now, Some(key), work).await?;
        Ok(answer.reply.body)
    }
}

fn change(
    tx: &mut dyn Tx,
    ctx: &Context,
    school: &School,
    verb: &str,
    argument: &str,
) -> Result<String, Error> {
    match verb {
        "submit" => {
            let new = NewSubmission {
                assignment_id: school.assignment,
                cohort_id: None,
                content: SubmissionContent::Text(LongText::parse(argument).unwrap()),
                draft: false,
                metadata: Metadata::default(),
            };
            let request = SubmissionRequest {
                user_id: Some(school.student),
                new,
            };
            Ok(submissions::create(tx, ctx, request)?.id)
        }
        "grade" => {
            let id = argument.parse().unwrap();
            let anew = RunOverrides {
                anew: true,
                ..RunOverrides::default()
            };
            Ok(submissions::grade_with_ai(tx, ctx, id, anew)?.id)
        }
        "course" => Ok(courses::create(tx, ctx, new_course(argument))?.id),
        _ => panic!("{verb} is not understood"),
    }
}
