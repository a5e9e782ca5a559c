//! Mails that wait to be sent, and what came of those that were.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::ids::MailId;
use lyceum_domain::notifying::letters::MailTemplate;
use lyceum_domain::notifying::mails::{MailStatus, OutgoingMail};
use lyceum_domain::text::Email;

use crate::error::StoreError;
use crate::running::nodes::{Lease, NodeId};

/// How many mails of one workspace, or of none, are under way at once, on all nodes together: a thousand invitations of one keep
/// nobody's sign-in link waiting. Nodes that claim at the same moment may exceed it for a while.
pub const MAIL_SHARE: u16 = 4;

/// Where mails are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MailRepository {
    /// Adds a mail; what it says is encrypted at rest.
    fn insert(&mut self, mail: &OutgoingMail) -> Result<(), StoreError>;
    /// The mail with this id.
    fn find(&mut self, id: MailId) -> Result<Option<OutgoingMail>, StoreError>;
    /// Where those of these mails are in their lives that are still known.
    fn statuses(&mut self, ids: &[MailId]) -> Result<Vec<(MailId, MailStatus)>, StoreError>;
    /// How many mails of a text were asked for to an address since a moment.
    fn count_since(
        &mut self,
        to: &Email,
        template: MailTemplate,
        since: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Takes up to `limit` due mails, raising their attempts by one; nobody else gets them before the lease ends. Workspaces, and
    /// what is of none, take turns: who has least under way comes first and then who comes behind `turn`, which is moved on; of
    /// one the longest waiting come first, and no more than [`MAIL_SHARE`] are under way.
    fn claim(
        &mut self,
        lease: &Lease,
        turn: &mut Option<String>,
        limit: u16,
    ) -> Result<Vec<OutgoingMail>, StoreError>;
    /// Stores how an attempt ended; false, and nothing stored, if the mail was taken by somebody else since, or is gone. What it
    /// said is removed with its end.
    fn settle(&mut self, mail: &OutgoingMail) -> Result<bool, StoreError>;
    /// Removes up to `limit` mails that were asked for before `oldest`; how many those were.
    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
    /// Makes every leased mail due now: for the start of a process when no other can be alive.
    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError>;
    /// Makes what these nodes hold due now, because they are gone; how many mails those were.
    fn release_leases_of(&mut self, nodes: &[NodeId], now: Timestamp) -> Result<u64, StoreError>;
    /// Puts right up to `limit` mails that were written by a clock that was ahead of `now`: who waits, waits as long as was meant
    /// when it was written, and no lease lasts longer than `lease`. How many those were.
    fn set_right(&mut self, now: Timestamp, lease: Duration, limit: u16)
    -> Result<u64, StoreError>;
}
