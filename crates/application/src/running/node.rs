//! This process among those that serve the same database: what the others know of it, and what it is about to do.
//!
//! There is no leader. Each node says every few seconds that it is there; whoever starts takes over from those that are
//! gone; whoever stops says so and leaves nothing behind.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lyceum_domain::ids::WebhookEndpointId;
use lyceum_domain::notifying::deliveries::WebhookDelivery;
use lyceum_domain::notifying::mails::OutgoingMail;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::running::nodes::{Lease, Node, NodeId, NodeState};

use crate::app::App;
use crate::prelude::*;

/// What is registered of a node that is silent for so long is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(10);

/// Whose turn it is to be served by this node.
#[derive(Debug, Default)]
pub(crate) struct WhoseTurn {
    /// By lane, who was served last.
    pub jobs: Mutex<HashMap<JobLane, WorkspaceId>>,
    /// Who was delivered to last.
    pub deliveries: Mutex<Option<WebhookEndpointId>>,
    /// Whose mail was sent last.
    pub mails: Mutex<Option<String>>,
}

/// This process; clones are the same.
#[derive(Debug, Clone)]
pub struct ThisNode {
    /// What tells it from all others, and from itself after a restart.
    pub id: NodeId,
    draining: Arc<AtomicBool>,
    /// The last moment at which it said that it is there.
    last_beat: Arc<Mutex<Option<Timestamp>>>,
    pub(crate) turns: Arc<WhoseTurn>,
}

impl ThisNode {
    /// A node of this id, which is of no other.
    pub fn new(id: NodeId) -> Self {
        Self {
            id,
            draining: Arc::default(),
            last_beat: Arc::default(),
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

    /// Whether the clock went back since the last beat, which is this one from now on. At the first beat nobody knows.
    fn beats_again_earlier(&self, now: Timestamp) -> bool {
        let mut last = self
            .last_beat
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        last.replace(now).is_none_or(|last| now < last)
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
    /// Which process of that machine it is, as far as the machine tells.
    pub process: Option<String>,
    /// The version of the service.
    pub version: String,
    /// When it started.
    pub started_at: Timestamp,
    /// Whether no other process can serve this database: then whatever is leased belongs to one that is gone.
    pub is_alone: bool,
}

/// Registers this node, and takes over at once what those that are gone held.
pub async fn join(app: &App, introduction: &Introduction) -> Result<(), Error> {
    let (node, alone) = (registered(app, introduction), introduction.is_alone);
    app.store
        .conclude(move |tx| {
            take_over(tx, &node, alone)?;
            Ok::<_, Error>(tx.nodes().announce(&node)?)
        })
        .await?;
    set_right_after_a_step(app).await
}

/// How many rows are put right in one transaction.
const AT_ONCE: u16 = 500;

/// Where the clock went back, whatever was written before waits for a moment that is further away than was meant: it
/// waits as long as was meant, from now on. What waits is looked through after such a step and at the first beat alone.
async fn set_right_after_a_step(app: &App) -> Result<(), Error> {
    let now = app.clock.now();
    if !app.node.beats_again_earlier(now) {
        return Ok(());
    }
    let mut all = 0;
    loop {
        let setting = app.store.conclude(move |tx| {
            let jobs = tx.jobs().set_right(now, QueuedJob::LEASE, AT_ONCE)?;
            let deliveries = tx
                .webhooks()
                .set_right(now, WebhookDelivery::LEASE, AT_ONCE)?;
            let mails = tx.mails().set_right(now, OutgoingMail::LEASE, AT_ONCE)?;
            Ok::<_, Error>(jobs.max(deliveries).max(mails))
        });
        let set = setting.await?;
        all += set;
        if set < u64::from(AT_ONCE) {
            break;
        }
    }
    if all > 0 {
        tracing::warn!(
            rows = all,
            "the clock went back: what it had put off is put right"
        );
        app.signal.wake();
    }
    Ok(())
}

/// The node that serves under a name and was heard of lately, if there is one beside this.
pub async fn holder_of(app: &App, name: &str) -> Result<Option<Node>, Error> {
    let (name, own, now) = (name.to_owned(), app.node.id, app.clock.now());
    app.store
        .read(move |tx| {
            let all = tx.nodes().all()?;
            Ok::<_, Error>(all.into_iter().find(|node| {
                node.id != own && node.name.as_ref() == Some(&name) && holds_its_name(node, now)
            }))
        })
        .await
}

fn holds_its_name(node: &Node, now: Timestamp) -> bool {
    node.state == NodeState::Serving && node.seen_at.plus(Node::NAME_HELD) >= now
}

/// Says that this node is still there.
pub async fn renew(app: &App, introduction: &Introduction) -> Result<(), Error> {
    let node = registered(app, introduction);
    app.store
        .conclude(move |tx| {
            tx.nodes().announce(&node)?;
            let oldest = node.seen_at.minus(FORGOTTEN_AFTER);
            let all = tx.nodes().all()?;
            if let Some(twin) = all.iter().find(|other| is_twin(other, &node)) {
                let (name, host) = (&twin.name, &twin.host);
                tracing::error!(
                    ?name,
                    host,
                    "two nodes run under one name: give each a LYCEUM_NODE_NAME of its own"
                );
            }
            let silent = all
                .iter()
                .filter(|other| is_silent(other, oldest, node.seen_at));
            let silent: Vec<NodeId> = silent.map(|other| other.id).collect();
            if silent.is_empty() {
                return Ok(());
            }
            Ok::<_, Error>(tx.nodes().forget(&silent)?)
        })
        .await?;
    set_right_after_a_step(app).await
}

/// Whether another node that is alive runs under the name of this one.
fn is_twin(other: &Node, node: &Node) -> bool {
    other.id != node.id
        && node.name.is_some()
        && other.name == node.name
        && holds_its_name(other, node.seen_at)
}

/// Whether nothing was heard of a node for long, or what was heard is of a clock that was far ahead: one that lives says
/// so again at once.
fn is_silent(other: &Node, oldest: Timestamp, now: Timestamp) -> bool {
    other.seen_at < oldest || other.seen_at > now.plus(FORGOTTEN_AFTER)
}

/// Puts back what this node could not end and removes it from the register; how many jobs it put back.
pub async fn leave(app: &App) -> Result<u64, Error> {
    let (id, now) = (app.node.id, app.clock.now());
    app.store
        .conclude(move |tx| {
            let jobs = tx.jobs().put_back(id, now)?;
            tx.webhooks().release_leases_of(&[id], now)?;
            tx.mails().release_leases_of(&[id], now)?;
            tx.nodes().leave(id)?;
            Ok(jobs)
        })
        .await
}

/// Every node that is registered.
pub async fn registered_nodes(app: &App) -> Result<Vec<NodeId>, Error> {
    let all = app
        .store
        .read(|tx| Ok::<_, Error>(tx.nodes().all()?))
        .await?;
    Ok(all.iter().map(|node| node.id).collect())
}

/// What the database's clock says, where several machines share it.
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
        process: introduction.process.clone(),
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
        tx.mails().release_leases(now)?;
    } else if !gone.is_empty() {
        tx.jobs().release_leases_of(&gone, now)?;
        tx.webhooks().release_leases_of(&gone, now)?;
        tx.mails().release_leases_of(&gone, now)?;
    }
    if !gone.is_empty() {
        tx.nodes().forget(&gone)?;
    }
    Ok(())
}

/// Whether another node cannot be alive: it is silent for longer than a lease lasts, or was an earlier run of this one.
/// One that is just ending its work may still do that beside its successor.
fn is_gone(other: &Node, node: &Node, now: Timestamp) -> bool {
    let is_silent = other.seen_at.plus(QueuedJob::LEASE) < now;
    let is_predecessor = node.name.is_some() && other.name == node.name;
    is_silent || (is_predecessor && other.state == NodeState::Serving)
}

impl WhoseTurn {
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

    pub(crate) fn of_mails(&self) -> Option<String> {
        let turn = self.mails.lock().unwrap_or_else(PoisonError::into_inner);
        turn.clone()
    }

    pub(crate) fn move_mails_on(&self, to: Option<String>) {
        *self.mails.lock().unwrap_or_else(PoisonError::into_inner) = to;
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

    use super::*;
    use crate::identity::visibility::tests::{id, now};

    pub(crate) fn node_id(n: u8) -> NodeId {
        NodeId(id::<lyceum_domain::ids::Workspace>(n).uuid())
    }

    fn node(n: u8, name: Option<&str>) -> Node {
        Node {
            id: node_id(n),
            name: name.map(str::to_owned),
            host: "machine".to_owned(),
            process: None,
            version: "1".to_owned(),
            state: NodeState::Serving,
            started_at: now(),
            seen_at: now(),
        }
    }

    #[test]
    fn the_first_beat_and_one_of_a_clock_that_went_back_look_through_what_waits() {
        let this = ThisNode::new(node_id(1));
        let second = Duration::from_secs(1);
        let beats = [now(), now().plus(second), now(), now(), now().plus(second)];
        let looked = beats.map(|at| this.beats_again_earlier(at));
        assert_eq!(looked, [true, false, true, false, false]);
    }

    #[test]
    fn a_name_is_held_by_who_serves_and_was_heard_of_lately() {
        let (mine, other) = (node(1, Some("a")), node(2, Some("a")));
        assert!(is_twin(&other, &mine) && !is_twin(&mine, &mine));
        assert!(!is_twin(&node(2, Some("b")), &mine) && !is_twin(&node(2, None), &node(1, None)));
        let held = now().plus(Node::NAME_HELD);
        assert!(holds_its_name(&other, held));
        assert!(!holds_its_name(&other, held.plus(Duration::from_millis(1))));
        let far = now().plus(FORGOTTEN_AFTER * 2);
        assert!(is_silent(&other, far.minus(FORGOTTEN_AFTER), far));
        assert!(is_silent(
            &other,
            now().minus(FORGOTTEN_AFTER * 3),
            now().minus(FORGOTTEN_AFTER * 2)
        ));
        assert!(!is_silent(&other, now().minus(FORGOTTEN_AFTER), now()));
    }

    #[test]
    fn who_is_silent_or_came_before_under_the_same_name_is_gone() {
        let (mine, just_seen) = (node(1, Some("a")), now().plus(QueuedJob::LEASE));
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
