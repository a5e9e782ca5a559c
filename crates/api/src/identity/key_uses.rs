//! Which keys' use this process has noted within a minute: what remembers callers does not look for it again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use lyceum_domain::Timestamp;
use lyceum_domain::ids::ApiKeyId;

const MINUTE: i64 = 60_000;

/// When which key's use was noted, in milliseconds.
#[derive(Debug, Default)]
pub struct KeyUses(Mutex<Notes>);

#[derive(Debug, Default)]
struct Notes {
    of: HashMap<ApiKeyId, i64>,
    /// When those were last forgotten that are older than a minute.
    swept: i64,
}

impl KeyUses {
    /// Whether nobody has noted this key's use within a minute; from now on somebody has.
    pub fn is_due(&self, key: ApiKeyId, now: Timestamp) -> bool {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now.unix_millis();
        // Whatever is noted of a moment that is still to come, the clock was set back since.
        let is_fresh = |at: i64| (0..MINUTE).contains(&(now - at));
        if !is_fresh(notes.swept) {
            notes.of.retain(|_, at| is_fresh(*at));
            notes.swept = now;
        }
        let is_due = notes.of.get(&key).is_none_or(|at| !is_fresh(*at));
        if is_due {
            notes.of.insert(key, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_noted_once_a_minute_whoever_asks() {
        let uses = KeyUses::default();
        let key = |n: u8| format!("key_0000000000000000000000000{n}").parse().unwrap();
        let at = |millis| Timestamp::from_unix_millis(MINUTE + millis);
        assert!(uses.is_due(key(1), at(500)));
        assert!(!uses.is_due(key(1), at(MINUTE)));
        assert!(uses.is_due(key(2), at(MINUTE)));
        assert!(uses.is_due(key(1), at(MINUTE + 500)));
        assert!(uses.is_due(key(2), at(3 * MINUTE)));
        assert_eq!(
            uses.0.lock().unwrap().of.len(),
            1,
            "older ones are forgotten"
        );
        assert!(uses.is_due(key(2), at(0)), "the clock was set back");
    }
}
