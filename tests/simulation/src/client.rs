//! Clients: they want things done once, and ask with the same key until somebody says that they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::trace::Trace;
use crate::wire;

/// What a client wanted under one key, and what it was told.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// `submit`, `grade` or `course`.
    pub verb: String,
    /// Text, submission or name.
    pub argument: String,
    /// The ids that it was told.
    pub told: Vec<String>,
}

/// Every wish, by key.
#[derive(Default)]
pub struct Journal(Mutex<BTreeMap<String, Wish>>);

impl Journal {
    fn wish(&self, key: &str, verb: &str, argument: &str) {
        let mut wishes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wish = wishes.entry(key.to_owned()).or_default();
        wish.verb = verb.into();
        wish.argument = argument.into();
    }

    fn told(&self, key: &str, id: &str) {
        let mut wishes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        wishes
            .entry(key.to_owned())
            .or_default()
            .told
            .push(id.to_owned());
    }

    /// All of them.
    pub fn all(&self) -> BTreeMap<String, Wish> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Everybody who wants something.
#[derive(Clone)]
pub struct Clients {
    /// What they want and were told.
    pub journal: Arc<Journal>,
    /// How many nodes there are.
    pub nodes: usize,
    /// Where decisions come from.
    pub random: Arc<Mutex<fastrand::Rng>>,
    /// What happened.
    pub trace: Trace,
}

impl Clients {
    fn draw(&self, range: std::ops::Range<usize>) -> usize {
        self.random
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .usize(range)
    }

    /// Wants this many things, one after the other or at once.
    pub async fn want(self, wishes: usize) -> turmoil::Result {
        let mut pursuits = tokio::task::JoinSet::new();
        for n in 0..wishes {
            let seconds = u64::try_from(self.draw(0..25)).unwrap();
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            pursuits.spawn_local(self.clone().one(n));
        }
        while pursuits.join_next().await.is_some() {}
        self.trace.note("client", "has everything");
        Ok(())
    }

    async fn one(self, n: usize) {
        if self.draw(0..5) == 0 {
            let name = format!("Course {n}");
            self.pursue(format!("course-{n}"), "course", name).await;
            return;
        }
        let key = format!("submit-{n}");
        let text = format!("essay {n}");
        let twin = (self.draw(0..4) == 0).then(|| {
            let twin = self.clone().pursue(key.clone(), "submit", text.clone());
            tokio::task::spawn_local(twin)
        });
        let id = self.clone().pursue(key, "submit", text).await;
        for again in 0..self.draw(0..3) {
            let seconds = u64::try_from(self.draw(0..40)).unwrap();
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            let key = format!("grade-{n}-{again}");
            self.clone().pursue(key, "grade", id.clone()).await;
        }
        if let Some(twin) = twin {
            drop(twin.await);
        }
    }

    /// Asks one node after the other until it is done; its id.
    async fn pursue(self, key: String, verb: &'static str, argument: String) -> String {
        self.journal.wish(&key, verb, &argument);
        loop {
            let node = format!("node-{}", self.draw(0..self.nodes));
            let line = format!("{verb} {key} {argument}");
            let said = wire::ask(&node, &line, Duration::from_secs(10)).await;
            let told = said.as_deref().unwrap_or("nothing");
            self.trace
                .note("client", format!("{key} at {node}: {told}"));
            if let Some(id) = said
                .ok()
                .as_deref()
                .and_then(|said| said.strip_prefix("201 "))
            {
                self.journal.told(&key, id);
                return id.to_owned();
            }
            let millis = u64::try_from(self.draw(200..6_000)).unwrap();
            tokio::time::sleep(Duration::from_millis(millis)).await;
        }
    }
}
