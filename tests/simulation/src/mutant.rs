//! Ways to break the service under the application's feet: each takes away something that a promise rests on, and a
//! simulation that does not notice is worth nothing.

use crate::rows::Rows;
use crate::store::Doing;

/// What is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// Whoever once held a claim may still settle it: no check of state and attempt.
    NoFence,
    /// Some transactions are acknowledged and not kept.
    LostCommits,
    /// Idempotency keys are forgotten.
    ForgottenKeys,
    /// What is told of an event changes between attempts.
    ChangedBytes,
    /// Some deliveries vanish.
    LostDeliveries,
    /// Leases of jobs never end.
    EndlessLeases,
}

impl Mutant {
    /// Every one.
    pub const ALL: &'static [Self] = &[
        Self::NoFence,
        Self::LostCommits,
        Self::ForgottenKeys,
        Self::ChangedBytes,
        Self::LostDeliveries,
        Self::EndlessLeases,
    ];

    /// What it does before a transaction of somebody who holds, or held, a claim.
    pub fn before(self, rows: &Rows, doing: &Doing) {
        if self != Self::NoFence {
            return;
        }
        match doing {
            Doing::Job { id, attempt } => rows.execute(&format!(
                "UPDATE jobs SET attempt = {attempt}, state = 'running' WHERE id = '{id}'"
            )),
            Doing::Delivery { id, attempts } => rows.execute(&format!(
                "UPDATE webhook_deliveries SET attempts = {attempts}, status = 'pending' WHERE id = '{id}'"
            )),
            Doing::Claiming(_) => {}
        }
    }

    /// Whether this transaction is acknowledged without being kept.
    pub fn loses(self, random: &mut fastrand::Rng) -> bool {
        self == Self::LostCommits && random.u8(..) < 12
    }

    /// What it does after a transaction.
    pub fn after(self, rows: &Rows, random: &mut fastrand::Rng) {
        let seldom = random.u8(..) < 12;
        match self {
            Self::ForgottenKeys => rows.execute("DELETE FROM idempotency_replies"),
            Self::EndlessLeases => {
                rows.execute("UPDATE jobs SET lease_until = '9999' WHERE state = 'running'");
            }
            Self::ChangedBytes if seldom => rows.execute("UPDATE events SET body = body || ' '"),
            Self::LostDeliveries if seldom => {
                rows.execute("DELETE FROM webhook_deliveries WHERE status = 'pending'");
            }
            Self::NoFence | Self::LostCommits | Self::ChangedBytes | Self::LostDeliveries => {}
        }
    }
}
