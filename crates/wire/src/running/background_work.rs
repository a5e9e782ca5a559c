//! What is to be done in the background, on the wire.

use lyceum_domain::running::jobs::{JobKind, JobLane, KindBacklog};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// What the service has to do in the background for a workspace: grading, drafting, packages, files, many writes. What failed is told by
/// what it was for: its `ai_status` or `status` is `error`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BackgroundWorkView {
    /// Always `background_work`.
    pub object: String,
    /// How many jobs wait for somebody to take them up.
    pub waiting: u64,
    /// Since when the first of them does.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub waiting_since: Option<String>,
    /// How many are being done.
    pub running: u64,
    /// How many wait for their time: put off, or to be tried again after a while.
    pub later: u64,
    /// How many were given up in the last 30 days: each time they were tried the process that did was gone before the end.
    pub given_up: u64,
    /// The same by kind, in the order of their names; without those of which there is nothing.
    pub kinds: Vec<KindOfWork>,
}

/// What there is to do of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KindOfWork {
    /// What is to be done.
    #[schema(schema_with = shapes::word::<JobKind>)]
    pub kind: String,
    /// Where it waits: `ai` for what waits for AI providers most of its time, else `work`. What waits in one is not in the way of the other.
    #[schema(schema_with = shapes::word::<JobLane>)]
    pub lane: String,
    /// How many jobs wait for somebody to take them up.
    pub waiting: u64,
    /// Since when the first of them does.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub waiting_since: Option<String>,
    /// How many are being done.
    pub running: u64,
    /// How many wait for their time.
    pub later: u64,
    /// How many were given up.
    pub given_up: u64,
}

impl BackgroundWorkView {
    /// Of a workspace.
    pub fn new(found: &[KindBacklog]) -> Self {
        let mut found = found.to_vec();
        found.sort_unstable_by_key(|one| one.kind.as_str());
        let sum = |many: fn(&KindBacklog) -> u64| found.iter().map(many).sum();
        let since = found.iter().filter_map(|one| one.due_since).min();
        Self {
            object: "background_work".to_owned(),
            waiting: sum(|one| one.due),
            waiting_since: since.map(|since| since.to_string()),
            running: sum(|one| one.running),
            later: sum(|one| one.later),
            given_up: sum(|one| one.given_up),
            kinds: found.iter().map(Into::into).collect(),
        }
    }
}

impl From<&KindBacklog> for KindOfWork {
    fn from(found: &KindBacklog) -> Self {
        Self {
            kind: found.kind.as_str().to_owned(),
            lane: found.kind.lane().as_str().to_owned(),
            waiting: found.due,
            waiting_since: found.due_since.map(|since| since.to_string()),
            running: found.running,
            later: found.later,
            given_up: found.given_up,
        }
    }
}
