//! A node among others, as `lyceum serve` is one: it reads the shared clock, registers, says every few seconds that it
//! is there, and leaves when it is asked to stop.

use std::rc::Rc;
use std::time::Duration;

use lyceum_application::Error;
use lyceum_application::running::node::{self, Introduction};
use lyceum_ports::running::nodes::Node as Registered;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::machine::Machine;
use crate::node::Node;

/// A reading that took longer says too little, as in the service.
const QUICK: Duration = Duration::from_secs(1);
/// How long the last words to the database may take, as in the service.
const FAREWELL: Duration = Duration::from_secs(3);

/// The membership of a process, kept up until it leaves or its host crashes.
pub struct Membership {
    beating: JoinHandle<()>,
    going_on: oneshot::Sender<()>,
    introduction: Rc<Introduction>,
}

impl Membership {
    /// Registers as soon as the database lets it.
    pub async fn begin(node: &Rc<Node>) -> Self {
        let introduction = loop {
            match joined(node).await {
                Ok(introduction) => break Rc::new(introduction),
                Err(error) => {
                    node.note(format!("could not start: {error}"));
                    node.rest().await;
                }
            }
        };
        let (going_on, end) = oneshot::channel();
        let beating = beat(Rc::clone(node), Rc::clone(&introduction), end);
        Self {
            beating: tokio::task::spawn_local(beating),
            going_on,
            introduction,
        }
    }

    /// Tells that the node is draining.
    pub async fn tell(&self, node: &Node) {
        let told = node::renew(&node.app, &self.introduction).await;
        node.note(format!("is draining: {:?}", told.is_ok()));
    }

    /// Puts back what was not ended, and leaves.
    pub async fn end(self, node: &Node) {
        let farewell = async {
            drop(self.going_on);
            drop(self.beating.await);
            node::leave(&node.app).await.ok()
        };
        let put_back = tokio::time::timeout(FAREWELL, farewell).await;
        node.note(format!("leaves: {put_back:?}"));
    }
}

async fn joined(node: &Node) -> Result<Introduction, Error> {
    read_clock(node).await?;
    let introduction = Introduction {
        name: node.registered_as.clone(),
        host: node.name.clone(),
        process: None,
        version: "1".to_owned(),
        started_at: node.app.clock.now(),
        is_alone: node.is_single,
    };
    node::join(&node.app, &introduction).await?;
    Ok(introduction)
}

async fn beat(node: Rc<Node>, introduction: Rc<Introduction>, mut end: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            biased;
            _ = &mut end => return,
            () = tokio::time::sleep(Registered::BEAT) => {}
        }
        node.machine.goes_on().await;
        let beaten = match read_clock(&node).await {
            Ok(()) => node::renew(&node.app, &introduction).await,
            Err(error) => Err(error),
        };
        if let Err(error) = beaten {
            node.note(format!("could not say that it is there: {error}"));
        }
    }
}

/// Sets the clock by the database's where nodes share one.
async fn read_clock(node: &Node) -> Result<(), Error> {
    if node.is_single {
        return Ok(());
    }
    let asked = Machine::uptime();
    let told = node.database.clock().await?;
    let took = Machine::uptime().saturating_sub(asked);
    if took < QUICK || !node.machine.has_shared_clock() {
        node.machine.share_clock(told, asked + took / 2);
    }
    Ok(())
}
