//! The processes that serve one database: who is there, and what they hold for a while.

use std::time::Duration;

use lyceum_domain::Timestamp;
use uuid::Uuid;

use crate::error::StoreError;

/// One run of one process; a process that starts again is another node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(pub Uuid);

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// Answers requests and takes up work.
    Serving,
    /// Was asked to stop: takes up no more work and ends what it has.
    Draining,
}

impl NodeState {
    /// Every state.
    pub const ALL: &'static [Self] = &[Self::Serving, Self::Draining];

    /// The state in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::Draining => "draining",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|state| state.as_str() == text)
    }
}

/// A process that serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its identifier.
    pub id: NodeId,
    /// What the operator calls it; one node at a time has a name.
    pub name: Option<String>,
    /// The machine it runs on.
    pub host: String,
    /// Which process of that machine it is, as far as the machine tells.
    pub process: Option<String>,
    /// The version of the service.
    pub version: String,
    /// What it does.
    pub state: NodeState,
    /// When it started.
    pub started_at: Timestamp,
    /// When it last said that it is there.
    pub seen_at: Timestamp,
}

impl Node {
    /// How often a node says that it is there.
    pub const BEAT: Duration = Duration::from_secs(5);
    /// After how long without a word a node counts as gone: three beats and some time to write them.
    pub const SILENCE: Duration = Duration::from_secs(20);
    /// After how long without a word its name is free for another: two beats and some time to write them.
    pub const NAME_HELD: Duration = Duration::from_secs(11);
}

/// Who holds what for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The holder.
    pub node: NodeId,
    /// From now.
    pub from: Timestamp,
    /// Until then, unless it is renewed.
    pub until: Timestamp,
}

/// Where nodes are registered.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait NodeRepository {
    /// Registers a node, or renews what is registered of it.
    fn announce(&mut self, node: &Node) -> Result<(), StoreError>;
    /// Removes a node that stops.
    fn leave(&mut self, id: NodeId) -> Result<(), StoreError>;
    /// How many nodes serve: those that are not draining and were seen within [`Node::SILENCE`] before `now`.
    fn live(&mut self, now: Timestamp) -> Result<u32, StoreError>;
    /// Removes what is registered of these nodes, because they are gone.
    fn forget(&mut self, nodes: &[NodeId]) -> Result<(), StoreError>;
    /// Every registered node, oldest first.
    fn all(&mut self) -> Result<Vec<Node>, StoreError>;
    /// The database's own clock, where several machines share it; `None` where there is only this machine's.
    fn clock(&mut self) -> Result<Option<Timestamp>, StoreError>;
}
