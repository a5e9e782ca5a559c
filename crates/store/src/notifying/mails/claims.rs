//! Taking due mails, by turns of the workspaces; and those that were written by a clock that was ahead.

use std::collections::HashMap;
use std::time::Duration;

use diesel::dsl::count_star;
use lyceum_domain::notifying::letters::MailTemplate;
use lyceum_domain::notifying::mails::OutgoingMail;
use lyceum_ports::notifying::mails::MAIL_SHARE;
use lyceum_ports::running::nodes::Lease;

use super::{MailRow, is_free, pending};
use crate::mapping::schema::mails;
use crate::prelude::*;
use crate::running::fair::{RoundRobin, Step, WaitingQueue, take_fairly};

/// Most workspaces that one claim looks up; the next goes on behind them.
const LOOKED_UP: usize = 64;

/// The texts that this version has.
fn known() -> Vec<&'static str> {
    let all = MailTemplate::ALL.iter();
    all.map(|template| template.as_str()).collect()
}

impl Session<'_> {
    /// Takes what may be taken, and moves the turn on to whoever was served last.
    pub(super) fn claim_mails(
        &mut self,
        lease: &Lease,
        turn: &mut Option<String>,
        limit: usize,
    ) -> Result<Vec<OutgoingMail>, StoreError> {
        let now = Moment(lease.from);
        let parties = self.waiting_parties(now, turn, limit)?;
        let dealt = take_fairly(parties, MAIL_SHARE.into(), limit);
        if let Some(last) = dealt.last() {
            *turn = Some(last.party.clone());
        }
        self.lease_mails(dealt, lease)
    }

    /// What is due of each behind the turn, until enough have nothing under way. Where there were too many to see them all, the
    /// turn is where this came to.
    fn waiting_parties(
        &mut self,
        now: Moment,
        turn: &mut Option<String>,
        limit: usize,
    ) -> Result<Vec<WaitingQueue<MailRow>>, StoreError> {
        let mut circle = RoundRobin::behind(turn.clone());
        let (mut parties, mut idle) = (Vec::new(), 0);
        let mut leased = None;
        for _ in 0..LOOKED_UP {
            let party = match circle.step(self.next_party(circle.position())?) {
                Step::At(party) => party,
                Step::Wrapped => continue,
                Step::Over => return Ok(parties),
            };
            // Mostly nothing waits, and then nothing is counted.
            let under_way = match &leased {
                Some(counted) => counted,
                None => leased.insert(self.leased_mails(now)?),
            };
            let taken = under_way.get(&party).copied().unwrap_or_default();
            let room = usize::from(MAIL_SHARE).saturating_sub(taken).min(limit);
            let due = self.due_of_party(now, &party, room)?;
            if due.is_empty() {
                continue;
            }
            idle += usize::from(taken == 0);
            parties.push(WaitingQueue {
                taken,
                waiting: due.into(),
            });
            if idle == limit {
                return Ok(parties);
            }
        }
        *turn = Some(circle.position().to_owned());
        Ok(parties)
    }

    /// The first behind this one that has anything waiting.
    fn next_party(&mut self, behind: &str) -> Result<Option<String>, StoreError> {
        self.run(|conn| {
            let query = mails::table
                .filter(pending())
                .filter(mails::party.gt(behind))
                .order(mails::party.asc())
                .select(mails::party);
            let row = on_either!(conn, CachedByText(query.limit(1)).get_result(conn));
            row.optional()
        })
    }

    /// How many are under way, by whose they are.
    fn leased_mails(&mut self, now: Moment) -> Result<HashMap<String, usize>, StoreError> {
        let counted = self.run(|conn| {
            let query = mails::table
                .filter(pending())
                .filter(mails::lease_until.is_not_null())
                .filter(mails::lease_until.ge(now).assume_not_null())
                .group_by(mails::party)
                .select((mails::party, count_star()));
            on_either!(conn, CachedByText(query).load::<(String, i64)>(conn))
        })?;
        counted
            .into_iter()
            .map(|(party, count)| Ok((party, rows::number(count)?)))
            .collect()
    }

    /// The longest waiting of one.
    fn due_of_party(
        &mut self,
        now: Moment,
        party: &str,
        limit: usize,
    ) -> Result<Vec<MailRow>, StoreError> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        self.run(|conn| {
            let query = mails::table
                .filter(pending())
                .filter(mails::party.eq(party))
                .filter(mails::next_attempt_at.le(now))
                // Those of a later version wait for a node of it.
                .filter(mails::template.eq_any(known()))
                .filter(is_free(now))
                .order((mails::next_attempt_at.asc(), mails::id.asc()))
                .limit(rows::stored_number(limit));
            on_either!(
                conn,
                CachedByText(query.select(MailRow::as_select())).load(conn)
            )
        })
    }

    /// Takes these, raising their attempts, except for what another node is just taking.
    fn lease_mails(
        &mut self,
        due: Vec<MailRow>,
        lease: &Lease,
    ) -> Result<Vec<OutgoingMail>, StoreError> {
        let vault = self.vault;
        let mut taken = Vec::new();
        for mut row in due {
            if !self.lock_mail(&row.id, Moment(lease.from))? {
                continue;
            }
            row.attempts += 1;
            self.run(|conn| {
                let query = diesel::update(mails::table)
                    .filter(mails::id.eq(&row.id))
                    .set((
                        mails::attempts.eq(row.attempts),
                        mails::lease_until.eq(Moment(lease.until)),
                        mails::node_id.eq(lease.node.0.to_string()),
                    ));
                on_either!(conn, CachedByText(query).execute(conn))
            })?;
            taken.push(row.opened(vault)?);
        }
        Ok(taken)
    }

    /// Puts a mail out of the reach of other nodes until the transaction ends; false where one has it in hand.
    fn lock_mail(&mut self, id: &str, now: Moment) -> Result<bool, StoreError> {
        let locked: Option<String> = self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => mails::table
                .filter(mails::id.eq(id))
                .filter(pending())
                .filter(is_free(now))
                .select(mails::id)
                .for_update()
                .skip_locked()
                .first(conn)
                .optional(),
            // There is one writer, and it is in this transaction.
            AnyConnection::Sqlite(_) => Ok(Some(id.to_owned())),
        })?;
        Ok(locked.is_some())
    }

    /// See the same for jobs.
    pub(super) fn set_mails_right(
        &mut self,
        now: Timestamp,
        lease: Duration,
        limit: u16,
    ) -> Result<u64, StoreError> {
        let ahead: Vec<(String, Moment, Moment)> = self.run(|conn| {
            let query = mails::table
                .filter(pending())
                .filter(mails::next_attempt_at.is_not_null())
                .filter(mails::next_attempt_at.gt(Moment(now)))
                .filter(mails::updated_at.gt(Moment(now)))
                .order(mails::next_attempt_at.desc())
                .limit(limit.into())
                .select((
                    mails::id,
                    mails::next_attempt_at.assume_not_null(),
                    mails::updated_at,
                ));
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        for (id, next, written_at) in &ahead {
            let due = now.plus(next.0.since(written_at.0));
            self.run(|conn| {
                let query = diesel::update(mails::table)
                    .filter(mails::id.eq(id))
                    .filter(pending())
                    .set((
                        mails::next_attempt_at.eq(Some(Moment(due))),
                        mails::updated_at.eq(Moment(now)),
                    ));
                on_either!(conn, CachedByText(query).execute(conn))
            })?;
        }
        let longest = Moment(now.plus(lease));
        let leased = self.run(|conn| {
            let query = diesel::update(mails::table)
                .filter(pending())
                .filter(mails::lease_until.gt(longest))
                .set(mails::lease_until.eq(Some(longest)));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(ahead.len() + leased))
    }
}
