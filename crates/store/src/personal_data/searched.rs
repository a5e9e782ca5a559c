//! Rows that are about a person by what is in them: events, their deliveries, remembered replies.

use diesel::prelude::*;
use lyceum_domain::personal_data::TableRows;
use lyceum_domain::users::User;
use lyceum_ports::store::StoreError;
use serde_json::{Value, json};

use super::stub;
use crate::conditions::has;
use crate::schema::{api_keys, events, idempotency_replies, submissions, webhook_deliveries};
use crate::session::Session;

/// The id and the body of an event.
type EventText = (String, String);

/// Whose, where, which; what it is; when.
type ReplyText = (String, String, String, String);

impl Session<'_> {
    /// What the person's things are called: their own id, and those of their submissions and keys.
    fn things_of(&mut self, user: &User) -> Result<Vec<String>, StoreError> {
        let mut things = vec![user.id.to_string()];
        let submitted: Vec<String> = self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(user.workspace_id.to_string()))
                .filter(submissions::user_id.eq(user.id.to_string()))
                .select(submissions::id)
                .load(conn)
        })?;
        let keys: Vec<String> = self.run(|conn| {
            api_keys::table
                .filter(api_keys::person_id.eq(user.person_id.to_string()))
                .select(api_keys::id)
                .load(conn)
        })?;
        things.extend(submitted);
        things.extend(self.submissions_in_trash(user)?);
        things.extend(keys);
        Ok(things)
    }

    /// Events about the person or their things, or that carry their id as a member or their address anywhere.
    pub(super) fn events_about(&mut self, user: &User) -> Result<Vec<EventText>, StoreError> {
        let things = self.things_of(user)?;
        let naming = has(
            self.conn,
            "events.body",
            &format!("\"user_id\":\"{}\"", user.id),
        );
        let telling = has(self.conn, "events.body", user.email.as_str());
        self.run(|conn| {
            events::table
                .filter(events::workspace_id.eq(user.workspace_id.to_string()))
                .filter(events::object_id.eq_any(things).or(naming).or(telling))
                .order(events::id)
                .select((events::id, events::body))
                .load(conn)
        })
    }

    /// Replies to the person, and replies that tell of them, in the clear.
    pub(super) fn replies_about(&mut self, user: &User) -> Result<Vec<ReplyText>, StoreError> {
        let workspace = user.workspace_id.to_string();
        let stored: Vec<ReplyText> = self.run(|conn| {
            // What was asked for at a person's account is theirs, and none of this workspace's.
            idempotency_replies::table
                .filter(idempotency_replies::workspace_id.eq(&workspace))
                .select((
                    idempotency_replies::person_id,
                    idempotency_replies::workspace_id,
                    idempotency_replies::key,
                    idempotency_replies::reply,
                ))
                .load(conn)
        })?;
        let needles = self.things_of(user)?;
        let (person, email) = (user.person_id.to_string(), user.email.as_str());
        let mut about = Vec::new();
        for (whose, place, key, reply) in stored {
            let theirs = whose == person;
            let reply = self.vault.open(&reply)?;
            let tells = |text: &str| {
                text.contains(email) || needles.iter().any(|needle| text.contains(needle))
            };
            if theirs || tells(&reply) || tells(&key) {
                about.push((whose, place, key, reply));
            }
        }
        Ok(about)
    }

    pub(super) fn searched_rows(&mut self, user: &User) -> Result<Vec<TableRows>, StoreError> {
        let events = self.events_about(user)?;
        let ids: Vec<String> = events.iter().map(|(id, _)| id.clone()).collect();
        let deliveries: Vec<(String, String, String, String)> = self.run(|conn| {
            webhook_deliveries::table
                .filter(webhook_deliveries::workspace_id.eq(user.workspace_id.to_string()))
                .filter(webhook_deliveries::event_id.eq_any(&ids))
                .order(webhook_deliveries::id)
                .select((
                    webhook_deliveries::id,
                    webhook_deliveries::event_id,
                    webhook_deliveries::endpoint_id,
                    webhook_deliveries::status,
                ))
                .load(conn)
        })?;
        let replies = self.replies_about(user)?;
        let parsed = |(id, body): EventText| {
            serde_json::from_str(&body).unwrap_or_else(|_| json!({ "id": id, "body": body }))
        };
        let delivery = |(id, event_id, endpoint_id, status)| {
            json!({
                "id": id, "event_id": event_id, "endpoint_id": endpoint_id, "status": status,
            })
        };
        Ok(vec![
            TableRows {
                table: "events",
                rows: events.into_iter().map(parsed).collect(),
            },
            TableRows {
                table: "webhook_deliveries",
                rows: deliveries.into_iter().map(delivery).collect(),
            },
            TableRows {
                table: "idempotency_replies",
                // What a reply says is shown by the things that it is about; it may hold the secret of a key.
                rows: replies
                    .into_iter()
                    .map(|(_, _, key, _)| json!({ "idempotency_key": key }))
                    .collect(),
            },
        ])
    }
}

/// The body of an event without the thing that it tells of; what happened, when, where and to which id stays.
pub fn emptied_event(body: &str) -> Option<String> {
    let mut event: Value = serde_json::from_str(body).ok()?;
    let left = stub(event.get("data")?.get("object")?);
    let data = event.get_mut("data")?;
    *data = json!({ "object": left, "previous_attributes": {} });
    Some(event.to_string())
}

/// A reply without its body, which says that there was one: the same request sent again still has no second effect.
pub fn emptied_reply(reply: &str) -> Option<String> {
    let mut reply: Value = serde_json::from_str(reply).ok()?;
    *reply.get_mut("body")? = "".into();
    Some(reply.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_event_says_that_something_happened_to_an_id() {
        let body = r#"{"id":"evt_1","type":"user.created","data":{"object":{"id":"usr_1","object":"user","email":"a@b.c"},"previous_attributes":{"name":"Ada"}}}"#;
        let left: Value = serde_json::from_str(&emptied_event(body).unwrap()).unwrap();
        let data = json!({
            "object": {"id": "usr_1", "object": "user", "erased": true}, "previous_attributes": {},
        });
        assert_eq!(
            left,
            json!({"id": "evt_1", "type": "user.created", "data": data})
        );
    }

    #[test]
    fn an_emptied_reply_still_says_that_there_was_one() {
        let body = r#"{"id":"usr_1","object":"user","email":"a@b.c"}"#;
        let reply = json!({"status": 201, "location": "/v1/users/usr_1", "body": body}).to_string();
        let left: Value = serde_json::from_str(&emptied_reply(&reply).unwrap()).unwrap();
        assert_eq!((&left["status"], &left["body"]), (&json!(201), &json!("")));
        assert!(!left.to_string().contains("a@b.c"), "{left}");
        // A session that was handed out is no such reply.
        assert!(emptied_reply(r#"{"api_key":"lyc_s"}"#).is_none());
    }
}
