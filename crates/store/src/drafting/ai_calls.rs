//! Calls to AI providers in rows: added, read and summed up, never changed.

use diesel::dsl::{count_star, sql};
use diesel::expression::SqlLiteral;
use diesel::sql_types::{BigInt, Text};
use lyceum_domain::drafting::ai_calls::{AiCallRecord, AiFeature, AiUsage, CallOutcome};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai_calls::{AiCallFilter, AiCallRepository, Period, UsageKey};

use crate::mapping::schema::ai_calls;
use crate::prelude::*;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = ai_calls)]
struct CallRow {
    workspace_id: String,
    id: String,
    feature: String,
    subject_id: String,
    host: String,
    model_asked: String,
    model: Option<String>,
    request_id: Option<String>,
    tokens_in: i64,
    tokens_out: i64,
    tokens_cached: i64,
    estimated: i64,
    cost: Option<i64>,
    latency_ms: i64,
    outcome: String,
    sent: Json,
    created_at: Moment,
    spender: String,
}

impl From<&AiCallRecord> for CallRow {
    fn from(call: &AiCallRecord) -> Self {
        let AiCallRecord {
            workspace_id,
            id,
            feature,
            subject_id,
            host,
            model_asked,
            model,
            request_id,
            tokens_in,
            tokens_out,
            tokens_cached,
            estimated,
            cost,
            latency_ms,
            outcome,
            sent,
            created_at,
            spender,
        } = call;
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            feature: feature.to_string(),
            subject_id: subject_id.clone(),
            host: host.clone(),
            model_asked: model_asked.clone(),
            model: model.clone(),
            request_id: request_id.clone(),
            tokens_in: rows::stored_number(*tokens_in),
            tokens_out: rows::stored_number(*tokens_out),
            tokens_cached: rows::stored_number(*tokens_cached),
            estimated: (*estimated).into(),
            cost: cost.map(|cost| rows::stored_number(cost.millionths())),
            latency_ms: rows::stored_number(*latency_ms),
            outcome: outcome.to_string(),
            sent: Json::strings(sent),
            created_at: (*created_at).into(),
            spender: spender.to_string(),
        }
    }
}

impl TryFrom<CallRow> for AiCallRecord {
    type Error = StoreError;

    fn try_from(row: CallRow) -> Result<Self, StoreError> {
        let cost = row.cost.map(rows::number).transpose()?;
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            feature: rows::read(AiFeature::parse(&row.feature))?,
            subject_id: row.subject_id,
            host: row.host,
            model_asked: row.model_asked,
            model: row.model,
            request_id: row.request_id,
            tokens_in: rows::number(row.tokens_in)?,
            tokens_out: rows::number(row.tokens_out)?,
            tokens_cached: rows::number(row.tokens_cached)?,
            estimated: row.estimated != 0,
            cost: cost.map(MicroUsd::new),
            latency_ms: rows::number(row.latency_ms)?,
            outcome: rows::read(CallOutcome::parse(&row.outcome))?,
            sent: rows::strings(row.sent)?,
            created_at: row.created_at.0,
            spender: rows::read(Spender::parse(&row.spender))?,
        })
    }
}

/// Calls, calls with a known cost, tokens in, out and cached, calls with guessed tokens, cost.
type SumsRow = (i64, i64, i64, i64, i64, i64, i64);

/// A whole number that the database counts or sums.
type Whole = SqlLiteral<BigInt>;

/// A sum as a whole number: PostgreSQL sums bigints into a numeric, and nothing into null.
fn sum(column: &str) -> Whole {
    sql(&format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT)"))
}

/// What [`SumsRow`] is read from.
fn sums() -> (count_star, Whole, Whole, Whole, Whole, Whole, Whole) {
    (
        count_star(),
        sql("COUNT(cost)"),
        sum("tokens_in"),
        sum("tokens_out"),
        sum("tokens_cached"),
        sum("estimated"),
        sum("cost"),
    )
}

fn summed(row: SumsRow) -> Result<AiUsage, StoreError> {
    let (calls, priced, tokens_in, tokens_out, tokens_cached, estimated, cost) = row;
    Ok(AiUsage {
        calls: rows::number(calls)?,
        tokens_in: rows::number(tokens_in)?,
        tokens_out: rows::number(tokens_out)?,
        tokens_cached: rows::number(tokens_cached)?,
        estimated_calls: rows::number(estimated)?,
        unpriced_calls: rows::number(calls - priced)?,
        cost: MicroUsd::new(rows::number(cost)?),
    })
}

/// What calls are put together by, as text.
fn grouping(conn: &AnyConnection, key: UsageKey) -> &'static str {
    match (key, conn) {
        (UsageKey::Feature, _) => "feature",
        (UsageKey::Spender, _) => "spender",
        (UsageKey::Model, _) => "COALESCE(model, model_asked)",
        (UsageKey::Day, AnyConnection::Postgres(_)) => {
            "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
        }
        (UsageKey::Day, AnyConnection::Sqlite(_)) => "substr(created_at, 1, 10)",
    }
}

impl AiCallRepository for Session<'_> {
    fn append(&mut self, calls: &[AiCallRecord]) -> Result<(), StoreError> {
        // One by one: SQLite has no multi-row insert that diesel's MultiConnection knows, and they are few.
        for row in calls.iter().map(CallRow::from) {
            self.put_row(|conn| {
                let insert = diesel::insert_into(ai_calls::table).values(&row);
                on_either!(conn, CachedByText(insert).execute(conn))
            })?;
        }
        Ok(())
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &AiCallFilter,
        page: &PageRequest,
    ) -> Result<Page<AiCallRecord>, StoreError> {
        let walk = Walk::<ids::AiCallRecord>::over("ai_calls", workspace, page)
            .along("subject_id", filter.subject_id.as_ref())
            .sifting(filter.feature.is_some() || filter.outcome.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = ai_calls::table
                .filter(ai_calls::workspace_id.eq(workspace.to_string()))
                .select(CallRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(feature) = filter.feature {
                query = query.filter(ai_calls::feature.eq(feature.as_str()));
            }
            if let Some(outcome) = filter.outcome {
                query = query.filter(ai_calls::outcome.eq(outcome.as_str()));
            }
            if let Some(subject) = &filter.subject_id {
                query = query.filter(ai_calls::subject_id.eq(subject.clone()));
            }
            let found = session.run(|conn| query.load::<CallRow>(conn))?;
            let calls = found
                .into_iter()
                .map(AiCallRecord::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(calls, |call| call.id.to_string()))
        })
    }

    fn usage(&mut self, workspace: WorkspaceId, period: Period) -> Result<AiUsage, StoreError> {
        let row = self.run(|conn| {
            let query = ai_calls::table
                .filter(ai_calls::workspace_id.eq(workspace.to_string()))
                .filter(ai_calls::created_at.ge(Moment(period.from)))
                .filter(ai_calls::created_at.lt(Moment(period.to)))
                .select(sums());
            on_either!(conn, query.first::<SumsRow>(conn))
        })?;
        summed(row)
    }

    fn usage_by(
        &mut self,
        workspace: WorkspaceId,
        period: Period,
        key: UsageKey,
    ) -> Result<Vec<(String, AiUsage)>, StoreError> {
        let column = grouping(self.conn, key);
        let found = self.run(|conn| {
            let query = ai_calls::table
                .filter(ai_calls::workspace_id.eq(workspace.to_string()))
                .filter(ai_calls::created_at.ge(Moment(period.from)))
                .filter(ai_calls::created_at.lt(Moment(period.to)))
                .group_by(sql::<Text>(column))
                .select((sql::<Text>(column), sums()))
                .order(sql::<Text>(column).asc());
            on_either!(conn, CachedByText(query).load::<(String, SumsRow)>(conn))
        })?;
        let summed = |(name, row)| Ok((name, summed(row)?));
        found.into_iter().map(summed).collect()
    }
}
