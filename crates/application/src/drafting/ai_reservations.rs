//! Budgets that several calls spend from at once, on one node or on many: what a call will probably take is set aside
//! before it is made, and what it took is written down in its place.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::drafting::budget_shares::MonthSoFar;
use lyceum_domain::identity::ai_settings::MonthlyBudget;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::AiReservationId;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{AiError, Usage};
pub use lyceum_ports::drafting::ai_reservations::{AiReservation, SharedBudget};

use crate::app::App;
use crate::drafting::ai_calls::month_so_far;
use crate::prelude::*;
use crate::settings::Spending;

/// After this, whoever set something aside is gone: longer than a piece of work takes from its first call to what it
/// writes down, and as long as work waits for a provider.
const LIFETIME: Duration = Duration::from_mins(15);
/// When to ask again for what others have set aside.
const COME_BACK: Duration = Duration::from_secs(10);

/// Whether a call may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetAside {
    /// It may, and this is set aside for it.
    Done(AiReservationId),
    /// What is left of the month is less; in a sentence.
    UsedUp(String),
    /// What is left of the month would do, if others had not set it aside for calls of theirs.
    SpokenFor,
}

/// From what a call is to be paid.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// Who spends.
    pub spender: Spender,
    /// What the operator decided.
    pub spending: Spending,
    /// Whether it is known what the call costs.
    pub is_priced: bool,
}

/// Sets aside what a call will probably take, if the month's budget still holds it; nobody else does so meanwhile.
pub fn set_aside(
    tx: &mut dyn Tx,
    wanted: &AiReservation,
    purse: Share,
    now: Timestamp,
) -> Result<SetAside, Error> {
    let workspace = wanted.workspace_id;
    let Share {
        spender,
        spending,
        is_priced,
    } = purse;
    tx.ai_reservations().take_turn(workspace)?;
    tx.ai_reservations().forget_expired(workspace, now)?;
    // In this order: what is written down between the two counts twice, not never.
    let (tokens, cost) = tx.ai_reservations().total(workspace, now)?;
    let used = month_so_far(tx, workspace, spender, now)?;
    let Some(found) = tx.workspaces().find(workspace)? else {
        return Ok(SetAside::UsedUp("the workspace is gone".to_owned()));
    };
    let budget = spending.budget_of(&found);
    let lacks = |used: &MonthSoFar| {
        let left = used.left_of(budget, spending.shares, spender);
        lacking(left, spender, wanted, is_priced)
    };
    if let Some(sentence) = lacks(&used) {
        return Ok(SetAside::UsedUp(sentence));
    }
    // Whoever set it aside: a share is never overdrawn, and who has to wait for another's call waits for seconds.
    if lacks(&used.with(tokens, cost)).is_some() {
        return Ok(SetAside::SpokenFor);
    }
    tx.ai_reservations().insert(wanted)?;
    Ok(SetAside::Done(wanted.id))
}

/// What a month's budget lacks for a call after this was used, in a sentence.
fn lacking(
    left: MonthlyBudget,
    spender: Spender,
    wanted: &AiReservation,
    is_priced: bool,
) -> Option<String> {
    let whose = match spender {
        Spender::Staff => "the month",
        Spender::Learners => "the learners' share of the month",
        Spender::Package(_) => "the package's share of the month",
    };
    if let Some(limit) = left.tokens.filter(|limit| wanted.tokens > *limit) {
        let wanted = wanted.tokens;
        return Some(format!(
            "about {wanted} tokens are needed and {limit} are left of {whose}"
        ));
    }
    let limit = left.cost?;
    if !is_priced {
        return Some("a limit in money is set, and no prices are known".to_owned());
    }
    let wanted = wanted.cost;
    (wanted > limit)
        .then(|| format!("about {wanted} USD are needed and {limit} are left of {whose}"))
}

/// The month's budget of a workspace, as all nodes spend from it.
pub struct BudgetReservation {
    app: App,
    workspace: WorkspaceId,
    spender: Spender,
}

impl fmt::Debug for BudgetReservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BudgetReservation({})", self.workspace)
    }
}

impl BudgetReservation {
    /// The budget of a workspace, if it has one.
    pub fn of(app: &App, workspace: &Workspace, spender: Spender) -> Option<Arc<dyn SharedBudget>> {
        if !app.settings.spending.budget_of(workspace).is_set() {
            return None;
        }
        Some(Arc::new(Self {
            app: app.clone(),
            workspace: workspace.id,
            spender,
        }))
    }
}

#[async_trait]
impl SharedBudget for BudgetReservation {
    async fn set_aside(
        &self,
        estimate: Usage,
        cost: Option<MicroUsd>,
    ) -> Result<AiReservationId, AiError> {
        let now = self.app.clock.now();
        let wanted = AiReservation {
            workspace_id: self.workspace,
            id: AiReservationId::from_uuid(self.app.ids.next()),
            tokens: estimate.tokens(),
            cost: cost.unwrap_or_default(),
            expires_at: now.plus(LIFETIME),
        };
        let purse = Share {
            spender: self.spender,
            spending: self.app.settings.spending,
            is_priced: cost.is_some(),
        };
        let asked = self
            .app
            .store
            .write(move |tx| set_aside(tx, &wanted, purse, now))
            .await;
        let unavailable = |reason: String| AiError::Unavailable {
            reason,
            retry_after: Some(COME_BACK),
        };
        match asked {
            Ok(SetAside::Done(id)) => Ok(id),
            Ok(SetAside::UsedUp(sentence)) => Err(AiError::BudgetExceeded(sentence)),
            Ok(SetAside::SpokenFor) => {
                let sentence =
                    "what is left of the month's budget is set aside for calls that are being made";
                Err(unavailable(sentence.to_owned()))
            }
            Err(error) => Err(unavailable(format!(
                "the budget could not be asked: {error}"
            ))),
        }
    }

    async fn take_back(&self, id: AiReservationId) {
        let workspace = self.workspace;
        let work = move |tx: &mut dyn Tx| -> Result<(), Error> {
            Ok(tx.ai_reservations().remove(workspace, id)?)
        };
        if let Err(error) = self.app.store.write(work).await {
            // It ends by itself.
            tracing::warn!(%error, "what was set aside of an AI budget could not be taken back");
        }
    }
}

#[cfg(test)]
mod tests {
    use lyceum_domain::drafting::ai_calls::{AiFeature, CallOutcome};
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_ports::drafting::ai_calls::AiCall;
    use lyceum_ports::mocks::MockTx;

    use super::*;
    use crate::drafting::ai_calls::record;
    use crate::identity::visibility::tests::{context, id};

    #[test]
    fn what_was_set_aside_for_a_call_goes_when_the_call_is_written_down() {
        let ctx = context(Role::Owner, KeyKind::Standard);
        let mut tx = MockTx::default();
        tx.ai_calls.expect_append().once().returning(|_| Ok(()));
        let workspace = ctx.workspace_id();
        tx.ai_reservations
            .expect_remove()
            .once()
            .withf(move |found, reservation| (*found, *reservation) == (workspace, id(7)))
            .returning(|_, _| Ok(()));
        let call = |reservation| AiCall {
            feature: AiFeature::Grading,
            host: "ai.example".to_owned(),
            model_asked: "m".to_owned(),
            model: None,
            request_id: None,
            usage: Usage::default(),
            estimated: false,
            cost: None,
            latency: Duration::ZERO,
            outcome: CallOutcome::Answered,
            sent: Vec::new(),
            reservation,
        };
        record(
            &mut tx,
            &ctx,
            ("sub_1", Spender::Staff),
            &[call(None), call(Some(id(7)))],
        )
        .unwrap();
    }
}
