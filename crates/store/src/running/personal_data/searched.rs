//! Rows that are about a person by what is in them: events, their deliveries, remembered replies.

use lyceum_domain::identity::users::User;
use lyceum_domain::ids::EventId;
use lyceum_domain::running::personal_data::TableRows;
use lyceum_ports::running::idempotency::ReplyKey;
use serde_json::{Value, json};

use super::stub;
use super::subjects::Sought;
use crate::mapping::conditions::has;
use crate::mapping::schema::{
    api_keys, events, idempotency_replies, submissions, webhook_deliveries,
};
use crate::prelude::*;

/// The id and the body of an event.
type EventText = (String, String);

/// Whose, where, which; what it may tell of; when.
type ReplyMarks = (String, String, String, Option<String>);

/// Replies that are looked at in one go.
const AT_ONCE: i64 = 5_000;

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

    /// Events about the person or their things, or that carry their id as a member or their address anywhere; of those
    /// since a moment, or of all.
    pub(super) fn events_about(
        &mut self,
        user: &User,
        since: Option<Timestamp>,
    ) -> Result<Vec<EventId>, StoreError> {
        let things = self.things_of(user)?;
        let naming = has(
            self.conn,
            "events.body",
            &format!("\"user_id\":\"{}\"", user.id),
        );
        let telling = has(self.conn, "events.body", user.email.as_str());
        let found: Vec<String> = self.run(|conn| {
            let mut about = events::table
                .filter(events::workspace_id.eq(user.workspace_id.to_string()))
                .filter(events::object_id.eq_any(things).or(naming).or(telling))
                .order(events::id)
                .select(events::id)
                .into_boxed();
            if let Some(since) = since {
                about = about.filter(events::created_at.ge(Moment(since)));
            }
            about.load(conn)
        })?;
        found.iter().map(|id| rows::id(id)).collect()
    }

    /// What these events say.
    pub(super) fn event_texts(
        &mut self,
        workspace: WorkspaceId,
        ids: &[EventId],
    ) -> Result<Vec<EventText>, StoreError> {
        let ids = ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        self.run(|conn| {
            events::table
                .filter(events::workspace_id.eq(workspace.to_string()))
                .filter(events::id.eq_any(ids))
                .order(events::id)
                .select((events::id, events::body))
                .load(conn)
        })
    }

    /// Replies to the person, and replies that tell of them; of those since a moment, or of all.
    ///
    /// What a reply tells is sealed. Marks beside it say which may tell of them, and these few are opened.
    pub(super) fn replies_about(
        &mut self,
        user: &User,
        since: Option<Timestamp>,
    ) -> Result<Vec<ReplyKey>, StoreError> {
        let needles = self.things_of(user)?;
        let sought = Sought::new(user.email.as_str(), &needles);
        let person = user.person_id.to_string();
        let mut about = Vec::new();
        let mut last = None;
        loop {
            let marks = self.marks_after(user.workspace_id, last.as_ref(), since)?;
            for (whose, place, key, marks) in &marks {
                let theirs = *whose == person;
                let tells = theirs
                    || marks.as_ref().is_none_or(|it| sought.is_among(it))
                        && self.reply_tells((whose, place, key), user, &needles)?;
                if tells {
                    about.push(reply_key(whose, place, key)?);
                }
            }
            last = marks
                .into_iter()
                .next_back()
                .map(|(whose, place, key, _)| (whose, place, key));
            if last.is_none() {
                return Ok(about);
            }
        }
    }

    /// The next replies of a workspace in the order of their keys. What was asked for at a person's account is theirs, and
    /// none of the workspace's.
    fn marks_after(
        &mut self,
        workspace: WorkspaceId,
        last: Option<&(String, String, String)>,
        since: Option<Timestamp>,
    ) -> Result<Vec<ReplyMarks>, StoreError> {
        use idempotency_replies as replies;
        let workspace = workspace.to_string();
        self.run(|conn| {
            let mut found = replies::table
                .filter(replies::workspace_id.eq(&workspace))
                .order((replies::person_id, replies::workspace_id, replies::key))
                .limit(AT_ONCE)
                .select((
                    replies::person_id,
                    replies::workspace_id,
                    replies::key,
                    replies::subjects,
                ))
                .into_boxed();
            if let Some((person, place, key)) = last {
                found = found.filter(
                    replies::person_id
                        .gt(person)
                        .or(replies::person_id.eq(person).and(
                            replies::workspace_id
                                .gt(place)
                                .or(replies::workspace_id.eq(place).and(replies::key.gt(key))),
                        )),
                );
            }
            if let Some(since) = since {
                found = found.filter(replies::created_at.ge(Moment(since)));
            }
            found.load(conn)
        })
    }

    /// Whether a reply tells of somebody with these things.
    fn reply_tells(
        &mut self,
        (whose, place, key): (&str, &str, &str),
        user: &User,
        needles: &[String],
    ) -> Result<bool, StoreError> {
        let sealed: String = self.run(|conn| {
            idempotency_replies::table
                .find((whose, place, key))
                .select(idempotency_replies::reply)
                .first(conn)
        })?;
        let reply = self.vault.open(&sealed)?;
        let tells = |text: &str| {
            text.contains(user.email.as_str()) || needles.iter().any(|needle| text.contains(needle))
        };
        Ok(tells(&reply) || tells(key))
    }

    pub(super) fn searched_rows(&mut self, user: &User) -> Result<Vec<TableRows>, StoreError> {
        let found = self.events_about(user, None)?;
        let events = self.event_texts(user.workspace_id, &found)?;
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
        let replies = self.replies_about(user, None)?;
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
                    .map(|reply| json!({ "idempotency_key": reply.key }))
                    .collect(),
            },
        ])
    }
}

fn reply_key(whose: &str, place: &str, key: &str) -> Result<ReplyKey, StoreError> {
    let workspace_id = if place.is_empty() {
        None
    } else {
        Some(rows::id(place)?)
    };
    Ok(ReplyKey {
        person_id: rows::id(whose)?,
        workspace_id,
        key: key.to_owned(),
    })
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
