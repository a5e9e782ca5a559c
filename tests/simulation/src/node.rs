//! One process of the service: it answers clients, does jobs and makes deliveries, as `lyceum serve` does.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lyceum_application::idempotency::{IdempotencyKey, Reply, ReplyKey};
use lyceum_application::work::ClaimedDelivery;
use lyceum_application::{App, Context, Error, Tx, courses, submissions, work};
use lyceum_domain::json::Metadata;
use lyceum_domain::submissions::{NewSubmission, RunOverrides, SubmissionContent};
use lyceum_domain::text::LongText;
use lyceum_ports::jobs::{Job, JobLane};
use lyceum_wire::submissions::SubmissionRequest;

use crate::machine::Machine;
use crate::store::{DOING, Doing};
use crate::template::{School, new_course};
use crate::trace::Trace;
use crate::wire;

/// How often a running job's lease is renewed, as in the service.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// A process; it is gone when its host crashes.
#[derive(Clone)]
pub struct Node {
    /// Its host's name.
    pub name: String,
    /// The application in it.
    pub app: App,
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
    /// Runs until the host crashes.
    pub async fn serve(self) -> turmoil::Result {
        self.trace.note(&self.name, "starts");
        let node = Rc::new(self);
        while let Err(error) = work::take_up_again(&node.app, node.is_single).await {
            node.trace
                .note(&node.name, format!("could not start: {error}"));
            node.rest().await;
        }
        tokio::task::spawn_local(Rc::clone(&node).do_jobs());
        tokio::task::spawn_local(Rc::clone(&node).make_deliveries());
        tokio::task::spawn_local(Rc::clone(&node).sweep());
        wire::serve(move |line| Rc::clone(&node).answer(line)).await
    }

    async fn do_jobs(self: Rc<Self>) {
        loop {
            self.machine.goes_on().await;
            let claimed = work::claim(&self.app, JobLane::Ai, 4).await;
            let claimed = claimed.unwrap_or_default();
            if claimed.is_empty() {
                self.rest().await;
            }
            for job in claimed {
                tokio::task::spawn_local(Rc::clone(&self).perform(job));
            }
        }
    }

    async fn perform(self: Rc<Self>, job: Job) {
        let doing = Doing::Job {
            id: job.id.to_string(),
            attempt: job.attempt.into(),
        };
        self.trace
            .note(&self.name, format!("begins {doing} on {}", job.subject_id));
        let beating = Rc::clone(&self).keep_lease(doing.clone(), job.clone());
        let heartbeat = tokio::task::spawn_local(DOING.scope(doing.clone(), beating));
        let ended = DOING
            .scope(doing.clone(), work::perform(&self.app, &job))
            .await;
        heartbeat.abort();
        let ended = ended.map_err(|error| error.to_string());
        self.trace
            .note(&self.name, format!("ends {doing}: {ended:?}"));
        self.machine.bell.notify_waiters();
    }

    /// Also of what it holds no longer: whoever was overtaken may not know yet.
    async fn keep_lease(self: Rc<Self>, doing: Doing, job: Job) {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            let renewed = work::extend(&self.app, &job).await.ok();
            self.trace
                .note(&self.name, format!("renews {doing}: {renewed:?}"));
        }
    }

    async fn make_deliveries(self: Rc<Self>) {
        loop {
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
                tokio::task::spawn_local(DOING.scope(doing, making));
            }
        }
    }

    async fn deliver(self: Rc<Self>, doing: Doing, delivery: ClaimedDelivery) {
        self.trace.note(&self.name, format!("begins {doing}"));
        let ended = work::deliver(&self.app, delivery).await;
        let ended = ended.map_err(|error| error.to_string());
        self.trace
            .note(&self.name, format!("ends {doing}: {ended:?}"));
    }

    async fn sweep(self: Rc<Self>) {
        loop {
            tokio::time::sleep(Duration::from_mins(10)).await;
            drop(work::sweep(&self.app).await);
        }
    }

    /// Until the bell rings, or for a while.
    async fn rest(&self) {
        let millis = self
            .random
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .u64(2_000..15_000);
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
