//! Which queries a store makes, as diesel tells whoever asks: nothing in the store itself knows of it.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

/// Queries by database, because tests run side by side.
static SEEN: LazyLock<Mutex<HashMap<String, Vec<String>>>> = LazyLock::new(Mutex::default);

/// One connection's listener; the connection tells it first where it leads to.
#[derive(Default)]
struct Listener {
    database: String,
}

impl Instrumentation for Listener {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the enum is open")]
        match event {
            InstrumentationEvent::StartEstablishConnection { url, .. } => {
                name(url).clone_into(&mut self.database);
            }
            InstrumentationEvent::StartQuery { query, .. } => {
                let query = query.to_string();
                // What asks or changes anything; transactions and settings are neither.
                let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE "];
                // A pool opens one more connection when the machine is busy, and sets it up.
                let is_setting = query == "SELECT 1" || query.starts_with("SELECT set_config(");
                if verbs.iter().any(|verb| query.starts_with(verb)) && !is_setting {
                    let mut seen = SEEN.lock().unwrap();
                    seen.entry(self.database.clone()).or_default().push(query);
                }
            }
            _ => {}
        }
    }
}

/// Listens to every store that is opened from now on.
pub fn listen() {
    set_default_instrumentation(|| Some(Box::new(Listener::default()))).unwrap();
}

/// The queries of the store at this address since the last time.
pub fn taken(url: &str) -> Vec<String> {
    SEEN.lock().unwrap().remove(name(url)).unwrap_or_default()
}

/// What an address and a connection both say of a database: settings of connections are no part of it.
fn name(url: &str) -> &str {
    let database = url.strip_prefix("sqlite://").unwrap_or(url);
    database.split('?').next().unwrap_or_default()
}
