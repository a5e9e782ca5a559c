//! Mails in rows, with what they say encrypted for as long as it is needed.

mod claims;

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use lyceum_domain::ids::MailId;
use lyceum_domain::notifying::letters::{Letter, MailTemplate};
use lyceum_domain::notifying::mails::{MailState, MailStatus, OutgoingMail};
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_ports::notifying::mails::MailRepository;
use lyceum_ports::running::nodes::{Lease, NodeId};

use crate::mapping::schema::mails;
use crate::mapping::vault::Vault;
use crate::prelude::*;

/// Whose turn it is where there is no workspace; before every workspace in the order of the turns.
const NOBODY: &str = "-";

/// A mail without its lease, which is nobody's business but the queue's.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = mails, primary_key(id), treat_none_as_null = true)]
struct MailRow {
    id: String,
    workspace_id: Option<String>,
    party: String,
    address: String,
    language: String,
    template: String,
    content: Option<String>,
    withheld: bool,
    status: String,
    attempts: i64,
    next_attempt_at: Option<Moment>,
    last_error: Option<String>,
    not_after: Moment,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl MailRow {
    fn sealed(mail: &OutgoingMail, vault: &Vault) -> Result<Self, StoreError> {
        let (next_attempt_at, content) = match &mail.state {
            MailState::Pending {
                next_attempt_at,
                letter,
            } => {
                let content = letter.as_ref().map(|letter| sealed(letter, vault));
                (Some(Moment(*next_attempt_at)), content.transpose()?)
            }
            MailState::Sent | MailState::Dropped | MailState::Failed => (None, None),
        };
        let workspace_id = mail.workspace_id.map(|workspace| workspace.to_string());
        Ok(Self {
            id: mail.id.to_string(),
            party: workspace_id.clone().unwrap_or_else(|| NOBODY.to_owned()),
            workspace_id,
            address: mail.to.to_string(),
            language: mail.language.to_string(),
            template: mail.template.to_string(),
            content,
            withheld: mail.withheld,
            status: mail.state.status().to_string(),
            attempts: mail.attempts.into(),
            next_attempt_at,
            last_error: mail.last_error.clone(),
            not_after: mail.not_after.into(),
            created_at: mail.stamp.created_at.into(),
            updated_at: mail.stamp.updated_at.into(),
            version: mail.stamp.version,
        })
    }

    fn opened(self, vault: &Vault) -> Result<OutgoingMail, StoreError> {
        let template = rows::read(MailTemplate::parse(&self.template))?;
        Ok(OutgoingMail {
            id: rows::id(&self.id)?,
            workspace_id: rows::optional_id(self.workspace_id.as_ref())?,
            to: rows::read(Email::parse(&self.address))?,
            language: rows::read(LanguageTag::parse(&self.language))?,
            template,
            withheld: self.withheld,
            not_after: self.not_after.0,
            state: match rows::read(MailStatus::parse(&self.status))? {
                MailStatus::Pending => MailState::Pending {
                    next_attempt_at: self.next_attempt_at.unwrap_or(self.updated_at).0,
                    letter: opened(&self.id, template, self.content.as_deref(), vault),
                },
                MailStatus::Sent => MailState::Sent,
                MailStatus::Dropped => MailState::Dropped,
                MailStatus::Failed => MailState::Failed,
            },
            attempts: rows::number(self.attempts)?,
            last_error: self.last_error,
            stamp: rows::stamp(self.created_at, self.updated_at, self.version),
        })
    }
}

fn sealed(letter: &Letter, vault: &Vault) -> Result<String, StoreError> {
    vault.seal(&serde_json::to_string(letter.values()).map_err(corrupt)?)
}

/// What a mail says. One that no key opens is given up by itself, and keeps no other from being sent.
fn opened(
    id: &str,
    template: MailTemplate,
    content: Option<&str>,
    vault: &Vault,
) -> Option<Letter> {
    let values = vault
        .open(content?)
        .and_then(|text| serde_json::from_str::<BTreeMap<String, String>>(&text).map_err(corrupt));
    match values {
        Ok(values) => Some(Letter::kept(template, values)),
        Err(error) => {
            tracing::error!(mail = id, %error, "what a mail says cannot be read");
            None
        }
    }
}

impl MailRepository for Session<'_> {
    fn insert(&mut self, mail: &OutgoingMail) -> Result<(), StoreError> {
        let row = MailRow::sealed(mail, self.vault)?;
        self.put_row(|conn| {
            let insert = diesel::insert_into(mails::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, id: MailId) -> Result<Option<OutgoingMail>, StoreError> {
        let vault = self.vault;
        let found = self.run(|conn| {
            let query = mails::table.find(id.to_string());
            let row = on_either!(conn, query.select(MailRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(|row: MailRow| row.opened(vault)).transpose()
    }

    fn statuses(&mut self, ids: &[MailId]) -> Result<Vec<(MailId, MailStatus)>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found: Vec<(String, String)> = self.run(|conn| {
            mails::table
                .filter(mails::id.eq_any(&ids))
                .select((mails::id, mails::status))
                .load(conn)
        })?;
        let read = |(id, status): (String, String)| {
            let status = rows::read(MailStatus::parse(&status))?;
            Ok((Stored::read(id)?, status))
        };
        found.into_iter().map(read).collect()
    }

    fn count_since(
        &mut self,
        to: &Email,
        template: MailTemplate,
        since: Timestamp,
    ) -> Result<u64, StoreError> {
        let counted: i64 = self.run(|conn| {
            let query = mails::table
                .filter(mails::address.eq(to.as_str()))
                .filter(mails::template.eq(template.as_str()))
                .filter(mails::created_at.gt(Moment(since)))
                .count();
            on_either!(conn, query.get_result(conn))
        })?;
        rows::number(counted)
    }

    fn claim(
        &mut self,
        lease: &Lease,
        turn: &mut Option<String>,
        limit: u16,
    ) -> Result<Vec<OutgoingMail>, StoreError> {
        self.claim_mails(lease, turn, limit.into())
    }

    fn settle(&mut self, mail: &OutgoingMail) -> Result<bool, StoreError> {
        let row = MailRow::sealed(mail, self.vault)?;
        let settled = self.run(|conn| {
            let query = diesel::update(mails::table)
                .filter(mails::id.eq(&row.id))
                .filter(pending())
                .filter(mails::attempts.eq(row.attempts))
                .set((&row, mails::lease_until.eq(None::<Moment>)));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        Ok(settled == 1)
    }

    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let old: Vec<String> = self.run(|conn| {
            let query = mails::table
                .filter(mails::created_at.lt(Moment(oldest)))
                .order(mails::created_at.asc())
                .limit(limit.into())
                .select(mails::id);
            on_either!(conn, query.load(conn))
        })?;
        if old.is_empty() {
            return Ok(0);
        }
        let forgotten = self.run(|conn| {
            let query = diesel::delete(mails::table).filter(mails::id.eq_any(&old));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(forgotten))
    }

    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            let query = diesel::update(mails::table)
                .filter(pending())
                .filter(mails::lease_until.gt(Moment(now)))
                .set(mails::lease_until.eq(None::<Moment>));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
    }

    fn release_leases_of(&mut self, nodes: &[NodeId], now: Timestamp) -> Result<u64, StoreError> {
        let released = self.run(|conn| {
            let query = diesel::update(mails::table)
                .filter(pending())
                .filter(mails::lease_until.gt(Moment(now)))
                .filter(mails::node_id.eq_any(rows::node_ids(nodes)))
                .set(mails::lease_until.eq(None::<Moment>));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(released))
    }

    fn set_right(
        &mut self,
        now: Timestamp,
        lease: Duration,
        limit: u16,
    ) -> Result<u64, StoreError> {
        self.set_mails_right(now, lease, limit)
    }
}

/// Written out and not bound, because the indexes of what waits are made for the word.
fn pending() -> SqlLiteral<Bool> {
    sql("mails.status = 'pending'")
}

/// Whether nobody has it in hand.
#[diesel::dsl::auto_type(no_type_alias)]
fn is_free(now: Moment) -> _ {
    let is_over: diesel::dsl::AssumeNotNull<diesel::dsl::Lt<mails::lease_until, Moment>> =
        mails::lease_until.lt(now).assume_not_null();
    mails::lease_until.is_null().or(is_over)
}
