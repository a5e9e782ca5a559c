//! How far one page of a list looks.
//!
//! What no index narrows is found by looking at rows, newest first. A page looks at no more than [`ROWS`] of them: it
//! ends there with what it has found, which may be nothing, and its cursor is where the next one goes on. So a page costs
//! the same in a workspace of any size, and nobody can have the service look through millions of rows with one request.

use std::marker::PhantomData;

use diesel::RunQueryDsl;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{OptionalExtension, QueryResult};
use diesel::sql_types::Text;
use lyceum_domain::Timestamp;
use lyceum_domain::id::{Id, Identified};
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::page::{Bound, Keyset, Page, PageRequest};
use lyceum_ports::store::StoreError;
use uuid::Uuid;

use crate::database::connection::{AnyConnection, MultiBackend};
use crate::database::session::Session;
use crate::mapping::conditions::{Condition, narrowing};

/// How many rows a page looks at.
pub const ROWS: i64 = 20_000;
/// How many it looks at first, where most pages are full.
const ROWS_AT_FIRST: i64 = 500;
/// By how much an id may be older than the moment of creation that is written beside it. Both are told by one clock, which
/// may be put back in between.
const CLOCK_MOVES_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// A list, newest first, of things of the kind `K` in one workspace.
pub struct Walk<'a, K> {
    table: &'static str,
    workspace: String,
    page: &'a PageRequest,
    along: Option<(&'static str, String)>,
    sifts: bool,
    are_few: bool,
    kind: PhantomData<fn() -> K>,
}

impl<'a, K: Identified> Walk<'a, K> {
    /// All of a table's rows in the workspace.
    pub fn over(table: &'static str, workspace: WorkspaceId, page: &'a PageRequest) -> Self {
        Self {
            table,
            workspace: workspace.to_string(),
            page,
            along: None,
            sifts: !page.narrowed.is_empty(),
            are_few: false,
            kind: PhantomData,
        }
    }

    /// Those with this value, which an index keeps together in the order of ids. Of several that are wanted the first is
    /// gone along, and the others leave out what they do not like.
    pub fn along(mut self, column: &'static str, value: Option<impl ToString>) -> Self {
        match value {
            Some(_) if self.along.is_some() => self.sifts = true,
            Some(value) => self.along = Some((column, value.to_string())),
            None => {}
        }
        self
    }

    /// Whether something else leaves rows out.
    pub fn sifting(mut self, sifts: bool) -> Self {
        self.sifts |= sifts;
        self
    }

    /// Whether there are few of them in any case, as of the children of one parent: then a page looks at them all.
    pub fn of_few(mut self, are_few: bool) -> Self {
        self.are_few |= are_few;
        self
    }

    /// Takes a page of what `load` finds by the conditions of a [`Reach`]. Where nothing is left out on the way, it goes as
    /// far as it needs to; else not far at first, because most pages are full soon, and as far as a page may if it was not.
    ///
    /// # Errors
    /// Those of storage.
    pub fn take<'s, T>(
        self,
        session: &mut Session<'s>,
        mut load: impl FnMut(&mut Session<'s>, Reach) -> Result<Page<T>, StoreError>,
    ) -> Result<Page<T>, StoreError> {
        if !self.sifts || self.are_few {
            let reach = self.reach(session, None);
            return load(session, reach);
        }
        let near = self.end(session, ROWS_AT_FIRST)?;
        let is_all = near.is_none();
        let reach = self.reach(session, near);
        let page = load(session, reach)?;
        if is_all || page.items.len() == usize::from(self.page.limit) {
            return Ok(page);
        }
        let end = self.end(session, ROWS)?;
        let reach = self.reach(session, end);
        load(session, reach)
    }

    fn reach(&self, session: &Session<'_>, end: Option<String>) -> Reach {
        let mut conditions = narrowing(session.conn, self.table, self.page);
        conditions.extend(self.since());
        conditions.extend(end.as_ref().map(|end| self.id(">=", end.clone())));
        Reach {
            conditions,
            end,
            limit: self.page.limit,
        }
    }

    /// The last of so many rows, if there are as many.
    fn end(&self, session: &mut Session<'_>, rows: i64) -> Result<Option<String>, StoreError> {
        let last = Last(self.rows(rows));
        session.run(|conn| last.get_result::<String>(conn).optional())
    }

    fn rows(&self, count: i64) -> Condition {
        let Self {
            table, workspace, ..
        } = self;
        let mut rows = Condition::sql(format!(
            "SELECT {table}.id FROM {table} WHERE {table}.workspace_id = "
        ))
        .then_text(workspace.clone());
        if let Some((column, value)) = &self.along {
            rows = rows
                .and_sql(format!(" AND {table}.{column} = "))
                .then_text(value.clone());
        }
        let after = self.page.after.as_ref();
        let bounds = after.map(|after| self.id("<", after.id.clone()));
        for bound in bounds.into_iter().chain(self.since()) {
            rows = rows.and_sql(" AND ").and(bound);
        }
        rows.and_sql(format!(
            " ORDER BY {table}.id DESC LIMIT 1 OFFSET {}",
            count - 1
        ))
    }

    /// Ids tell when they were made, so that nobody looks for what was made since some moment among all that is older.
    fn since(&self) -> Option<Condition> {
        let bounds = self.page.narrowed.created.iter();
        let since = bounds.filter(|(bound, _)| matches!(bound, Bound::AtOrAfter | Bound::After));
        let latest = since.map(|(_, moment)| *moment).max()?;
        Some(self.id(">=", first_of::<K>(latest)))
    }

    fn id(&self, operator: &str, id: String) -> Condition {
        Condition::sql(format!("{}.id {operator} ", self.table)).then_text(id)
    }
}

/// No id of what was made at this moment or later is smaller.
fn first_of<K: Identified>(moment: Timestamp) -> String {
    let millis = moment.unix_millis().saturating_sub(CLOCK_MOVES_MILLIS);
    let millis = u128::try_from(millis).unwrap_or_default();
    Id::<K>::from_uuid(Uuid::from_u128(millis << 80)).to_string()
}

const fn behind(id: String) -> Keyset {
    Keyset { position: None, id }
}

/// How far a page goes.
pub struct Reach {
    conditions: Vec<Condition>,
    /// The last row that it looks at, if there are more behind it.
    end: Option<String>,
    limit: u16,
}

impl Reach {
    /// What must hold for a row to be on the page, but for what the list's own filter says.
    pub fn conditions(&mut self) -> Vec<Condition> {
        std::mem::take(&mut self.conditions)
    }

    /// Cuts `limit + 1` fetched items down to a page; where there were fewer, it goes on behind the last row that was looked
    /// at.
    pub fn cut<T>(self, items: Vec<T>, id: impl Fn(&T) -> String) -> Page<T> {
        self.cut_by(items, |item| behind(id(item)))
    }

    /// The same of a list that is in the order of places where it is of few.
    pub fn cut_by<T>(self, items: Vec<T>, key: impl Fn(&T) -> Keyset) -> Page<T> {
        let mut page = Page::cut(items, self.limit, key);
        page.next = page.next.or(self.end.map(behind));
        page
    }
}

/// A statement that answers with one id.
struct Last(Condition);

impl Query for Last {
    type SqlType = Text;
}

impl QueryId for Last {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<MultiBackend> for Last {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, MultiBackend>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }
}

impl RunQueryDsl<AnyConnection> for Last {}

#[cfg(test)]
mod tests {
    use lyceum_domain::ids::{Course, CourseId};

    use super::*;

    fn reach(end: Option<&str>) -> Reach {
        Reach {
            conditions: Vec::new(),
            end: end.map(str::to_owned),
            limit: 2,
        }
    }

    fn next(end: Option<&str>, found: &[&str]) -> Option<String> {
        let items = found.iter().map(ToString::to_string).collect();
        let page = reach(end).cut(items, String::clone);
        page.next.map(|next| next.id)
    }

    #[test]
    fn a_page_that_is_not_full_goes_on_where_it_stopped_looking() {
        assert_eq!(next(None, &["c"]), None);
        assert_eq!(next(Some("a"), &["c"]).as_deref(), Some("a"));
        assert_eq!(next(Some("a"), &[]).as_deref(), Some("a"));
        // A full one behind its last.
        assert_eq!(next(Some("a"), &["d", "c"]).as_deref(), Some("a"));
        assert_eq!(next(Some("a"), &["d", "c", "b"]).as_deref(), Some("c"));
    }

    #[test]
    fn an_id_is_looked_for_a_day_before_it_can_have_been_made() {
        let moment = Timestamp::from_unix_millis(1_795_244_100_000);
        let at = |millis: u64| {
            let uuid = Uuid::from_u128(u128::from(millis) << 80 | 0x7000 << 64);
            CourseId::from_uuid(uuid).to_string()
        };
        let first = first_of::<Course>(moment);
        assert!(first <= at(1_795_244_100_000 - 86_400_000));
        assert!(first > at(1_795_244_100_000 - 86_400_001));
        let never = Timestamp::parse("0001-01-01T00:00:00Z").unwrap();
        assert_eq!(first_of::<Course>(never), "crs_00000000000000000000000000");
    }
}
