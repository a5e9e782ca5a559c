//! PostgreSQL in a cluster of its own, with fsync on, and what `pgbench` makes of the same rows.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::Signal;

use super::row_set::{Fresh, TableRow};
use crate::process::{self, Process, without_settings};
use crate::server::free_address;

const FIND: &str = include_str!("../../../tests/support/setup/find_postgres.sh");
const START: Duration = Duration::from_mins(1);
/// Between columns and between rows of what `psql` prints: texts do not hold them.
const COLUMNS: char = '\u{1f}';
const ROWS: char = '\u{1e}';

type Row = TableRow<Option<String>>;

/// A running cluster; dropping it stops it.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    port: u16,
    folder: PathBuf,
    process: Option<Process>,
}

/// How `pgbench` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A transaction per row set, sent in one piece: one round trip, as fast as PostgreSQL commits one by one.
    OneTrip,
    /// A transaction per row set, each statement answered before the next, as a service without a queue does it.
    StepByStep,
    /// 64 row sets in one transaction, sent in one piece.
    SixtyFour,
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
    ///
    /// # Errors
    /// Those of PostgreSQL.
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

    /// How many rows each table has.
    ///
    /// # Errors
    /// Those of PostgreSQL.
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
    ) -> anyhow::Result<Vec<Row>> {
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

    fn newest(&self, database: &str, table: &str, count: u64) -> anyhow::Result<Vec<Row>> {
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
        let row = |values: Vec<String>| Row {
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

    /// Row sets per second that so many clients write into a database, which has the tables of the server's.
    ///
    /// # Errors
    /// Those of PostgreSQL; if one was refused.
    pub fn write(
        &self,
        database: &str,
        rows: &[Row],
        style: Style,
        clients: u32,
        seconds: u32,
    ) -> anyhow::Result<f64> {
        let script = self.folder.join("pgbench.sql");
        std::fs::write(&script, style.script(rows)).context("could not write pgbench's script")?;
        let mut pgbench = without_settings(
            process::bound_to_us(&self.programs.join("pgbench"), "KILL"),
            "PG",
        );
        pgbench
            .args(["-n", "-M", "prepared", "-h", "127.0.0.1", "-U", "postgres"])
            .args([
                "-p",
                &self.port.to_string(),
                "-c",
                &clients.to_string(),
                "-j",
                &clients.min(2).to_string(),
            ])
            .args(["-T", &seconds.to_string(), "-D", "n=0", "-f"])
            .arg(&script)
            .arg(database);
        let printed = process::output(&mut pgbench)?;
        let per_second =
            transactions_per_second(&printed).with_context(|| format!("pgbench said {printed}"))?;
        Ok(per_second * style.row_sets())
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

impl Style {
    const fn row_sets(self) -> f64 {
        match self {
            Self::OneTrip | Self::StepByStep => 1.0,
            Self::SixtyFour => 64.0,
        }
    }

    fn script(self, rows: &[Row]) -> String {
        let set = |_| {
            let inserts: String = rows.iter().map(insert).collect();
            format!("\\set n :n + 1\n\\set r random(0, 1000000000)\n{inserts}")
        };
        // What is computed stands between the statements of a pipeline as it does elsewhere.
        match self {
            Self::OneTrip => format!(
                "\\startpipeline\nBEGIN;\n{}COMMIT;\n\\endpipeline\n",
                set(0)
            ),
            Self::StepByStep => format!("BEGIN;\n{}COMMIT;\n", set(0)),
            Self::SixtyFour => {
                let sets: String = (0..64).map(set).collect();
                format!("\\startpipeline\nBEGIN;\n{sets}COMMIT;\n\\endpipeline\n")
            }
        }
    }
}

fn insert(row: &Row) -> String {
    let names: Vec<&str> = row.columns.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = row
        .columns
        .iter()
        .map(|(name, value)| fresh(name, value.as_deref()))
        .collect();
    format!(
        "INSERT INTO \"{}\" ({}) VALUES ({});\n",
        row.table,
        names.join(", "),
        values.join(", ")
    )
}

/// As an expression of SQL, in which `:n`, `:r` and `:client_id` are what `pgbench` computes. A fresh id is as long
/// as the one before and comes after all that its client has written.
fn fresh(column: &str, value: Option<&str>) -> String {
    let Some(value) = value else {
        return "NULL".to_owned();
    };
    match Fresh::of(column) {
        Fresh::Same => literal(value),
        Fresh::Id => {
            let prefix = value.split_once('_').map_or("", |(prefix, _)| prefix);
            format!(
                "'{prefix}_7' || lpad((:n)::text, 12, '0') || lpad((:client_id)::text, 3, '0') \
                 || lpad((:r)::text, 10, '0')"
            )
        }
        Fresh::Key => {
            "left(md5((:n)::text || '-' || (:client_id)::text || '-' || (:r)::text), 16) || '-bench'".to_owned()
        }
    }
}

/// A text in which `pgbench` finds no variable of its own: colons are written as what they are in Unicode.
fn literal(value: &str) -> String {
    let escaped = value
        .replace('\'', "''")
        .replace('\\', "\\\\")
        .replace(':', "\\003A");
    format!("U&'{escaped}'")
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

fn transactions_per_second(printed: &str) -> Option<f64> {
    let refused = printed
        .lines()
        .find_map(|line| line.strip_prefix("number of failed transactions: "));
    if refused.is_some_and(|refused| !refused.starts_with("0 ")) {
        return None;
    }
    let line = printed
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let columns = [
            ("id", Some("evt_01kc5q3f2he8x8pzv3bqa4m9wd")),
            ("key", Some("abc")),
            ("body", Some("{\"at\":\"06:55\",\"by\":\"O'Neil\\n\"}")),
            ("reason", None),
        ];
        Row {
            table: "events".to_owned(),
            columns: columns
                .map(|(name, value)| (name.to_owned(), value.map(str::to_owned)))
                .into(),
        }
    }

    #[test]
    fn pgbench_finds_variables_only_where_they_are_meant() {
        let insert = insert(&row());
        let outside = insert.replace("::", "");
        let variables: Vec<&str> = outside
            .split(':')
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
            .collect();
        assert_eq!(
            variables,
            ["n", "client_id", "r", "n", "client_id", "r"],
            "{insert}"
        );
        assert!(insert.contains("O''Neil\\\\n"), "{insert}");
        assert!(insert.ends_with(", NULL);\n"), "{insert}");
    }

    #[test]
    fn a_script_writes_as_many_row_sets_as_it_says() {
        for style in [Style::OneTrip, Style::StepByStep, Style::SixtyFour] {
            let script = style.script(&[row()]);
            let inserts = script.matches("INSERT INTO").count();
            let difference = crate::figures::number(inserts) - style.row_sets();
            assert!(difference.abs() < f64::EPSILON, "{inserts}");
            assert_eq!(script.matches("COMMIT").count(), 1);
        }
    }

    #[test]
    fn failed_transactions_are_no_speed() {
        let printed = "number of failed transactions: 0 (0.000%)\ntps = 5123.500000 (without initial connection time)\n";
        assert_eq!(transactions_per_second(printed), Some(5_123.5));
        assert_eq!(
            transactions_per_second(&printed.replace(": 0 ", ": 3 ")),
            None
        );
        assert_eq!(transactions_per_second(""), None);
    }

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
