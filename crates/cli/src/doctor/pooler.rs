//! The pooler: whether a service would take it.

use lyceum_store::upkeep::pooler_diagnosis::diagnose_pooler;
use lyceum_store::{DatabaseUrl, PostgresUrl};

use super::Finding;

const ID: &str = "pooler";

pub fn finding(database: &DatabaseUrl, pooler: &PostgresUrl) -> Finding {
    match diagnose_pooler(database, pooler) {
        Ok(()) => Finding::fine(ID, "the pooler answers and leads to the database"),
        Err(why) => Finding::problem(
            ID,
            format!("the pooler cannot be used: {why}"),
            "see that it runs, and that LYCEUM_DATABASE_POOLER_URL names it and the database of LYCEUM_DATABASE_URL behind it; \
             a service does not start before that",
        ),
    }
}
