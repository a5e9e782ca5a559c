//! One seed: hosts, faults, and the end.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lyceum_application::drafting::ai_tally::AiTally;
use lyceum_application::exporting::exports::Exports;
use lyceum_application::grading::groups::Grouping;
use lyceum_application::running::files::Files;
use lyceum_application::running::node::ThisNode;
use lyceum_application::traces::Tracing;
use lyceum_application::{App, Settings};
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::environment::{Entropy, Ids};
use lyceum_ports::notifying::webhook_sink::WebhookSink;
use lyceum_ports::running::nodes::NodeId;
use lyceum_ports::running::telemetry::NoTelemetry;
use lyceum_ports::store::Store;
use lyceum_store::open_in_line;
use turmoil::Sim;

use crate::check;
use crate::client::{Clients, Journal};
use crate::faults::{CALM, Faults, Plan};
use crate::machine::{Machine, NoGroups, NoPackages, SeededEntropy, SharedIds};
use crate::mutant::Mutant;
use crate::node::Node;
use crate::peers::{RemoteAi, RemoteSink, Seen, provide, receive};
use crate::rows::Rows;
use crate::store::FaultyStore;
use crate::template::{self, FIRST_ID, School, master_key};
use crate::trace::Trace;
use crate::wire;

/// How long after the last fault everything must have ended: a lease, the patience of a job, every wait of the
/// schedule of deliveries.
const ENDS_WITHIN: Duration = Duration::from_mins(30);
/// How often it is looked at.
const LOOK: Duration = Duration::from_secs(5);
/// A step of simulated time: hosts hear of each other this often.
const STEP: Duration = Duration::from_millis(200);

/// What came of a seed.
pub struct Outcome {
    /// The seed.
    pub seed: u64,
    /// What happened, line by line.
    pub trace: Vec<String>,
    /// SHA-256 over what happened.
    pub hash: String,
    /// The promises that were broken.
    pub violations: Vec<String>,
}

/// What a simulation consists of.
pub struct World {
    /// The database from beside.
    pub rows: Arc<Rows>,
    /// The database.
    pub store: Arc<dyn Store>,
    /// What is in it.
    pub school: School,
    /// The nodes' machines.
    pub machines: Vec<Arc<Machine>>,
    /// What goes wrong.
    pub faults: Arc<Faults>,
    /// What happened.
    pub trace: Trace,
    /// What clients want.
    pub journal: Arc<Journal>,
    /// What receivers saw.
    pub seen: Arc<Seen>,
    ids: Arc<dyn Ids>,
    random: Arc<Mutex<fastrand::Rng>>,
    names: Names,
    mutant: Option<Mutant>,
}

/// What operators call their nodes.
#[derive(Clone, Copy)]
enum Names {
    /// Nothing.
    None,
    /// Each by its own name, so that who starts again takes over at once.
    Own,
    /// All by the same, by mistake: who starts takes over what is not lost.
    Same,
}

impl Names {
    fn drawn(random: &mut fastrand::Rng) -> Self {
        match random.u8(0..6) {
            0..3 => Self::None,
            3..5 => Self::Own,
            _ => Self::Same,
        }
    }

    fn of(self, n: usize) -> Option<String> {
        match self {
            Self::None => None,
            Self::Own => Some(format!("node-{n}")),
            Self::Same => Some("node".to_owned()),
        }
    }
}

/// Simulates a seed, with the service as it is or as a mutant makes it.
pub fn run(seed: u64, mutant: Option<Mutant>) -> Outcome {
    let (folder, file, school) = template::school();
    let mut random = fastrand::Rng::with_seed(seed);
    let world = World::new(&file, school, &mut random, mutant);
    let mut sim = network(seed);
    world.populate(&mut sim, &mut random);
    let mut plan = Plan::new(&mut random, world.machines.len());
    let ended = world.play(&mut sim, &mut plan);
    drop(sim);
    let violations = check::violations(&world, ended);
    drop(folder);
    Outcome {
        seed,
        trace: world.trace.lines(),
        hash: world.trace.hash(),
        violations,
    }
}

fn network(seed: u64) -> Sim<'static> {
    turmoil::Builder::new()
        .rng_seed(seed)
        .tick_duration(STEP)
        .simulation_duration(CALM + 2 * ENDS_WITHIN)
        .min_message_latency(Duration::from_millis(1))
        .max_message_latency(Duration::from_millis(300))
        .tcp_capacity(1024)
        .build()
}

/// A generator of one's own, drawn from another.
fn own(random: &mut fastrand::Rng) -> Arc<Mutex<fastrand::Rng>> {
    Arc::new(Mutex::new(random.fork()))
}

impl World {
    fn new(
        file: &Path,
        school: School,
        random: &mut fastrand::Rng,
        mutant: Option<Mutant>,
    ) -> Self {
        let nodes = random.usize(1..4);
        Self {
            rows: Arc::new(Rows::open(file)),
            store: open_in_line(file, &master_key()).unwrap(),
            school,
            machines: (0..nodes).map(|_| Arc::default()).collect(),
            faults: Arc::default(),
            trace: Trace::default(),
            journal: Arc::default(),
            seen: Arc::default(),
            ids: SharedIds::from(FIRST_ID),
            random: own(random),
            names: Names::drawn(random),
            mutant,
        }
    }

    fn populate(&self, sim: &mut Sim<'static>, random: &mut fastrand::Rng) {
        for n in 0..self.machines.len() {
            let node = self.node(n, random);
            sim.host(node.name.clone(), move || node.clone().serve());
        }
        let (dice, faults, trace) = (own(random), Arc::clone(&self.faults), self.trace.clone());
        sim.host("ai", move || {
            let (dice, faults, trace) = (Arc::clone(&dice), Arc::clone(&faults), trace.clone());
            wire::serve(move |asked| {
                provide(Arc::clone(&dice), Arc::clone(&faults), asked, trace.clone())
            })
        });
        for n in 0..2 {
            let (dice, faults) = (own(random), Arc::clone(&self.faults));
            let seen = Arc::clone(&self.seen);
            sim.host(format!("receiver-{n}"), move || {
                let (dice, faults) = (Arc::clone(&dice), Arc::clone(&faults));
                let seen = Arc::clone(&seen);
                wire::serve(move |said| {
                    receive(
                        n,
                        Arc::clone(&seen),
                        Arc::clone(&dice),
                        Arc::clone(&faults),
                        said,
                    )
                })
            });
        }
        let clients = Clients {
            journal: Arc::clone(&self.journal),
            nodes: self.machines.len(),
            random: own(random),
            trace: self.trace.clone(),
        };
        let wishes = random.usize(3..11);
        sim.client("client", clients.want(wishes));
    }

    fn node(&self, n: usize, random: &mut fastrand::Rng) -> Node {
        let (name, machine) = (format!("node-{n}"), Arc::clone(&self.machines[n]));
        let registered_as = self.names.of(n);
        let store = Arc::new(FaultyStore {
            inner: Arc::clone(&self.store),
            rows: Arc::clone(&self.rows),
            machine: Arc::clone(&machine),
            faults: Arc::clone(&self.faults),
            random: Mutex::new(random.fork()),
            mutant: self.mutant,
            trace: self.trace.clone(),
            node: name.clone(),
        });
        let sink = RemoteSink {
            machine: Arc::clone(&machine),
            trace: self.trace.clone(),
        };
        let app = app_over(
            store.clone(),
            Arc::clone(&machine),
            Arc::clone(&self.ids),
            SeededEntropy::of(random.fork()),
            Arc::new(RemoteAi::on(Arc::clone(&machine), self.trace.clone())),
            Arc::new(sink),
        );
        Node {
            name,
            registered_as,
            app,
            database: store,
            machine,
            is_single: self.machines.len() == 1,
            school: self.school.clone(),
            trace: self.trace.clone(),
            random: own(random),
        }
    }

    /// Lets time pass until everything has ended; whether it has, in time.
    fn play(&self, sim: &mut Sim<'_>, plan: &mut Plan) -> bool {
        let mut next_look = CALM;
        while sim.elapsed() < CALM + ENDS_WITHIN {
            plan.play(sim, &self.machines, &self.faults, &self.trace);
            let clients_are_done = sim.step().unwrap();
            if clients_are_done && sim.elapsed() >= next_look {
                if check::has_ended(&self.rows) {
                    return true;
                }
                next_look = sim.elapsed() + LOOK;
            }
        }
        false
    }

    /// An application that nothing goes wrong for, to look with.
    pub fn observer(&self) -> App {
        app_over(
            Arc::clone(&self.store),
            Arc::default(),
            Arc::clone(&self.ids),
            SeededEntropy::of(self.random.lock().unwrap().fork()),
            Arc::new(RemoteAi::nowhere()),
            Arc::new(RemoteSink {
                machine: Arc::default(),
                trace: Trace::default(),
            }),
        )
    }
}

/// The real application over these.
pub fn app_over(
    store: Arc<dyn Store>,
    machine: Arc<Machine>,
    ids: Arc<dyn Ids>,
    entropy: Arc<dyn Entropy>,
    ai: Arc<dyn AiProvider>,
    sink: Arc<dyn WebhookSink>,
) -> App {
    App {
        store,
        clock: machine.clone(),
        entropy,
        signal: machine,
        settings: Arc::new(Settings {
            public_url: RuntimeBaseUrl::parse("http://lyceum.test").unwrap(),
            addresses: Arc::new(NoPackages),
            download_key: [9; 32],
            draw_key: [5; 32],
            launch_key: [8; 32],
            workspaces: lyceum_application::settings::WorkspaceCreation::default(),
            webhook_schedule: DeliverySchedule::parse("0,5,15,40,90,120").unwrap(),
            mail_is_configured: false,
            trash_kept: std::time::Duration::from_hours(30 * 24),
            scratch: std::env::temp_dir(),
            spending: lyceum_application::settings::Spending::default(),
        }),
        ai,
        ai_tally: AiTally::default(),
        grouping: Grouping::by(Arc::new(NoGroups)),
        attacks: Arc::new(NoGroups),
        telemetry: Arc::new(NoTelemetry::default()),
        room: lyceum_application::running::room::Room::default(),
        tracing: Tracing::default(),
        packages: Arc::new(NoPackages),
        media: None,
        inspector: Arc::new(NoPackages),
        package_files: Arc::new(NoPackages),
        blobs: Arc::new(NoPackages),
        node: ThisNode::new(NodeId(ids.next())),
        rows: None,
        ids,
        sink,
        passkeys: None,
        identity_providers: Arc::new(lyceum_oidc::Providers::new(
            lyceum_oidc::OidcSettings::default(),
        )),
        mailer: None,
        exports: Exports::default(),
        files: Files::default(),
    }
}
