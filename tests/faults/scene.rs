//! A service with everything around it: nodes, an AI provider, a receiver, and the journal of those who write.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lyceum_domain::identity::keys::{ApiKeySecret, KeyKind};
use serde_json::json;
use support::binary::{Launch, LyceumProcess};
use support::chance::Chance;
use support::postgres;
use support::stores::Database;
use support::traces::{NoTraces, VARIABLE};
use tempfile::TempDir;

use crate::api::{Api, Outcome};
use crate::figures::Figures;
use crate::inbox::Inbox;
use crate::journal::Journal;
use crate::moody_ai::{MoodyAi, rubric};
use crate::writers::{Hand, Mix, Writers};

/// Seconds before each attempt of a delivery: what takes three days in earnest takes a minute.
const SCHEDULE: &str = "0,1,1,2,2,4,4,8,8,15,15";
/// A lease of a minute may have to run out first, and then what waits has to be done on a busy machine.
const SETTLED: Duration = Duration::from_secs(150);

/// What a scene is made of.
pub struct Staging {
    pub test: &'static str,
    pub database: Database,
    pub nodes: usize,
    /// Where the database is, if not in a fresh one of the kind.
    pub database_url: Option<String>,
    /// Where the data is, if not in a temporary folder.
    pub data: Option<PathBuf>,
    pub settings: Vec<(String, String)>,
    /// What a shell does before it starts them.
    pub shell: Option<String>,
    /// Whether the AI provider fails now and then.
    pub moody: bool,
}

impl Staging {
    pub const fn new(test: &'static str, database: Database) -> Self {
        Self {
            test,
            database,
            nodes: 1,
            database_url: None,
            data: None,
            settings: Vec::new(),
            shell: None,
            moody: false,
        }
    }

    /// Starts the nodes, opens the receiver and makes what is needed to grade something.
    pub async fn open(self) -> Scene {
        let mut chance = Chance::from_variable("FAULT_SEED");
        let figures = Figures::of(self.test, Some(self.database), chance.seed());
        let traces = NoTraces::expected();
        let folder = TempDir::with_prefix("lyceum-faults-").unwrap();
        let inbox = Inbox::open().await;
        let ai = if self.moody {
            MoodyAi::open(chance.branch()).await
        } else {
            MoodyAi::fine(chance.branch()).await
        };
        let key = minted(&mut chance);
        let data = self.data.unwrap_or_else(|| folder.path().join("data"));
        let database_url = self.database_url.unwrap_or_else(|| match self.database {
            Database::Sqlite => format!("sqlite://{}/lyceum.db", data.display()),
            Database::Postgres => postgres::cluster().create_database(),
        });
        let launch = |node: usize| {
            let own = if node == 0 {
                data.clone()
            } else {
                folder.path().join(format!("data{node}"))
            };
            let launch = Launch::new()
                .data_dir(own)
                .env(VARIABLE, traces.mark())
                .env("LYCEUM_DATABASE_URL", &database_url)
                .env("LYCEUM_MASTER_KEY_FILE", data.join("master.key"))
                .env(
                    "LYCEUM_BLOBS_URL",
                    format!("file://{}/blobs", data.display()),
                )
                .env("LYCEUM_BOOTSTRAP_API_KEY", &key)
                // What a killed process was packing would stay in the machine's own.
                .env("TMPDIR", folder.path())
                .env("LYCEUM_NODE_NAME", format!("node{node}"))
                .env("LYCEUM_RATE_LIMITS", "off")
                .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
                .env("LYCEUM_WEBHOOK_SCHEDULE", SCHEDULE)
                .env("LYCEUM_LOG", "warn");
            let settings = ai.settings().into_iter().chain(self.settings.clone());
            let launch = match &self.shell {
                Some(shell) => launch.through(shell),
                None => launch,
            };
            settings.fold(launch, |launch, (name, value)| launch.env(name, value))
        };
        let starting = || (0..self.nodes).map(|node| launch(node).start()).collect();
        let nodes: Vec<LyceumProcess> = tokio::task::block_in_place(starting);
        let api = Api::new(nodes.iter().map(LyceumProcess::url).collect(), &key);
        let mut scene = Scene {
            figures,
            chance,
            database_url,
            nodes,
            journal: Arc::new(Journal::in_folder(folder.path())),
            api,
            inbox,
            ai,
            endpoint: String::new(),
            assignment: String::new(),
            patience: SETTLED,
            hands: 0,
            _folder: folder,
            _traces: traces,
        };
        scene.furnish().await;
        scene
    }
}

/// A running service with everything around it; nothing is left of it when it is dropped.
pub struct Scene {
    pub figures: Figures,
    pub chance: Chance,
    pub database_url: String,
    pub nodes: Vec<LyceumProcess>,
    pub journal: Arc<Journal>,
    pub api: Api,
    pub inbox: Inbox,
    pub ai: MoodyAi,
    /// The receiver's id.
    pub endpoint: String,
    /// What students hand in to.
    pub assignment: String,
    /// From the last fault to the end of all work.
    pub patience: Duration,
    hands: usize,
    _folder: TempDir,
    /// Last, so that it is dropped last.
    _traces: NoTraces,
}

impl Scene {
    async fn furnish(&mut self) {
        let hook = json!({"url": self.inbox.url, "enabled_events": ["submission.*", "course.*"]});
        let endpoint = self.api.made("/v1/webhook_endpoints", hook).await;
        self.inbox
            .expect_secret(endpoint["secret"].as_str().unwrap());
        endpoint["id"]
            .as_str()
            .unwrap()
            .clone_into(&mut self.endpoint);
        let course = json!({"name": "The course of the assignment", "language": "en"});
        let course = self.api.make("/v1/courses", course).await;
        let assignment = json!({
            "course_id": course, "name": "Cooling", "instructions": "How do you cool a stew?",
            "rubric": rubric(), "human_review": "optional",
        });
        self.assignment = self.api.make("/v1/assignments", assignment).await;
    }

    /// Sets writers to work.
    pub fn writers(&mut self, count: usize, mix: Mix) -> Writers {
        let hands = (0..count).map(|_| self.hand("w")).collect();
        Writers::start(hands, &self.assignment, mix)
    }

    /// Somebody who writes by hand; their name is this and a number.
    pub fn hand(&mut self, name: &str) -> Hand {
        self.hands += 1;
        Hand {
            api: self.api.clone(),
            journal: Arc::clone(&self.journal),
            chance: self.chance.branch(),
            name: format!("{name}{}", self.hands),
            writes: 0,
        }
    }

    /// Notes a course that was written without a hand, if it was.
    pub fn note_course(&self, name: &str, outcome: &Outcome) {
        if let Outcome::Answered(reply) = outcome
            && reply.is_success()
        {
            let mut known = self.journal.known();
            known.courses.entry(name.to_owned()).or_default().id = reply.id();
        }
    }

    /// Waits until a submission is graded, or could not be.
    pub async fn until_graded(&self, id: &str) {
        let start = Instant::now();
        let path = format!("/v1/submissions/{id}");
        while self.api.get(&path).await["ai_status"] == "pending" {
            assert!(start.elapsed() < self.patience, "{id} is not graded");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until nothing waits for AI.
    pub async fn until_all_graded(&self, patience: Duration) {
        let start = Instant::now();
        while self.waiting_for_ai().await > 0 {
            assert!(start.elapsed() < patience, "gradings still wait");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// How many submissions wait for AI.
    pub async fn waiting_for_ai(&self) -> usize {
        let path = format!("/v1/submissions?assignment_id={}", self.assignment);
        let all = self.api.walk(&path).await;
        all.iter()
            .filter(|one| one["ai_status"] == "pending")
            .count()
    }

    /// How many submissions AI has graded, and how many it could not.
    pub async fn count_ended(&self) -> (usize, usize) {
        let path = format!("/v1/submissions?assignment_id={}", self.assignment);
        let all = self.api.walk(&path).await;
        let count = |word| all.iter().filter(|one| one["ai_status"] == word).count();
        (count("ready"), count("error"))
    }

    /// How often a node has logged one of these things, waiting for the first time.
    pub async fn until_logged(&self, node: usize, words: &[&str], patience: Duration) -> usize {
        let start = Instant::now();
        loop {
            let logged = self.nodes[node].stderr();
            let count = words.iter().map(|said| logged.matches(said).count()).sum();
            if count > 0 || start.elapsed() > patience {
                return count;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// SIGKILL, and the next start; the process is up afterwards. Now and then it dies once more while it starts.
    pub fn kill_and_restart(&mut self, node: usize) {
        let dies_booting = self.chance.happens(20);
        let moment = self.chance.up_to(Duration::from_millis(300));
        tokio::task::block_in_place(|| {
            let process = &mut self.nodes[node];
            process.kill();
            if dies_booting {
                process.spawn();
                std::thread::sleep(moment);
                process.kill();
            }
            process.restart();
        });
        self.journal
            .note(&format!("node {node} was killed and is back"));
        if dies_booting {
            self.figures.one_more("killed_booting");
        }
    }

    /// Waits until a node says that it can work.
    pub async fn until_ready(&self, node: usize, patience: Duration) {
        let start = Instant::now();
        loop {
            match self.api.read(node, "/readyz").await {
                Outcome::Answered(reply) if reply.is_success() => return,
                other => assert!(start.elapsed() < patience, "not ready: {other:?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn minted(chance: &mut Chance) -> String {
    let key = ApiKeySecret::mint(KeyKind::Standard, &mut |bytes| {
        for place in bytes {
            *place = u8::try_from(chance.below(256)).unwrap();
        }
    });
    key.reveal().to_owned()
}
