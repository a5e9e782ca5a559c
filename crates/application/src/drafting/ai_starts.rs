//! Works that AI begins to grade by itself because a learner handed them in. Nobody needs a scope of AI for that, so it
//! is counted by learner, and by package for those who came with its public launch key: in buckets that all nodes
//! share, and that refill evenly over an hour.
//!
//! What is left is looked at when a work is handed in, so that no queue grows of what will not be done, and taken when
//! the work is about to be put to a model: of any number that are handed in at once, on whatever nodes, no more are.

use std::num::NonZeroU32;
use std::time::Duration;

use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::UserId;
use lyceum_ports::running::shared_limits::SharedQuota;

use crate::app::App;
use crate::prelude::*;
use crate::settings::Spending;

/// What a run ends with that was not begun, as `ai_error.code`.
pub const USED_UP: &str = "ai_share_used_up";

/// Whose share of an hour is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsedUp {
    /// The learner's own.
    Learner,
    /// That of all who came with the package.
    Package,
}

impl UsedUp {
    /// For a person.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Learner => {
                "AI has begun to grade as many works of this learner as it may in an hour. The work is handed in; a \
                 teacher can start its grading."
            }
            Self::Package => {
                "AI has begun to grade as many works of learners of this package as it may in an hour. The work is \
                 handed in; a teacher can start its grading."
            }
        }
    }
}

/// Who handed something in, and from whose share it is graded.
#[derive(Debug, Clone, Copy)]
pub struct Starter {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// Whose work it is.
    pub user: UserId,
    /// Who spends.
    pub spender: Spender,
}

impl Starter {
    /// The buckets that it draws on, the learner's own first: who has used up theirs takes nothing from others.
    fn buckets(&self, spending: &Spending) -> Vec<(UsedUp, String, SharedQuota)> {
        let hourly = |amount: NonZeroU32| SharedQuota {
            amount,
            window: Duration::from_hours(1),
        };
        let Self {
            workspace,
            user,
            spender,
        } = self;
        let own = format!("start {workspace} {user}");
        let mut buckets = vec![(UsedUp::Learner, own, hourly(spending.learner_hourly))];
        if let Spender::Package(package) = spender {
            let shared = format!("start {workspace} {package}");
            buckets.push((UsedUp::Package, shared, hourly(spending.package_hourly)));
        }
        buckets
    }
}

/// Whether nothing of a share is left now; it is only looked at.
pub fn used_up(tx: &mut dyn Tx, ctx: &Context, starter: Starter) -> Result<Option<UsedUp>, Error> {
    for (whose, bucket, quota) in starter.buckets(&ctx.settings.spending) {
        let standing = tx.shared_limits().look(&bucket, quota, ctx.now)?;
        if standing.taken.is_err() {
            return Ok(Some(whose));
        }
    }
    Ok(None)
}

/// Takes one of each share, or says whose is used up.
pub async fn take(app: &App, starter: Starter) -> Result<Option<UsedUp>, Error> {
    let now = app.clock.now();
    for (whose, bucket, quota) in starter.buckets(&app.settings.spending) {
        let taking = app
            .store
            .write(move |tx| Ok::<_, Error>(tx.shared_limits().take(&bucket, quota, 1, now)?));
        if taking.await?.taken.is_err() {
            return Ok(Some(whose));
        }
    }
    Ok(None)
}
