//! The replica: whether it is one of the database, and how far behind.

use lyceum_store::upkeep::replica_diagnosis::{ReplicaDiagnosis, ReplicaUnseen, diagnose_replica};
use lyceum_store::{DatabaseUrl, PostgresUrl};

use super::Finding;

const ID: &str = "replica";
/// A standby that is used is behind by less.
const FAR: i64 = 16 << 20;

pub fn findings(database: &DatabaseUrl, replica: &PostgresUrl) -> Vec<Finding> {
    let finding = match diagnose_replica(database, replica) {
        Ok(found) => told(&found),
        // What libraries say may have the address in it, and with it the password.
        Err(unseen) => Finding::problem(ID, unseen.to_string(), mend(&unseen)),
    };
    vec![finding]
}

const fn mend(unseen: &ReplicaUnseen) -> &'static str {
    match unseen {
        ReplicaUnseen::Away(_) => {
            "see that it runs and that LYCEUM_DATABASE_REPLICA_URL names its host, user and password"
        }
        ReplicaUnseen::Untold => "see that LYCEUM_DATABASE_URL names the primary",
        ReplicaUnseen::Unsaid(_) => {
            "see that its user may call pg_control_system() and pg_control_checkpoint()"
        }
    }
}

fn told(found: &ReplicaDiagnosis) -> Finding {
    if !found.is_standby {
        return Finding::problem(
            ID,
            "the replica is no standby: it takes writes of its own, and is not read from",
            "make it a standby of the primary again (pg_basebackup -R), or name another",
        );
    }
    if !found.is_ours {
        return Finding::problem(
            ID,
            "the replica is one of another system or has another database, and is not read from",
            "let LYCEUM_DATABASE_REPLICA_URL name a standby of the primary, and the database of the same name there",
        );
    }
    if !found.is_on_timeline {
        return Finding::note(
            ID,
            "the replica does not follow the primary that there is now, as far as it says, and is not read from",
            "wait for its next restartpoint (checkpoint_timeout); if it stays so, make it anew (pg_basebackup -R)",
        );
    }
    behind(found)
}

fn behind(found: &ReplicaDiagnosis) -> Finding {
    let Some(bytes) = found.bytes_behind else {
        return Finding::problem(
            ID,
            "the replica has replayed nothing",
            "see its log: it waits for the primary's",
        );
    };
    let ago = found.replayed_ago.filter(|_| bytes > 0);
    let ago = ago.map_or_else(String::new, |ago| {
        format!("; what it replayed last was kept {} s ago", ago / 1000)
    });
    let says = format!("the replica answers, {bytes} bytes of the log behind{ago}");
    if bytes > FAR {
        let mend = "see that it receives and replays (pg_stat_replication on the primary): reads go to the primary meanwhile";
        return Finding::note(ID, says, mend);
    }
    Finding::fine(ID, says)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    const WELL: ReplicaDiagnosis = ReplicaDiagnosis {
        is_standby: true,
        is_ours: true,
        is_on_timeline: true,
        bytes_behind: Some(0),
        replayed_ago: Some(90_000),
    };

    #[test]
    fn a_replica_that_is_never_read_from_is_no_good() {
        assert_eq!(told(&WELL).verdict, Verdict::Fine);
        let promoted = ReplicaDiagnosis {
            is_standby: false,
            ..WELL
        };
        let of_others = ReplicaDiagnosis {
            is_ours: false,
            ..WELL
        };
        let silent = ReplicaDiagnosis {
            bytes_behind: None,
            ..WELL
        };
        for found in [promoted, of_others, silent] {
            assert_eq!(told(&found).verdict, Verdict::Problem, "{found:?}");
        }
        let elsewhere = ReplicaDiagnosis {
            is_on_timeline: false,
            ..WELL
        };
        assert_eq!(told(&elsewhere).verdict, Verdict::Note);
    }

    #[test]
    fn how_long_ago_is_told_only_of_one_that_is_behind() {
        assert_eq!(
            told(&WELL).says,
            "the replica answers, 0 bytes of the log behind"
        );
        let late = ReplicaDiagnosis {
            bytes_behind: Some(FAR + 1),
            ..WELL
        };
        let late = told(&late);
        assert_eq!(late.verdict, Verdict::Note);
        assert!(late.says.ends_with("kept 90 s ago"), "{}", late.says);
    }
}
