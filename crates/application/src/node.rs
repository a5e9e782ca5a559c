//! This process among those that serve the same database: what the others know of it, and what it is about to do.
//!
//! There is no leader. Each node says every few seconds that it is there; whoever starts takes over from those that are
//! gone; whoever stops says so and leaves nothing behind.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::webhooks::WebhookEndpointId;
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::jobs::{Job, JobLane};
use lyceum_ports::nodes::{Lease, Node, NodeId, NodeState};
use lyceum_ports::store::Tx;

use crate::app::App;
use crate::error::Error;

/// What is registered of a node that is silent for so long is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(10);

/// Whose turn it is to be served by this node.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// By lane, who was served last.
    pub jobs: Mutex<HashMap<JobLane, WorkspaceId>>,
    /// Who was delivered to last.
    pub deliveries: Mutex<Option<WebhookEndpointId>>,
}

/// This process; clones are the same.
#[derive(Debug, Clone)]
pub struct ThisNode {
    /// What tells it from all others, and from itself after a restart.
    pub id: NodeId,
    draining: Arc<AtomicBool>,
    pub(crate) turns: Arc<Turns>,
}

impl ThisNode {
    /// A node of this id, which is of no other.
    pub fn new(id: NodeId) -> Self {
        Self {
            id,
            draining: Arc::default(),
            turns: Arc::default(),
        }
    }

    /// Whether it was asked to stop: callers are to go elsewhere.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// From now on it is about to stop.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// A lease of its own from now on.
    pub(crate) fn lease(&self, now: Timestamp, length: Duration) -> Lease {
        Lease {
            node: self.id,
            from: now,
            until: now.plus(length),
        }
    }
}

/// What a node tells of itself.
#[derive(Debug, Clone)]
pub struct Introduction {
    /// What the operator calls it. One node at a time has a name: whoever starts under it follows the one before.
    pub name: Option<String>,
    /// The machine it runs on.
    pub host: String,
    /// The version of the service.
    pub version: String,
    /// When it started.
    pub started_at: Timestamp,
    /// Whether no other process can serve this database: then whatever is leased belongs to one that is gone.
    pub is_alone: bool,
}

/// Registers this node, and takes over at once what those that are gone held.
///
/// # Errors
/// Those of storage.
pub async fn join(app: &App, introduction: &Introduction) -> Result<(), Error> {
    let (node, alone) = (registered(app, introduction), introduction.is_alone);
    app.store
        .write(move |tx| {
            take_over(tx, &node, alone)?;
            Ok(tx.nodes().announce(&node)?)
        })
        .await
}

/// Says that this node is still there.
///
/// # Errors
/// Those of storage.
pub async fn renew(app: &App, introduction: &Introduction) -> Result<(), Error> {
    let node = registered(app, introduction);
    app.store
        .write(move |tx| {
            tx.nodes().announce(&node)?;
            let oldest = node.seen_at.minus(FORGOTTEN_AFTER);
            let all = tx.nodes().all()?;
            let silent = all.iter().filter(|other| other.seen_at < oldest);
            let silent: Vec<NodeId> = silent.map(|other| other.id).collect();
            if silent.is_empty() {
                return Ok(());
            }
            Ok(tx.nodes().forget(&silent)?)
        })
        .await
}

/// Puts back what this node could not end and removes it from the register; how many jobs it put back.
///
/// # Errors
/// Those of storage.
pub async fn leave(app: &App) -> Result<u64, Error> {
    let (id, now) = (app.node.id, app.clock.now());
    app.store
        .write(move |tx| {
            let jobs = tx.jobs().put_back(id, now)?;
            tx.webhooks().release_leases_of(&[id], now)?;
            tx.nodes().leave(id)?;
            Ok(jobs)
        })
        .await
}

/// Every node that is registered.
///
/// # Errors
/// Those of storage.
pub async fn registered_nodes(app: &App) -> Result<Vec<NodeId>, Error> {
    let all = app
        .store
        .read(|tx| Ok::<_, Error>(tx.nodes().all()?))
        .await?;
    Ok(all.iter().map(|node| node.id).collect())
}

/// What the database's clock says, where several machines share it.
///
/// # Errors
/// Those of storage.
pub async fn shared_clock(app: &App) -> Result<Option<Timestamp>, Error> {
    app.store.read(|tx| Ok(tx.nodes().clock()?)).await
}

fn registered(app: &App, introduction: &Introduction) -> Node {
    let state = if app.node.is_draining() {
        NodeState::Draining
    } else {
        NodeState::Serving
    };
    Node {
        id: app.node.id,
        name: introduction.name.clone(),
        host: introduction.host.clone(),
        version: introduction.version.clone(),
        state,
        started_at: introduction.started_at,
        seen_at: app.clock.now(),
    }
}

fn take_over(tx: &mut dyn Tx, node: &Node, is_alone: bool) -> Result<(), Error> {
    let now = node.seen_at;
    let others = tx.nodes().all()?;
    let others = others.iter().filter(|other| other.id != node.id);
    let gone = others.filter(|other| is_alone || is_gone(other, node, now));
    let gone: Vec<NodeId> = gone.map(|other| other.id).collect();
    if is_alone {
        tx.jobs().release_leases(now)?;
        tx.webhooks().release_leases(now)?;
    } else if !gone.is_empty() {
        tx.jobs().release_leases_of(&gone, now)?;
        tx.webhooks().release_leases_of(&gone, now)?;
    }
    if !gone.is_empty() {
        tx.nodes().forget(&gone)?;
    }
    Ok(())
}

/// Whether another node cannot be alive: it is silent for longer than a lease lasts, or was an earlier run of this one.
/// One that is just ending its work may still do that beside its successor.
fn is_gone(other: &Node, node: &Node, now: Timestamp) -> bool {
    let is_silent = other.seen_at.plus(Job::LEASE) < now;
    let is_predecessor = node.name.is_some() && other.name == node.name;
    is_silent || (is_predecessor && other.state == NodeState::Serving)
}

impl Turns {
    pub(crate) fn of(&self, lane: JobLane) -> Option<WorkspaceId> {
        let turns = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        turns.get(&lane).copied()
    }

    pub(crate) fn move_on(&self, lane: JobLane, to: Option<WorkspaceId>) {
        let mut turns = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(to) = to {
            turns.insert(lane, to);
        }
    }

    pub(crate) fn of_deliveries(&self) -> Option<WebhookEndpointId> {
        *self
            .deliveries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn move_deliveries_on(&self, to: Option<WebhookEndpointId>) {
        *self
            .deliveries
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = to;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use lyceum_domain::workspaces::Workspace;

    use super::*;
    use crate::visibility::tests::{id, now};

    pub(crate) fn node_id(n: u8) -> NodeId {
        NodeId(id::<Workspace>(n).uuid())
    }

    fn node(n: u8, name: Option<&str>) -> Node {
        Node {
            id: node_id(n),
            name: name.map(str::to_owned),
            host: "machine".to_owned(),
            version: "1".to_owned(),
            state: NodeState::Serving,
            started_at: now(),
            seen_at: now(),
        }
    }

    #[test]
    fn who_is_silent_or_came_before_under_the_same_name_is_gone() {
        let (mine, just_seen) = (node(1, Some("a")), now().plus(Job::LEASE));
        assert!(is_gone(&node(2, Some("a")), &mine, now()));
        assert!(!is_gone(&node(2, Some("b")), &mine, now()));
        assert!(
            !is_gone(&node(2, None), &node(1, None), now()),
            "no name is nobody's"
        );
        let draining = Node {
            state: NodeState::Draining,
            ..node(2, Some("a"))
        };
        assert!(!is_gone(&draining, &mine, now()), "it ends its work");
        assert!(!is_gone(&node(2, None), &mine, just_seen));
        let late = just_seen.plus(Duration::from_millis(1));
        assert!(is_gone(&node(2, None), &mine, late) && is_gone(&draining, &mine, late));
    }
}
