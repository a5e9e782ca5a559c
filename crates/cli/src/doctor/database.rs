//! The database: whether it can be reached, is of this version, keeps what it acknowledges, and what waits in it.

use std::cmp::Ordering;
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_store::running::integrity;
use lyceum_store::upkeep::diagnosis::{Diagnosis, diagnose};
use lyceum_store::upkeep::schema_version;
use lyceum_store::{DatabaseUrl, FsckError};

use super::{Finding, pooler, replica};
use crate::settings::Settings;
use lyceum_service::Storage;
use lyceum_service::assemble::now;
use lyceum_service::master_key;

/// Clocks may differ by this much before leases and tokens are felt.
const CLOCK: Duration = Duration::from_secs(5);
/// What is due should be taken up sooner.
const WAITING: Duration = Duration::from_mins(10);
/// How long pages are looked at before no further table is begun.
const LOOKING: Duration = Duration::from_secs(10);
/// The pool of one node.
const POOL: i64 = 16;

pub fn findings(settings: &Settings) -> Vec<Finding> {
    let storage = match settings.storage() {
        Ok(storage) => storage,
        Err(error) => {
            let says = format!("{error:#}");
            return vec![Finding::problem(
                "database",
                says,
                "set LYCEUM_DATABASE_URL to sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME, and what stands beside the \
                 second to an address of the same kind",
            )];
        }
    };
    let url = storage.database();
    let mut findings = of_the_database(&storage, &url);
    if let Some(replica) = &storage.replica {
        findings.extend(replica::findings(&url, replica));
    }
    if let Some(pooler) = &storage.pooler {
        findings.push(pooler::finding(&url, pooler));
    }
    findings
}

fn of_the_database(storage: &Storage, url: &DatabaseUrl) -> Vec<Finding> {
    let key = master_key::load(&storage.master_key_file()).ok().flatten();
    let key = key.map(|keys| keys.master_key());
    let now = now();
    match diagnose(url, key.as_ref(), now) {
        Ok(found) => told(url, &found, now),
        Err(FsckError::NoDatabase(file)) => {
            let says = format!("{} is not there yet", file.display());
            vec![Finding::note("database", says, "the first start makes it")]
        }
        // What libraries say may have the address in it, and with it the password.
        Err(FsckError::Connect(_)) => vec![Finding::problem(
            "database",
            "the database cannot be reached",
            "see that it runs and that LYCEUM_DATABASE_URL names its host, user and password",
        )],
        Err(error) => vec![Finding::problem(
            "database",
            format!("the database cannot be read: {error}"),
            "see that it is one of ours: lyceum migrate makes its tables",
        )],
    }
}

fn told(url: &DatabaseUrl, found: &Diagnosis, now: Timestamp) -> Vec<Finding> {
    let mut findings = vec![
        Finding::fine("database", format!("{} answers", found.product)),
        version(found),
        opening(found),
        waiting("jobs", "a job", found.oldest_due_job, now),
        waiting("deliveries", "a delivery", found.oldest_due_delivery, now),
        dead(found),
        endpoints(found),
        names(found),
    ];
    if matches!(url, DatabaseUrl::Sqlite(_)) {
        findings.push(pages(url));
    }
    if let (DatabaseUrl::Postgres(_), Some(clock)) = (url, found.clock) {
        findings.push(clocks(clock, now));
    }
    findings.extend(
        found
            .settings
            .iter()
            .map(|(name, value)| setting(name, value)),
    );
    findings
}

fn version(found: &Diagnosis) -> Finding {
    let (id, has, built) = ("tables", &found.schema_version, schema_version::built());
    match has.cmp(&built) {
        Ordering::Equal => Finding::fine(
            id,
            format!("the tables are of version {has}, as this program makes them"),
        ),
        Ordering::Less => Finding::note(
            id,
            format!("the tables are of version {has}, this program's are {built}"),
            "take a backup; the next start brings them up to date",
        ),
        Ordering::Greater => Finding::problem(
            id,
            format!("the tables are of version {has}, newer than this program's {built}"),
            "run the newer program, or restore a backup from before it",
        ),
    }
}

fn opening(found: &Diagnosis) -> Finding {
    let id = "sealed";
    match found.key_opens {
        Some(true) => Finding::fine(id, "the master key opens what is sealed"),
        None => Finding::fine(id, "nothing is sealed yet"),
        Some(false) => Finding::problem(
            id,
            "the master key does not open what is sealed",
            "put back the master key that this database was used with",
        ),
    }
}

fn waiting(id: &'static str, what: &str, since: Option<Timestamp>, now: Timestamp) -> Finding {
    match since.map(|since| now.since(since)) {
        None => Finding::fine(id, "nothing that is due waits"),
        Some(age) if age > WAITING => Finding::problem(
            id,
            format!("{what} has been due for {} minutes", age.as_secs() / 60),
            "see that a service runs, and its log: a queue that only grows needs another node",
        ),
        Some(age) => Finding::fine(id, format!("{what} has been due for {} s", age.as_secs())),
    }
}

fn dead(found: &Diagnosis) -> Finding {
    let says = format!("{} jobs were given up", found.dead_jobs);
    if found.dead_jobs == 0 {
        Finding::fine("dead_jobs", says)
    } else {
        Finding::note(
            "dead_jobs",
            says,
            "see last_error of those with the state dead in the table jobs, and mend what they say",
        )
    }
}

fn endpoints(found: &Diagnosis) -> Finding {
    let says = format!(
        "{} webhook endpoints are switched off",
        found.disabled_endpoints
    );
    if found.disabled_endpoints == 0 {
        Finding::fine("endpoints", says)
    } else {
        Finding::note(
            "endpoints",
            says,
            "mend the receiver, switch it on, and recover what it missed",
        )
    }
}

fn names(found: &Diagnosis) -> Finding {
    let id = "node_names";
    if found.shared_names.is_empty() {
        return Finding::fine(id, "no two nodes have one name");
    }
    let says = format!("two nodes run as {}", found.shared_names.join(", "));
    Finding::problem(id, says, "give each node a LYCEUM_NODE_NAME of its own")
}

/// Whether the pages of the file are what was written, as far as that is seen in a while.
fn pages(url: &DatabaseUrl) -> Finding {
    let id = "pages";
    match integrity::look(url, None, LOOKING, &mut |_| true) {
        Ok(looked) if !looked.faults.is_empty() => Finding::problem(
            id,
            format!("the database is damaged: {}", looked.faults.join("; ")),
            "stop the service, put the folder aside and restore a backup: lyceum restore FOLDER",
        ),
        Ok(looked) if looked.next.is_some() => Finding::note(
            id,
            format!(
                "{} tables are whole, and there was no time for more",
                looked.tables
            ),
            "the service looks at all of them by and by, and a backup at each",
        ),
        Ok(looked) => Finding::fine(
            id,
            format!("the pages of {} tables are whole", looked.tables),
        ),
        Err(error) => Finding::problem(
            id,
            format!("the pages could not be looked at: {error}"),
            "see that the disk answers: its log says more",
        ),
    }
}

fn clocks(clock: Timestamp, now: Timestamp) -> Finding {
    let apart = Duration::from_millis(clock.unix_millis().abs_diff(now.unix_millis()));
    let says = format!(
        "the clocks of database and machine are {} ms apart",
        apart.as_millis()
    );
    if apart > CLOCK {
        Finding::problem("clock", says, "run a time service (chrony, ntpd) on both")
    } else {
        Finding::fine("clock", says)
    }
}

fn setting(name: &str, value: &str) -> Finding {
    let says = format!("{name} is {value}");
    match (name, value) {
        ("fsync" | "full_page_writes", "off") => Finding::problem(
            "database_setting",
            says,
            format!("set {name} to on: acknowledged writes are lost when the power fails"),
        ),
        ("data_checksums", "off") => Finding::note(
            "database_setting",
            says,
            "damaged pages go unnoticed: stop PostgreSQL and run pg_checksums --enable",
        ),
        ("max_connections", value) if value.parse::<i64>().is_ok_and(|most| most < 2 * POOL) => {
            let mend = format!("each node takes up to {POOL}: raise it, or run fewer nodes");
            Finding::note("database_setting", says, mend)
        }
        _ => Finding::fine("database_setting", says),
    }
}
