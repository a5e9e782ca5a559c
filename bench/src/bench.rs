//! What every measurement has at hand: the options, the binary, a folder, the load generator.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tokio::runtime::Runtime;

use crate::api::Caller;
use crate::limits::sqlite;
use crate::load::{Asked, Load, Measured, Wrk};
use crate::probe::{self, Probed, Question};
use crate::seed::{Planted, Seed};
use crate::server::{Server, Site};

/// What most measurements find stored: little, since they are about what a request costs by itself.
pub const LITTLE: Seed = Seed {
    courses: 1_000,
    submissions: 1,
    members: 0,
    others: 0,
    content: true,
};

/// What every measurement has at hand.
#[derive(Debug)]
pub struct Bench {
    /// The `lyceum` binary.
    pub binary: PathBuf,
    /// A folder that goes away with the bench.
    pub folder: PathBuf,
    /// For what waits.
    pub runtime: Runtime,
    /// The load generator.
    pub wrk: Wrk,
    /// How often each measurement is made.
    pub rounds: u32,
    /// How long each one is.
    pub seconds: u32,
    /// Whether it is only to be seen that everything runs.
    pub smoke: bool,
    /// The site with little that others are copies of.
    pub little: OnceCell<(Site, Planted)>,
}

impl Bench {
    /// A smaller number where it is only to be seen that everything runs.
    pub const fn sized<T: Copy>(&self, smoke: T, full: T) -> T {
        if self.smoke { smoke } else { full }
    }

    /// A site on SQLite with little in it, nobody else's.
    ///
    /// # Errors
    /// Those of making one.
    pub fn site(&self, name: &str) -> anyhow::Result<(Site, Planted)> {
        if self.little.get().is_none() {
            let made = self.filled_site("little", &LITTLE)?;
            // In one file, so that a copy of it is whole.
            sqlite::put_into_one_file(&made.0.file())?;
            drop(self.little.set(made));
        }
        let (site, planted) = self.little.get().context("it was made just now")?;
        Ok((site.copy(self.folder.join(name))?, planted.clone()))
    }

    /// A site on SQLite, filled.
    ///
    /// # Errors
    /// Those of making one.
    pub fn filled_site(&self, name: &str, seed: &Seed) -> anyhow::Result<(Site, Planted)> {
        let site = Site::make(&self.binary, &self.folder.join(name), None)?;
        let planted = site.plant(&self.runtime, seed)?;
        Ok((site, planted))
    }

    /// A load by the owner of the server's workspace, in the length of a round.
    pub fn load(&self, caller: &Caller, asked: Asked, connections: u32) -> Load {
        Load {
            asked,
            connections,
            seconds: self.seconds,
            keys: vec![caller.key.clone()],
        }
    }

    /// What is stored there, known by what is answered now.
    ///
    /// # Errors
    /// If something is refused.
    pub fn asked(&self, server: &Server, paths: Vec<String>) -> anyhow::Result<Asked> {
        let answered = paths.into_iter().map(|path| {
            let answer = server.caller.read(&self.runtime, &path)?;
            Ok((path, answer))
        });
        let answered: anyhow::Result<Vec<(String, String)>> = answered.collect();
        Ok(Asked::answered(answered?))
    }

    /// Sends a load to a server.
    ///
    /// # Errors
    /// If it is not answered well.
    pub fn measure(&self, server: &Server, load: &Load) -> anyhow::Result<Measured> {
        self.wrk
            .measure(&server.process, &server.caller.origin, load)
    }

    /// Sends a load for a second, so that caches are full and nothing is done for the first time.
    ///
    /// # Errors
    /// If it is not answered well.
    pub fn warm_up(&self, server: &Server, load: &Load) -> anyhow::Result<Option<Measured>> {
        let brief = Load {
            seconds: 1,
            ..load.clone()
        };
        if self.smoke {
            return Ok(None);
        }
        self.measure(server, &brief).map(Some)
    }

    /// Asks a question every 50 ms for so long.
    ///
    /// # Errors
    /// If one is refused.
    pub fn probe(
        &self,
        server: &Server,
        question: &Question,
        during: Duration,
    ) -> anyhow::Result<Probed> {
        probe::probe(self.runtime.handle(), &server.caller, question, during)
    }

    /// Sends a load to a server, and asks a question every 50 ms meanwhile.
    ///
    /// # Errors
    /// If either is not answered well.
    pub fn measure_and_probe(
        &self,
        server: &Server,
        load: &Load,
        question: &Question,
    ) -> anyhow::Result<(Measured, Probed)> {
        let during = Duration::from_secs(load.seconds.into());
        let (runtime, caller) = (self.runtime.handle(), &server.caller);
        thread::scope(|scope| {
            let open = scope.spawn(|| probe::probe(runtime, caller, question, during));
            let closed = self.measure(server, load);
            let open = open.join();
            let open = open.map_err(|_| anyhow!("who asked every 50 ms broke down"))?;
            Ok((closed?, open?))
        })
    }

    /// A folder of its own for what a measurement writes.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn place(&self, name: &str) -> anyhow::Result<PathBuf> {
        let place = self.folder.join(name);
        std::fs::create_dir_all(&place).context("could not make a folder")?;
        Ok(place)
    }
}
