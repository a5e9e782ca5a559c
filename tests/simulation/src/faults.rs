//! What goes wrong, and when: a plan made from the seed, and the switches that it turns.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use turmoil::Sim;

use crate::machine::Machine;
use crate::trace::Trace;

/// From here on nothing goes wrong any more, and everything has to come to an end.
pub const CALM: Duration = Duration::from_mins(4);

/// The switches.
#[derive(Default)]
pub struct Faults {
    store_down: AtomicBool,
    /// How far the database's clock is ahead, in milliseconds.
    database_ahead: AtomicI64,
    /// How many of a thousand transactions meet with trouble.
    store_trouble: AtomicU32,
    calm: AtomicBool,
    violations: Mutex<Vec<String>>,
}

impl Faults {
    /// Whether the database is down.
    pub fn store_is_down(&self) -> bool {
        self.store_down.load(Ordering::SeqCst)
    }

    /// How far the database's clock is ahead of true time, in milliseconds.
    pub fn database_ahead(&self) -> i64 {
        self.database_ahead.load(Ordering::SeqCst)
    }

    /// Whether a transaction is refused before it began.
    pub fn refuses(&self, random: &mut fastrand::Rng) -> bool {
        random.u32(0..1000) < self.store_trouble.load(Ordering::SeqCst)
    }

    /// Whether nobody hears of how a transaction ended.
    pub fn loses_answer(&self, random: &mut fastrand::Rng) -> bool {
        random.u32(0..1000) < self.store_trouble.load(Ordering::SeqCst)
    }

    /// Whether all is well from now on.
    pub fn is_calm(&self) -> bool {
        self.calm.load(Ordering::SeqCst)
    }

    /// Notes a broken promise that only the moment shows.
    pub fn violated(&self, what: String) {
        self.violations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(what);
    }

    /// What was broken.
    pub fn violations(&self) -> Vec<String> {
        self.violations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// One thing that happens.
#[derive(Debug, Clone)]
enum Fault {
    Crash(String),
    Restart(String),
    /// Asks a node to stop, as SIGTERM does.
    Stop(usize),
    /// Starts a node that stopped; one that still has not is killed first.
    StartAgain(usize),
    StandStill(usize, Duration),
    Clock(usize, i64),
    DatabaseClock(i64),
    Partition(String, String),
    Repair(String, String),
    StoreDown(bool),
    StoreTrouble(u32),
    Calm,
}

/// What is going to happen, latest first.
pub struct Plan(Vec<(Duration, Fault)>);

fn node(n: usize) -> String {
    format!("node-{n}")
}

impl Plan {
    /// A plan for this many nodes.
    pub fn new(random: &mut fastrand::Rng, nodes: usize) -> Self {
        let mut plan = vec![(CALM, Fault::Calm)];
        let trouble = random.u32(0..60);
        plan.push((Duration::ZERO, Fault::StoreTrouble(trouble)));
        for _ in 0..random.usize(3..16) {
            let at = Duration::from_secs(random.u64(1..210));
            plan.extend(one(random, nodes, at));
        }
        // A stable order for what happens at the same moment.
        plan.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Self(plan)
    }

    /// Lets happen what is due.
    pub fn play(
        &mut self,
        sim: &mut Sim<'_>,
        machines: &[Arc<Machine>],
        faults: &Faults,
        trace: &Trace,
    ) {
        while let Some((_, fault)) = self.0.pop_if(|(at, _)| *at <= sim.elapsed()) {
            trace.note(
                "fault",
                format!("{} ms {fault:?}", sim.elapsed().as_millis()),
            );
            play(fault, sim, machines, faults);
        }
    }
}

/// A fault, and its end.
fn one(random: &mut fastrand::Rng, nodes: usize, at: Duration) -> Vec<(Duration, Fault)> {
    let n = random.usize(0..nodes);
    let end = at + Duration::from_secs(random.u64(1..90));
    let peer = ["ai", "receiver-0", "receiver-1", "client"][random.usize(0..4)].to_owned();
    match random.u32(0..100) {
        0..17 => restarted(node(n), at, end),
        17..28 => vec![(at, Fault::Stop(n)), (end, Fault::StartAgain(n))],
        28..50 => {
            let lasting = Duration::from_secs(random.u64(2..150));
            vec![(at, Fault::StandStill(n, lasting))]
        }
        50..57 => vec![(at, Fault::Clock(n, random.i64(-90_000..90_000)))],
        57..62 => vec![(at, Fault::DatabaseClock(random.i64(-90_000..90_000)))],
        62..78 => vec![
            (at, Fault::Partition(node(n), peer.clone())),
            (end, Fault::Repair(node(n), peer)),
        ],
        78..86 => {
            let end = at + Duration::from_secs(random.u64(1..20));
            vec![(at, Fault::StoreDown(true)), (end, Fault::StoreDown(false))]
        }
        _ if peer == "client" => Vec::new(),
        _ => restarted(peer, at, end),
    }
}

fn restarted(host: String, at: Duration, end: Duration) -> Vec<(Duration, Fault)> {
    vec![
        (at, Fault::Crash(host.clone())),
        (end, Fault::Restart(host)),
    ]
}

fn play(fault: Fault, sim: &mut Sim<'_>, machines: &[Arc<Machine>], faults: &Faults) {
    match fault {
        Fault::Crash(host) if sim.is_host_running(host.as_str()) => sim.crash(host),
        Fault::Restart(host) if !sim.is_host_running(host.as_str()) => sim.bounce(host),
        Fault::Stop(n) => machines[n].ask_to_stop(),
        Fault::StartAgain(n) if machines[n].is_stopping() || !sim.is_host_running(node(n)) => {
            sim.bounce(node(n));
        }
        Fault::Crash(_) | Fault::Restart(_) | Fault::StartAgain(_) => {}
        Fault::StandStill(n, lasting) => machines[n].stand_still(lasting),
        Fault::Clock(n, ahead) => machines[n].set_clock(ahead),
        Fault::DatabaseClock(ahead) => faults.database_ahead.store(ahead, Ordering::SeqCst),
        Fault::Partition(a, b) => sim.partition(a, b),
        Fault::Repair(a, b) => sim.repair(a, b),
        Fault::StoreDown(down) => faults.store_down.store(down, Ordering::SeqCst),
        Fault::StoreTrouble(per_mille) => faults.store_trouble.store(per_mille, Ordering::SeqCst),
        Fault::Calm => calm(sim, machines, faults),
    }
}

/// Ends everything that may still go wrong.
fn calm(sim: &mut Sim<'_>, machines: &[Arc<Machine>], faults: &Faults) {
    faults.calm.store(true, Ordering::SeqCst);
    faults.store_down.store(false, Ordering::SeqCst);
    faults.store_trouble.store(0, Ordering::SeqCst);
    faults.database_ahead.store(0, Ordering::SeqCst);
    let peers = ["ai", "receiver-0", "receiver-1"].map(str::to_owned);
    for (n, machine) in machines.iter().enumerate() {
        machine.set_clock(0);
        sim.repair(node(n), "client");
        for peer in &peers {
            sim.repair(node(n), peer.as_str());
        }
    }
    let nodes = (0..machines.len()).map(node);
    for host in nodes.chain(peers) {
        if !sim.is_host_running(host.as_str()) {
            sim.bounce(host);
        }
    }
}
