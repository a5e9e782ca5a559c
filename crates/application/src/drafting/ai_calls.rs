//! What AI takes: calls that left the service, written down; budgets, checked; usage, summed up.

use std::sync::Arc;

use lyceum_domain::drafting::ai_calls::AiCallRecord;
use lyceum_domain::drafting::budget_shares::MonthSoFar;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_ports::drafting::ai_calls::{AiCall, Allowance, Meter, UsageKey};
use lyceum_wire::drafting::ai_calls::{AiCallView, AiUsageView, UsageParts};

pub use lyceum_ports::drafting::ai_calls::{AiCallFilter, Period};

use crate::app::App;
use crate::prelude::*;
use crate::settings::Spending;

/// Writes calls down, on behalf of a submission, a generation or a lesson, and of who pays: in the transaction of what came of them,
/// also when nothing did.
pub fn record(
    tx: &mut dyn Tx,
    ctx: &Context,
    (subject_id, spender): (&str, Spender),
    calls: &[AiCall],
) -> Result<(), Error> {
    let records: Vec<AiCallRecord> = calls
        .iter()
        .map(|call| kept(ctx, subject_id, spender, call))
        .collect();
    if !records.is_empty() {
        tx.ai_calls().append(&records)?;
    }
    for id in calls.iter().filter_map(|call| call.reservation) {
        tx.ai_reservations().remove(ctx.workspace_id(), id)?;
    }
    Ok(())
}

fn kept(ctx: &Context, subject_id: &str, spender: Spender, call: &AiCall) -> AiCallRecord {
    AiCallRecord {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        spender,
        feature: call.feature,
        subject_id: subject_id.to_owned(),
        host: call.host.clone(),
        model_asked: call.model_asked.clone(),
        model: call.model.clone(),
        request_id: call.request_id.clone(),
        tokens_in: call.usage.tokens_in,
        tokens_out: call.usage.tokens_out,
        tokens_cached: call.usage.tokens_cached,
        estimated: call.estimated,
        cost: call.cost,
        latency_ms: u64::try_from(call.latency.as_millis()).unwrap_or(u64::MAX),
        outcome: call.outcome,
        sent: call.sent.iter().map(ToString::to_string).collect(),
        created_at: ctx.now,
    }
}

/// Writes down what a meter still holds, in a transaction of its own: for work that ends without one.
///
/// # Errors
/// Those of storage; then the meter holds it still.
pub async fn book(
    app: &App,
    workspace: WorkspaceId,
    (subject_id, spender): (&str, Spender),
    meter: &Meter,
) -> Result<(), Error> {
    let calls = Arc::new(meter.take());
    if calls.is_empty() {
        return Ok(());
    }
    let (inner, subject_id, booked) = (app.clone(), subject_id.to_owned(), Arc::clone(&calls));
    let written = app
        .store
        .write(move |tx| {
            let Some(workspace) = tx.workspaces().find(workspace)? else {
                return Ok(());
            };
            let ctx = inner.service_context(workspace);
            record(tx, &ctx, (&subject_id, spender), &booked)
        })
        .await;
    match &written {
        Ok(()) => app.ai_tally.count(&calls),
        Err(_) => meter.give_back(calls.to_vec()),
    }
    written
}

/// What a month took so far, as far as it concerns one who spends.
pub(crate) fn month_so_far(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    spender: Spender,
    now: Timestamp,
) -> Result<MonthSoFar, Error> {
    let by = tx
        .ai_calls()
        .usage_by(workspace, month_of(now), UsageKey::Spender)?;
    // What is none of these words nobody wrote; it counts as staff's, and so for the whole.
    let spent = by
        .into_iter()
        .map(|(who, used)| (Spender::parse(&who).unwrap_or_default(), used));
    Ok(MonthSoFar::of(spender, spent))
}

/// What may be spent now: what is left of the workspace's month for one who spends.
pub fn meter_for(
    tx: &mut dyn Tx,
    workspace: &Workspace,
    spending: &Spending,
    (spender, now): (Spender, Timestamp),
) -> Result<Allowance, Error> {
    let budget = spending.budget_of(workspace);
    if !budget.is_set() {
        return Ok(Allowance::default());
    }
    let month = month_so_far(tx, workspace.id, spender, now)?;
    let left = month.left_of(budget, spending.shares, spender);
    Ok(Allowance {
        tokens: left.tokens,
        cost: left.cost,
    })
}

/// Whether a model is the built-in engine, by whatever name it was asked for.
pub(crate) fn costs_nothing(ctx: &Context, model: &str) -> bool {
    ctx.ai.resolve(model).is_some_and(|found| found.built_in)
}

/// Refuses what a caller asks for themselves while the month's budget is used up. The built-in engine costs nothing
/// and is never refused.
///
/// # Errors
/// [`Conflict::AiBudgetExceeded`]
pub fn check_budget(tx: &mut dyn Tx, ctx: &Context, model: &str) -> Result<(), Error> {
    let spending = &ctx.settings.spending;
    let budget = spending.budget_of(&ctx.workspace);
    if !budget.is_set() || costs_nothing(ctx, model) {
        return Ok(());
    }
    let (month, spender) = (month_of(ctx.now), ctx.spender());
    let so_far = month_so_far(tx, ctx.workspace_id(), spender, ctx.now)?;
    let left = so_far.left_of(budget, spending.shares, spender);
    if left.is_used_up() {
        return Err(Conflict::AiBudgetExceeded {
            tokens: left.tokens == Some(0),
            until: month.to,
        }
        .into());
    }
    Ok(())
}

/// The calendar month (UTC) of a moment.
pub(crate) fn month_of(now: Timestamp) -> Period {
    Period {
        from: now.start_of_month(),
        to: now.start_of_next_month(),
    }
}

/// A period as it is asked for; what is left open is that side of this month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AskedPeriod {
    /// The first moment in it.
    pub from: Option<Timestamp>,
    /// The first moment after it.
    pub to: Option<Timestamp>,
}

/// Shows what the calls of a period took, and what is left of this month's budget.
///
/// # Errors
/// [`Error::Invalid`] for a period that ends before it begins
pub fn usage(tx: &mut dyn Tx, ctx: &Context, asked: AskedPeriod) -> Result<AiUsageView, Error> {
    let month = month_of(ctx.now);
    let period = Period {
        from: asked.from.unwrap_or(month.from),
        to: asked.to.unwrap_or(month.to),
    };
    if period.from > period.to {
        return Err(Invalid::new("to", "must not be before from").into());
    }
    let workspace = ctx.workspace_id();
    let parts = UsageParts {
        from: period.from,
        to: period.to,
        totals: tx.ai_calls().usage(workspace, period)?,
        by_feature: tx
            .ai_calls()
            .usage_by(workspace, period, UsageKey::Feature)?,
        by_model: tx.ai_calls().usage_by(workspace, period, UsageKey::Model)?,
        by_day: tx.ai_calls().usage_by(workspace, period, UsageKey::Day)?,
        budget: ctx.settings.spending.budget_of(&ctx.workspace),
        month_ends: month.to,
        this_month: tx.ai_calls().usage(workspace, month)?,
    };
    Ok(AiUsageView::new(&parts))
}

/// Shows a page of calls, newest first: what was sent where, when and for what.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &AiCallFilter,
    page: &PageRequest,
) -> Result<Page<AiCallView>, Error> {
    let found = tx.ai_calls().page(ctx.workspace_id(), filter, page)?;
    Ok(found.map(|call| AiCallView::new(&call)))
}
