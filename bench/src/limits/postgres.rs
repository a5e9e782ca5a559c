//! PostgreSQL in a cluster of its own, with fsync on.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use rustix::process::Signal;

use super::Reached;
use super::pgbench::{Reads, Style, did_nothing, numbered_id, ran};
use super::row_set::TextRow;
use super::statements::{self, PREFIX, Statement};
use crate::cpu;
use crate::process::{self, Process, without_settings};
use crate::server::free_address;

const FIND: &str = include_str!("../../../tests/support/setup/find_postgres.sh");
const START: Duration = Duration::from_mins(1);
/// How long it takes at most until every connection knows of another setting.
const RELOAD: Duration = Duration::from_millis(300);
/// Between columns and between rows of what `psql` prints: texts do not hold them.
const COLUMNS: char = '\u{1f}';
const ROWS: char = '\u{1e}';

/// A running cluster; dropping it stops it.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    port: u16,
    folder: PathBuf,
    process: Option<Process>,
}

impl Cluster {
    /// Makes one in this folder and starts it.
    ///
    /// # Errors
    /// If there is no PostgreSQL, or it does not start.
    pub fn start(folder: &Path) -> anyhow::Result<Self> {
        let found = process::output(Command::new("sh").args(["-c", FIND]))
            .context("PostgreSQL's server programs were not found")?;
        let mut cluster = Self {
            programs: PathBuf::from(found.trim()),
            port: free_address()?.port(),
            folder: folder.to_owned(),
            process: None,
        };
        std::fs::create_dir_all(folder)?;
        if rustix::process::geteuid().is_root() {
            process::output(Command::new("chown").arg("postgres").arg(folder))?;
        }
        let data = folder.join("data");
        let mut initdb = cluster.as_owner("initdb");
        initdb.args([
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-instructions",
            // The server syncs; what it starts from need not be safe.
            "--no-sync",
        ]);
        process::output(initdb.arg("--pgdata").arg(&data))?;
        let log = std::fs::File::create(folder.join("log")).context("could not make a log")?;
        let mut server = cluster.as_owner("postgres");
        server
            .arg("-D")
            .arg(&data)
            .args(["-p", &cluster.port.to_string()]);
        for setting in [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "max_wal_size=4GB",
            &format!("log_line_prefix={PREFIX}%d "),
        ] {
            server.args(["-c", setting]);
        }
        let log_too = log.try_clone()?;
        cluster.process = Some(Process::start(
            server.stdout(Stdio::from(log)).stderr(Stdio::from(log_too)),
        )?);
        cluster.wait()?;
        Ok(cluster)
    }

    fn wait(&mut self) -> anyhow::Result<()> {
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err()
            || self.ask("postgres", "SELECT 1").is_err()
        {
            let ended = self
                .process
                .as_mut()
                .is_none_or(|process| !process.is_alive());
            if ended || since.elapsed() > START {
                bail!(
                    "PostgreSQL did not start: {}",
                    std::fs::read_to_string(self.folder.join("log"))?
                );
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// A program of the server; it refuses to be run by root, so root lends it somebody else's name.
    fn as_owner(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("setpriv");
            command.args([
                "--reuid=postgres",
                "--regid=postgres",
                "--clear-groups",
                "--pdeathsig",
                "QUIT",
            ]);
            command.arg(program);
            command
        } else {
            process::bound_to_us(&program, "QUIT")
        };
        command.current_dir("/").env("LC_ALL", "C");
        without_settings(command, "PG")
    }

    /// Makes an empty database, or a copy of one that nobody is connected to; its address.
    pub fn database(&self, name: &str, like: &str) -> anyhow::Result<String> {
        self.ask(
            "postgres",
            &format!("CREATE DATABASE {name} TEMPLATE {like}"),
        )?;
        Ok(format!(
            "postgres://postgres@127.0.0.1:{}/{name}",
            self.port
        ))
    }

    /// How many courses there are.
    ///
    /// # Errors
    /// Those of PostgreSQL.
    pub fn courses(&self, database: &str) -> anyhow::Result<u64> {
        let counted = self.ask(database, "SELECT count(*) FROM courses")?;
        Ok(counted.trim().parse()?)
    }

    /// How many rows each table has.
    pub fn counts(&self, database: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let tables = "SELECT string_agg(format('SELECT %L, count(*) FROM %I', tablename, tablename), \
                      ' UNION ALL ' ORDER BY tablename) FROM pg_tables WHERE schemaname = 'public'";
        let counting = self.ask(database, tables)?;
        let counted = cells(&self.ask(database, &counting)?);
        let count = |row: Vec<String>| {
            let [table, count] = <[String; 2]>::try_from(row)
                .ok()
                .context("a count has two cells")?;
            Ok((table, count.parse()?))
        };
        counted.into_iter().map(count).collect()
    }

    /// The rows that are new since then: the newest of each table that grew.
    ///
    /// # Errors
    /// Those of PostgreSQL; if nothing is new.
    pub fn written_since(
        &self,
        database: &str,
        before: &[(String, u64)],
    ) -> anyhow::Result<Vec<TextRow>> {
        let mut rows = Vec::new();
        for ((table, was), (_, is)) in before.iter().zip(self.counts(database)?) {
            let grown = is.saturating_sub(*was);
            if grown > 0 {
                rows.extend(self.newest(database, table, grown)?);
            }
        }
        if rows.is_empty() {
            bail!("nothing was written");
        }
        Ok(rows)
    }

    fn newest(&self, database: &str, table: &str, count: u64) -> anyhow::Result<Vec<TextRow>> {
        let names = self.ask(
            database,
            &format!(
                "SELECT attname FROM pg_attribute WHERE attrelid = 'public.{table}'::regclass \
                 AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
            ),
        )?;
        let names: Vec<String> = cells(&names).into_iter().flatten().collect();
        let values = self.ask(
            database,
            &format!("SELECT * FROM \"{table}\" ORDER BY created_at DESC LIMIT {count}"),
        )?;
        let row = |values: Vec<String>| TextRow {
            table: table.to_owned(),
            columns: names
                .iter()
                .cloned()
                .zip(values.into_iter().map(value))
                .collect(),
        };
        Ok(cells(&values).into_iter().map(row).collect())
    }

    fn ask(&self, database: &str, sql: &str) -> anyhow::Result<String> {
        let mut psql = without_settings(Command::new(self.programs.join("psql")), "PG");
        psql.args([
            "-X",
            "-A",
            "-t",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-U",
            "postgres",
        ])
        .args(["-p", &self.port.to_string(), "-d", database])
        .args([
            "-F",
            &COLUMNS.to_string(),
            "-R",
            &ROWS.to_string(),
            "-P",
            "null=\u{1d}",
            "-c",
            sql,
        ]);
        process::output(&mut psql)
    }

    /// What the server has executed in its database while something is done.
    ///
    /// # Errors
    /// Those of PostgreSQL, and of what is done.
    pub fn executed(
        &self,
        database: &str,
        done: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Statement>> {
        let file = self.folder.join("log");
        let log = || std::fs::read(&file).context("could not read PostgreSQL's log");
        self.set_logging("SET log_statement = 'all'")?;
        let before = log()?.len();
        let outcome = done();
        self.set_logging("RESET log_statement")?;
        outcome?;
        let since = log()?.split_off(before);
        Ok(statements::executed(
            &String::from_utf8_lossy(&since),
            database,
        ))
    }

    fn set_logging(&self, setting: &str) -> anyhow::Result<()> {
        self.ask("postgres", &format!("ALTER SYSTEM {setting}"))?;
        self.ask("postgres", "SELECT pg_reload_conf()")?;
        // Nobody tells when each connection has heard of it.
        thread::sleep(RELOAD);
        Ok(())
    }

    /// Puts courses beside those that are there, with ids that `pgbench` can make up; how many there are of them.
    ///
    /// # Errors
    /// Those of PostgreSQL.
    pub fn number_courses(&self, database: &str) -> anyhow::Result<u64> {
        let count = self.courses(database)?;
        let id = numbered_id("crs", "row_number() OVER ()");
        let numbered = format!(
            "INSERT INTO courses SELECT (jsonb_populate_record(course, jsonb_build_object('id', {id}))).* \
             FROM courses AS course"
        );
        self.ask(database, &numbered)?;
        let now = self.courses(database)?;
        ensure!(
            now == 2 * count,
            "there are {now} courses instead of twice {count}"
        );
        Ok(count)
    }

    /// Leaves nothing for PostgreSQL to tidy up by itself later, while something is measured.
    ///
    /// # Errors
    /// Those of PostgreSQL.
    pub fn tidy(&self, database: &str) -> anyhow::Result<()> {
        self.ask(database, "VACUUM ANALYZE").map(drop)
    }

    /// So many clients read what a server reads for a request.
    ///
    /// # Errors
    /// Those of PostgreSQL; if one was refused.
    pub fn read(
        &self,
        database: &str,
        reads: &Reads,
        clients: u32,
        seconds: u32,
    ) -> anyhow::Result<Reached> {
        self.pgbench(database, &reads.script, &reads.variables, clients, seconds)
    }

    /// So many clients write row sets into a database, which has the tables of the server's.
    ///
    /// # Errors
    /// Those of PostgreSQL; if one was refused.
    pub fn write(
        &self,
        database: &str,
        rows: &[TextRow],
        style: Style,
        clients: u32,
        seconds: u32,
    ) -> anyhow::Result<Reached> {
        let variables = [("n".to_owned(), "0".to_owned())];
        let script = style.script(rows);
        let each = self.pgbench(database, &script, &variables, clients, seconds)?;
        Ok(Reached {
            rate: each.rate * style.row_sets(),
            cpu: each.cpu / style.row_sets(),
        })
    }

    /// Transactions of a script, and what each took of the processor: `pgbench`'s part is in it, since it stands where
    /// the server stands.
    fn pgbench(
        &self,
        database: &str,
        script: &str,
        variables: &[(String, String)],
        clients: u32,
        seconds: u32,
    ) -> anyhow::Result<Reached> {
        let file = self.folder.join("pgbench.sql");
        std::fs::write(&file, script).context("could not write pgbench's script")?;
        // Where others use the disk a second may be too short for a single transaction.
        let longer = [1, 5, 20].map(|times| seconds.saturating_mul(times));
        for seconds in longer {
            let mut pgbench = self.pgbench_command(database, &file, variables, clients, seconds);
            let (before, others) = (cpu::of_ended_children()?, self.cpu_seconds()?);
            let printed = process::output(&mut pgbench)?;
            let used = cpu::of_ended_children()? - before + self.cpu_seconds()? - others;
            if did_nothing(&printed) {
                continue;
            }
            let ran = ran(&printed).with_context(|| format!("pgbench said {printed}"))?;
            return Ok(Reached {
                rate: ran.per_second,
                cpu: used * 1_000_000.0 / ran.transactions,
            });
        }
        bail!("pgbench came to nothing in {longer:?} s")
    }

    fn pgbench_command(
        &self,
        database: &str,
        file: &Path,
        variables: &[(String, String)],
        clients: u32,
        seconds: u32,
    ) -> Command {
        let program = self.programs.join("pgbench");
        let mut pgbench = without_settings(process::bound_to_us(&program, "KILL"), "PG");
        pgbench
            .args(["-n", "-M", "prepared", "-h", "127.0.0.1", "-U", "postgres"])
            .args(["-p", &self.port.to_string(), "-c", &clients.to_string()])
            .args([
                "-j",
                &clients.min(2).to_string(),
                "-T",
                &seconds.to_string(),
            ]);
        for (name, value) in variables {
            pgbench.args(["-D", &format!("{name}={value}")]);
        }
        pgbench.arg("-f").arg(file).arg(database);
        pgbench
    }

    /// Seconds of processor time of all its processes, those that ended too.
    ///
    /// # Errors
    /// If it is gone.
    pub fn cpu_seconds(&self) -> anyhow::Result<f64> {
        let process = self.process.as_ref().context("PostgreSQL is gone")?;
        process.family_cpu_seconds()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Killed outright it would leave shared memory behind; INT ends the connections and stops in order.
        if let Some(process) = self.process.take() {
            drop(process.stop(Signal::INT));
        }
    }
}

/// Rows of cells, as `psql` was told to print them.
fn cells(printed: &str) -> Vec<Vec<String>> {
    let printed = printed.strip_suffix('\n').unwrap_or(printed);
    if printed.is_empty() {
        return Vec::new();
    }
    let rows = printed.split(ROWS);
    rows.map(|row| row.split(COLUMNS).map(str::to_owned).collect())
        .collect()
}

/// NULL is printed as a character that texts do not hold.
fn value(cell: String) -> Option<String> {
    (cell != "\u{1d}").then_some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_new_lines_and_tell_nothing_from_an_empty_text() {
        let printed = format!("a{COLUMNS}{ROWS}b\nc{COLUMNS}\u{1d}\n");
        assert_eq!(cells(&printed), [["a", ""], ["b\nc", "\u{1d}"]]);
        assert_eq!(
            (value(String::new()), value("\u{1d}".to_owned())),
            (Some(String::new()), None)
        );
        assert!(cells("").is_empty());
    }
}
