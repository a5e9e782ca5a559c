//! Those who write while faults happen. Each keeps to its own things, so it knows what they must be like.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use support::chance::Chance;
use tokio::task::JoinSet;

use crate::api::{Api, Outcome, Reply, Write};
use crate::journal::{Course, Journal};

/// How long a write may be without an answer, over all faults.
const PATIENCE: Duration = Duration::from_secs(90);
const PAUSE: Duration = Duration::from_millis(100);
/// Most courses that a writer keeps.
const COURSES: usize = 20;

/// What the writers do, in a hundred.
#[derive(Debug, Clone, Copy)]
pub struct Mix {
    pub creates: u64,
    pub changes: u64,
    pub deletions: u64,
    /// The rest hands something in and has it graded.
    pub pause: Duration,
}

impl Default for Mix {
    fn default() -> Self {
        Self {
            creates: 40,
            changes: 35,
            deletions: 15,
            pause: Duration::from_millis(5),
        }
    }
}

/// Writers at work.
pub struct Writers {
    stopped: Arc<AtomicBool>,
    working: JoinSet<()>,
}

impl Writers {
    /// Sets these to work.
    pub fn start(hands: Vec<Hand>, assignment: &str, mix: Mix) -> Self {
        let stopped = Arc::new(AtomicBool::new(false));
        let mut working = JoinSet::new();
        for hand in hands {
            let writer = Writer {
                hand,
                assignment: assignment.to_owned(),
                student: String::new(),
                courses: Vec::new(),
                mix,
            };
            working.spawn(writer.work(Arc::clone(&stopped)));
        }
        Self { stopped, working }
    }

    /// Lets them finish what they are at; everything they sent has an answer then.
    pub async fn stop(mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        while let Some(ended) = self.working.join_next().await {
            ended.expect("a writer came to an end");
        }
    }
}

/// Sends a write until it is answered for good.
pub struct Hand {
    pub api: Api,
    pub journal: Arc<Journal>,
    pub chance: Chance,
    pub name: String,
    pub writes: usize,
}

impl Hand {
    pub async fn write(&mut self, method: Method, path: &str, body: serde_json::Value) -> Reply {
        self.writes += 1;
        let write = Write {
            method,
            path: path.to_owned(),
            body,
            key: format!("{}-{}-{}", self.name, self.writes, self.chance.seed()),
        };
        self.until_answered(&write).await
    }

    /// Hands a text in; the submission's id.
    pub async fn hand_in(&mut self, assignment: &str, student: &str, text: &str) -> String {
        let submission = json!({
            "assignment_id": assignment, "user_id": student, "draft": false,
            "content": {"type": "text", "text": text},
        });
        let made = self.write(Method::POST, "/v1/submissions", submission);
        let id = made.await.id();
        let entry = (text.to_owned(), false);
        self.journal.known().submissions.insert(id.clone(), entry);
        id
    }

    /// Has AI grade what was handed in.
    pub async fn have_graded(&mut self, id: &str) {
        let path = format!("/v1/submissions/{id}/ai");
        self.write(Method::POST, &path, json!({})).await;
        if let Some((_, graded)) = self.journal.known().submissions.get_mut(id) {
            *graded = true;
        }
    }

    async fn until_answered(&mut self, write: &Write) -> Reply {
        let start = Instant::now();
        let mut had_been_unknown = false;
        loop {
            let node = usize::try_from(self.chance.below(64)).unwrap();
            let outcome = self.api.write(node, write).await;
            self.journal.outcome(write, &outcome, had_been_unknown);
            match outcome {
                Outcome::Answered(reply) if reply.is_success() => return reply,
                Outcome::Unsent => {}
                Outcome::Answered(_) | Outcome::Torn(_) | Outcome::Unknown(_) => {
                    had_been_unknown = true;
                }
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{write:?} has got no good answer in {PATIENCE:?}"
            );
            tokio::time::sleep(PAUSE).await;
        }
    }
}

struct Writer {
    hand: Hand,
    assignment: String,
    student: String,
    courses: Vec<String>,
    mix: Mix,
}

impl Writer {
    async fn work(mut self, stopped: Arc<AtomicBool>) {
        let email = format!("{}@school.example", self.hand.name);
        let student = self
            .hand
            .write(Method::POST, "/v1/users", json!({"email": email}));
        self.student = student.await.id();
        while !stopped.load(Ordering::SeqCst) {
            let Mix {
                creates,
                changes,
                deletions,
                pause,
            } = self.mix;
            let draw = self.hand.chance.below(100);
            if draw < creates {
                self.create().await;
            } else if draw < creates + changes {
                self.change().await;
            } else if draw < creates + changes + deletions {
                self.delete().await;
            } else {
                self.hand_in().await;
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn create(&mut self) {
        if self.courses.len() >= COURSES {
            return self.delete().await;
        }
        let name = format!("{}-c{}", self.hand.name, self.hand.writes);
        let course = json!({"name": name, "language": "en", "description": "v0"});
        self.known_of(&name, |_| {});
        let reply = self.hand.write(Method::POST, "/v1/courses", course).await;
        self.known_of(&name, |course| course.id = reply.id());
        self.courses.push(name);
    }

    async fn change(&mut self) {
        let Some(name) = self.one_of_mine() else {
            return self.create().await;
        };
        let (path, version) = self.known_of(&name, |course| {
            course.sent += 1;
            (format!("/v1/courses/{}", course.id), course.sent)
        });
        let change = json!({"description": format!("v{version}")});
        self.hand.write(Method::PATCH, &path, change).await;
        self.known_of(&name, |course| course.acked = version);
    }

    async fn delete(&mut self) {
        let Some(name) = self.one_of_mine() else {
            return;
        };
        self.courses.retain(|mine| *mine != name);
        let path = self.known_of(&name, |course| {
            course.deletion_sent = true;
            format!("/v1/courses/{}", course.id)
        });
        self.hand.write(Method::DELETE, &path, json!(null)).await;
        self.known_of(&name, |course| course.deleted = true);
    }

    async fn hand_in(&mut self) {
        let Self {
            hand,
            assignment,
            student,
            ..
        } = self;
        let text = format!("Tray {} of {} cools on ice.", hand.writes, hand.name);
        let id = hand.hand_in(assignment, student, &text).await;
        hand.have_graded(&id).await;
    }

    fn one_of_mine(&mut self) -> Option<String> {
        let count = u64::try_from(self.courses.len()).unwrap();
        let chosen = (count > 0).then(|| self.hand.chance.below(count))?;
        self.courses.get(usize::try_from(chosen).unwrap()).cloned()
    }

    fn known_of<T>(&self, name: &str, note: impl FnOnce(&mut Course) -> T) -> T {
        let mut known = self.hand.journal.known();
        note(known.courses.entry(name.to_owned()).or_default())
    }
}
