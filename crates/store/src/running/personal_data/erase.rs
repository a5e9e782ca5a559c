//! Erasing, statement by statement; the receipt says what each did.

use std::collections::HashSet;
use std::hash::Hash;

use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{EventId, SubmissionId};
use lyceum_domain::running::personal_data::TableErasure;
use lyceum_ports::running::idempotency::ReplyKey;
use lyceum_ports::running::personal_data::PersonTraces;
use lyceum_ports::running::trash::TrashRepository;
use serde_json::json;

use super::searched::{emptied_event, emptied_reply};
use crate::mapping::schema::{
    ai_calls, api_keys, attempts, batch_items, bulk_writes, digests, due_overrides, events,
    idempotency_replies, jobs, lesson_completions, login_tokens, mails, people, scorm_learners,
    tutor_turns, users, webhook_deliveries,
};
use crate::prelude::*;

impl Session<'_> {
    pub(super) fn erase_about(
        &mut self,
        user: &User,
        submissions: &[SubmissionId],
        found: &PersonTraces,
        since: Timestamp,
    ) -> Result<Vec<TableErasure>, StoreError> {
        let mut submissions: Vec<String> = submissions.iter().map(ToString::to_string).collect();
        submissions.extend(self.submissions_in_trash(user)?);
        // First, while it is still known which keys and submissions are theirs.
        let events = both(&found.events, self.events_about(user, Some(since))?);
        let replies = both(&found.replies, self.replies_about(user, Some(since))?);
        let mut done = self.empty_events(user, &events)?;
        done.push(self.empty_replies(user, &replies)?);
        done.extend(self.erase_learning(user)?);
        done.extend(self.erase_work_on(user, &submissions)?);
        done.extend(self.erase_ways_in(user)?);
        done.push(self.erase_bulk_writes(user)?);
        done.push(self.erase_digests(user)?);
        done.push(self.erase_mails(user)?);
        // Last, because it is where some of their submissions are known from.
        let in_trash = TrashRepository::erase(self, user)?;
        let why = "removed; what was deleted comes back without it";
        done.push(TableErasure::erased("trash_rows", in_trash, why));
        Ok(done)
    }

    /// What they learned and talked about.
    fn erase_learning(&mut self, user: &User) -> Result<Vec<TableErasure>, StoreError> {
        let (workspace, id) = (user.workspace_id.to_string(), user.id.to_string());
        let turns = self.run(|conn| {
            diesel::delete(tutor_turns::table)
                .filter(tutor_turns::workspace_id.eq(&workspace))
                .filter(tutor_turns::user_id.eq(&id))
                .execute(conn)
        })?;
        let answered = self.run(|conn| {
            diesel::update(attempts::table)
                .filter(attempts::workspace_id.eq(&workspace))
                .filter(attempts::user_id.eq(&id))
                .set((
                    attempts::answers.eq(Json(json!({}))),
                    attempts::results.eq(Json(json!([]))),
                ))
                .execute(conn)
        })?;
        let given = self.run(|conn| {
            diesel::delete(due_overrides::table)
                .filter(due_overrides::workspace_id.eq(&workspace))
                .filter(due_overrides::user_id.eq(&id))
                .execute(conn)
        })?;
        let completed: i64 = self.run(|conn| {
            lesson_completions::table
                .filter(lesson_completions::workspace_id.eq(&workspace))
                .filter(lesson_completions::user_id.eq(&id))
                .count()
                .get_result(conn)
        })?;
        Ok(vec![
            erased("tutor_turns", turns, "removed"),
            erased(
                "attempts",
                answered,
                "answers and feedback removed; points kept under the pseudonym",
            ),
            erased(
                "due_overrides",
                given,
                "removed; what was handed in keeps the due date that held",
            ),
            TableErasure::kept(
                "lesson_completions",
                rows::number(completed)?,
                "ids and moments under the pseudonym",
            ),
        ])
    }

    /// What is being done, or was sent, on behalf of their submissions.
    fn erase_work_on(
        &mut self,
        user: &User,
        submissions: &[String],
    ) -> Result<Vec<TableErasure>, StoreError> {
        let workspace = user.workspace_id.to_string();
        // Whoever is at work on one finds its claim gone, and settles nothing.
        let canceled = self.run(|conn| {
            diesel::delete(jobs::table)
                .filter(jobs::workspace_id.eq(&workspace))
                .filter(jobs::subject_id.eq_any(submissions))
                .execute(conn)
        })?;
        let calls = self.run(|conn| {
            diesel::update(ai_calls::table)
                .filter(ai_calls::workspace_id.eq(&workspace))
                .filter(ai_calls::subject_id.eq_any(submissions))
                .set(ai_calls::request_id.eq(None::<String>))
                .execute(conn)
        })?;
        let previewed = self.run(|conn| {
            diesel::delete(batch_items::table)
                .filter(batch_items::workspace_id.eq(&workspace))
                .filter(batch_items::submission_id.eq_any(submissions))
                .execute(conn)
        })?;
        Ok(vec![
            erased(
                "batch_items",
                previewed,
                "what a regrade would give, and what stood before one, removed",
            ),
            erased("jobs", canceled, "canceled and removed"),
            erased(
                "ai_calls",
                calls,
                "the provider's name of the request removed; where it went and what it cost kept, no text was there",
            ),
        ])
    }

    /// Sessions, one-time tokens and links from LMSs.
    fn erase_ways_in(&mut self, user: &User) -> Result<Vec<TableErasure>, StoreError> {
        let (workspace, id) = (user.workspace_id.to_string(), user.id.to_string());
        let person = user.person_id.to_string();
        let tokens = self.run(|conn| {
            diesel::delete(login_tokens::table)
                .filter(login_tokens::workspace_id.eq(&workspace))
                .filter(login_tokens::user_id.eq(&id))
                .execute(conn)
        })?;
        let links = self.run(|conn| {
            diesel::delete(scorm_learners::table)
                .filter(scorm_learners::workspace_id.eq(&workspace))
                .filter(scorm_learners::user_id.eq(&id))
                .execute(conn)
        })?;
        let sessions = self.run(|conn| {
            diesel::delete(api_keys::table)
                .filter(api_keys::workspace_id.eq(&workspace))
                .filter(api_keys::person_id.eq(&person))
                .execute(conn)
        })?;
        Ok(vec![
            erased("login_tokens", tokens, "removed"),
            erased("scorm_learners", links, "removed"),
            erased(
                "api_keys",
                sessions,
                "sessions and keys of this workspace removed",
            ),
        ])
    }

    /// What they asked for by the hundred: whoever is at work on it finds it gone, and writes no more rows.
    fn erase_bulk_writes(&mut self, user: &User) -> Result<TableErasure, StoreError> {
        let removed = self.run(|conn| {
            diesel::delete(bulk_writes::table)
                .filter(bulk_writes::workspace_id.eq(user.workspace_id.to_string()))
                .filter(bulk_writes::asked_by.eq(user.id.to_string()))
                .execute(conn)
        })?;
        Ok(erased(
            "bulk_writes",
            removed,
            "removed; what was not yet written is not",
        ))
    }

    /// That they are told by mail what waits.
    fn erase_digests(&mut self, user: &User) -> Result<TableErasure, StoreError> {
        let removed = self.run(|conn| {
            diesel::delete(digests::table)
                .filter(digests::workspace_id.eq(user.workspace_id.to_string()))
                .filter(digests::user_id.eq(user.id.to_string()))
                .execute(conn)
        })?;
        Ok(erased("digests", removed, "removed"))
    }

    /// What was sent to them on behalf of this workspace; what still waits is not sent.
    fn erase_mails(&mut self, user: &User) -> Result<TableErasure, StoreError> {
        let removed = self.run(|conn| {
            diesel::delete(mails::table)
                .filter(mails::workspace_id.eq(user.workspace_id.to_string()))
                .filter(mails::address.eq(user.email.as_str()))
                .execute(conn)
        })?;
        Ok(erased("mails", removed, "removed; what waited is not sent"))
    }

    fn empty_events(
        &mut self,
        user: &User,
        about: &[EventId],
    ) -> Result<Vec<TableErasure>, StoreError> {
        let workspace = user.workspace_id.to_string();
        let about = self.event_texts(user.workspace_id, about)?;
        let ids: Vec<&String> = about.iter().map(|(id, _)| id).collect();
        let told = self.run(|conn| {
            diesel::update(webhook_deliveries::table)
                .filter(webhook_deliveries::workspace_id.eq(&workspace))
                .filter(webhook_deliveries::event_id.eq_any(&ids))
                .set((
                    webhook_deliveries::last_error.eq(None::<String>),
                    webhook_deliveries::attempt_log.eq(Json::strings(&[])),
                ))
                .execute(conn)
        })?;
        for (id, body) in &about {
            let left = emptied_event(body).unwrap_or_else(|| "{}".to_owned());
            self.run(|conn| {
                diesel::update(events::table)
                    .filter(events::workspace_id.eq(&workspace))
                    .filter(events::id.eq(id))
                    .set(events::body.eq(left))
                    .execute(conn)
            })?;
        }
        Ok(vec![
            erased(
                "events",
                about.len(),
                "what they tell of removed; that it happened kept",
            ),
            erased(
                "webhook_deliveries",
                told,
                "what the receiver answered removed; what still waits is sent without what was erased",
            ),
        ])
    }

    fn empty_replies(
        &mut self,
        user: &User,
        about: &[ReplyKey],
    ) -> Result<TableErasure, StoreError> {
        let mut count = 0;
        for key in about {
            count += self.empty_reply(user, key)?;
        }
        let why = "what they say removed; that the request was answered kept";
        Ok(erased("idempotency_replies", count, why))
    }

    /// How many that were: it may have been forgotten meanwhile.
    fn empty_reply(&mut self, user: &User, key: &ReplyKey) -> Result<usize, StoreError> {
        let place = rows::stored_workspace(key);
        let one = || idempotency_replies::table.find((key.person_id.to_string(), &place, &key.key));
        let sealed: Option<String> = self.run(|conn| {
            let reply = one().select(idempotency_replies::reply);
            reply.first(conn).optional()
        })?;
        let Some(sealed) = sealed else { return Ok(0) };
        let reply = self.vault.open(&sealed)?;
        // A key that tells of them can only go with its reply.
        match emptied_reply(&reply).filter(|_| !key.key.contains(user.email.as_str())) {
            Some(left) => {
                let left = (
                    idempotency_replies::reply.eq(self.vault.seal(&left)?),
                    idempotency_replies::subjects.eq(""),
                );
                self.run(|conn| diesel::update(one()).set(left).execute(conn))
            }
            None => self.run(|conn| diesel::delete(one()).execute(conn)),
        }
    }

    /// Ends what ties the person to this workspace; who belongs to no other is forgotten whole. The receipt says the same
    /// either way: whether somebody is known elsewhere is not this workspace's to hear.
    pub(super) fn forget(&mut self, before: &User) -> Result<Vec<TableErasure>, StoreError> {
        let (workspace, person) = (
            before.workspace_id.to_string(),
            before.person_id.to_string(),
        );
        let untied = self.run(|conn| {
            diesel::update(api_keys::table)
                .filter(api_keys::person_id.eq(&person))
                .filter(api_keys::made_in.eq(&workspace))
                .set(api_keys::made_in.eq(None::<String>))
                .execute(conn)
        })?;
        let elsewhere: i64 = self.run(|conn| {
            users::table
                .filter(users::person_id.eq(&person))
                .count()
                .get_result(conn)
        })?;
        // Whose membership of elsewhere may come back from the trash is known there.
        let may_come_back = self.membership_in_trash(before.person_id)?;
        if elsewhere == 0 && !may_come_back {
            self.forget_whole(&person, before.email.as_str())?;
        }
        let why = "no longer tied to this workspace; forgotten with the last one that holds a record of the person";
        Ok(vec![
            erased("people", 1, why),
            erased("api_keys", untied, why),
        ])
    }

    /// With their keys, with what was answered at their account, and with what was sent to them.
    fn forget_whole(&mut self, person: &str, email: &str) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(mails::table)
                .filter(mails::address.eq(email))
                .execute(conn)
        })?;
        self.run(|conn| {
            diesel::delete(idempotency_replies::table)
                .filter(idempotency_replies::person_id.eq(person))
                .filter(idempotency_replies::workspace_id.eq(""))
                .execute(conn)
        })?;
        let one = people::table.filter(people::id.eq(person));
        self.run(|conn| diesel::delete(one).execute(conn)).map(drop)
    }
}

/// What was found before, and what was found now and not before.
fn both<T: Clone + Eq + Hash>(before: &[T], now: Vec<T>) -> Vec<T> {
    let known: HashSet<&T> = before.iter().collect();
    let new = now.into_iter().filter(|one| !known.contains(one));
    let new: Vec<T> = new.collect();
    before.iter().cloned().chain(new).collect()
}

fn erased(table: &str, rows: usize, why: &str) -> TableErasure {
    TableErasure::erased(table, u64::try_from(rows).unwrap_or(u64::MAX), why)
}
