//! How far one page of a list looks.
//!
//! What no index narrows is found by looking at rows, newest first. A page looks at no more than [`ROWS`] of them: it
//! ends there with what it has found, which may be nothing, and its cursor is where the next one goes on. So a page costs
//! the same in a workspace of any size, and nobody can have the service look through millions of rows with one request.

use std::marker::PhantomData;

use diesel::RunQueryDsl;
use diesel::result::OptionalExtension;
use diesel::sql_types::Text;
use lyceum_domain::Timestamp;
use lyceum_domain::id::{Id, Identified};
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::page::{Bound, Keyset, Page, PageRequest, SortBy};
use lyceum_ports::store::StoreError;
use uuid::Uuid;

use crate::database::session::Session;
use crate::mapping::conditions::Condition;
use crate::mapping::searching::narrowed;
use crate::mapping::sorting::{Order, Single, Sorting};

/// How many rows a page looks at.
pub const ROWS: i64 = 20_000;
/// How many it looks at first, where most pages are full.
const ROWS_AT_FIRST: i64 = 500;
/// By how much an id may be older than the moment of creation that is written beside it. Both are told by one clock, which
/// may be put back in between.
const CLOCK_MOVES_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// How many things of one parent there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// As many as there are; nobody says.
    Usual,
    /// Few in any case.
    Few,
    /// Perhaps very many.
    Many,
}

/// A list, newest first, of things of the kind `K` in one workspace.
pub struct Walk<'a, K> {
    table: &'static str,
    workspace: String,
    page: &'a PageRequest,
    along: Option<(&'static str, String)>,
    sifts: bool,
    size: Size,
    goes_by_place: bool,
    within: Vec<Condition>,
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
            size: Size::Usual,
            goes_by_place: false,
            within: Vec::new(),
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
        if are_few {
            self.size = Size::Few;
        }
        self
    }

    /// Whether even those of one parent may be very many, as what was handed in for an assignment: in another order than that of ids
    /// they are looked for among all others.
    pub fn of_many(mut self, are_many: bool) -> Self {
        if are_many {
            self.size = Size::Many;
        }
        self
    }

    /// Bounds of what a list may be sorted by. Where it is, none beyond them are looked at; else they leave rows out. Whoever loads
    /// holds rows to them as well.
    pub fn within(mut self, by: SortBy, bounds: Vec<Condition>) -> Self {
        if self.page.sort.is_some_and(|sort| sort.by == by) {
            self.within = bounds;
        } else {
            self.sifts |= !bounds.is_empty();
        }
        self
    }

    /// Whether the list is in the order of places, and says itself where its pages begin.
    pub fn by_place(mut self, goes_by_place: bool) -> Self {
        self.goes_by_place = goes_by_place;
        self
    }

    /// Takes a page of what `load` finds by the conditions of a [`Reach`]. Where nothing is left out on the way, it goes as
    /// far as it needs to; else not far at first, because most pages are full soon, and as far as a page may if it was not.
    ///
    /// # Errors
    /// Those of storage.
    pub fn take<'s, T>(
        mut self,
        session: &mut Session<'s>,
        mut load: impl FnMut(&mut Session<'s>, Reach) -> Result<Page<T>, StoreError>,
    ) -> Result<Page<T>, StoreError> {
        let sorting = Sorting::of(session.conn, self.table, self.page);
        let after = match self.start(session, &sorting)? {
            PageStart::Front => None,
            PageStart::Behind(place) => Some(place),
            PageStart::Nowhere => return Ok(Page::empty()),
        };
        self.leave_the_index(&sorting);
        let sorting = if self.size == Size::Few {
            sorting.of_few(session.conn)
        } else {
            sorting
        };
        let way = Way { sorting, after };
        let mut page = self.loaded(session, &way, &mut load)?;
        if let Some(next) = page.next.take() {
            page.next = self.told(session, &way.sorting, next)?;
        }
        Ok(page)
    }

    fn loaded<'s, T>(
        &self,
        session: &mut Session<'s>,
        way: &Way,
        load: &mut impl FnMut(&mut Session<'s>, Reach) -> Result<Page<T>, StoreError>,
    ) -> Result<Page<T>, StoreError> {
        if !self.sifts || self.size == Size::Few {
            let reach = self.reach(session, way, None)?;
            return load(session, reach);
        }
        let near = self.end(session, way, ROWS_AT_FIRST)?;
        let is_all = near.is_none();
        let reach = self.reach(session, way, near)?;
        let page = load(session, reach)?;
        if is_all || page.items.len() == usize::from(self.page.limit) {
            return Ok(page);
        }
        let end = self.end(session, way, ROWS)?;
        let reach = self.reach(session, way, end)?;
        load(session, reach)
    }

    /// Where the page begins.
    fn start(&self, session: &mut Session<'_>, sorting: &Sorting) -> Result<PageStart, StoreError> {
        let after = self.page.after.as_ref().filter(|_| !self.goes_by_place);
        let Some(after) = after else {
            return Ok(PageStart::Front);
        };
        if sorting.is_by_id() || after.value.is_some() {
            return Ok(PageStart::Behind(after.clone()));
        }
        let place = sorting.place_of(session, &self.workspace, after.id.clone())?;
        Ok(place.map_or(PageStart::Nowhere, PageStart::Behind))
    }

    /// In another order than that of ids no index keeps together what is gone along. The children of one parent are few unless
    /// somebody says otherwise, and are put in order; of all others it is looked at as many as ever, in the order that is wanted.
    fn leave_the_index(&mut self, sorting: &Sorting) {
        if sorting.is_by_id() {
            return;
        }
        if let Some((column, _)) = self.along.take() {
            if column.ends_with("_id") && self.size == Size::Usual {
                self.size = Size::Few;
            }
            self.sifts = true;
        }
    }

    /// The place that a cursor carries.
    fn told(
        &self,
        session: &mut Session<'_>,
        sorting: &Sorting,
        next: Keyset,
    ) -> Result<Option<Keyset>, StoreError> {
        if self.goes_by_place || sorting.is_by_id() || next.value.is_some() {
            return Ok(Some(next));
        }
        sorting.place_of(session, &self.workspace, next.id)
    }

    fn reach(
        &self,
        session: &Session<'_>,
        way: &Way,
        end: Option<Keyset>,
    ) -> Result<Reach, StoreError> {
        let mut conditions = narrowed(session.conn, self.table, self.page);
        conditions.extend(self.since());
        conditions.extend(way.sorting.includes());
        for condition in [end.as_ref().map(|end| way.sorting.until(end)), way.behind()] {
            conditions.extend(condition.transpose()?);
        }
        Ok(Reach {
            conditions,
            order: way.sorting.order(),
            end,
            limit: self.page.limit,
        })
    }

    /// The last of so many rows, if there are as many.
    fn end(
        &self,
        session: &mut Session<'_>,
        way: &Way,
        rows: i64,
    ) -> Result<Option<Keyset>, StoreError> {
        let last = Single::<Text>::of(self.rows(way, rows)?);
        let last = session.run(|conn| last.get_result::<String>(conn).optional())?;
        match last {
            Some(id) => way.sorting.place_of(session, &self.workspace, id),
            None => Ok(None),
        }
    }

    fn rows(&self, way: &Way, count: i64) -> Result<Condition, StoreError> {
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
        // In another order than that of ids, what is older than some moment is on the way.
        let since = self.since().filter(|_| way.sorting.is_by_id());
        let bounds = way.behind().transpose()?.into_iter().chain(since);
        let bounds = bounds.chain(way.sorting.includes());
        for bound in bounds.chain(self.within.iter().cloned()) {
            rows = rows.and_sql(" AND ").and(bound);
        }
        Ok(rows.and_sql(format!(
            " ORDER BY {} LIMIT 1 OFFSET {}",
            way.sorting.order().sql(),
            count - 1
        )))
    }

    /// Ids tell when they were made, so that nobody looks for what was made since some moment among all that is older.
    fn since(&self) -> Option<Condition> {
        let bounds = self.page.narrowed.created.iter();
        let since = bounds.filter(|(bound, _)| matches!(bound, Bound::AtOrAfter | Bound::After));
        let latest = since.map(|(_, moment)| *moment).max()?;
        let first = Condition::sql(format!("{}.id >= ", self.table));
        Some(first.then_text(first_of::<K>(latest)))
    }
}

/// Where a page begins.
enum PageStart {
    /// With the first.
    Front,
    /// Behind this place.
    Behind(Keyset),
    /// Behind something that is not there any more and was named by nothing but its id: such a page is empty.
    Nowhere,
}

/// In which order a walk goes, and behind what it begins.
struct Way {
    sorting: Sorting,
    after: Option<Keyset>,
}

impl Way {
    fn behind(&self) -> Option<Result<Condition, StoreError>> {
        self.after.as_ref().map(|after| self.sorting.behind(after))
    }
}

/// No id of what was made at this moment or later is smaller.
fn first_of<K: Identified>(moment: Timestamp) -> String {
    let millis = moment.unix_millis().saturating_sub(CLOCK_MOVES_MILLIS);
    let millis = u128::try_from(millis).unwrap_or_default();
    Id::<K>::from_uuid(Uuid::from_u128(millis << 80)).to_string()
}

/// How far a page goes.
pub struct Reach {
    conditions: Vec<Condition>,
    order: Order,
    /// The last row that it looks at, if there are more behind it.
    end: Option<Keyset>,
    limit: u16,
}

impl Reach {
    /// What must hold for a row to be on the page, but for what the list's own filter says.
    pub fn conditions(&mut self) -> Vec<Condition> {
        std::mem::take(&mut self.conditions)
    }

    /// In which order rows come.
    pub fn order(&self) -> Order {
        self.order.clone()
    }

    /// Cuts `limit + 1` fetched items down to a page; where there were fewer, it goes on behind the last row that was looked
    /// at.
    pub fn cut<T>(self, items: Vec<T>, id: impl Fn(&T) -> String) -> Page<T> {
        self.cut_by(items, |item| Keyset::of_id(id(item)))
    }

    /// The same of a list that is in the order of places where it is of few.
    pub fn cut_by<T>(self, items: Vec<T>, key: impl Fn(&T) -> Keyset) -> Page<T> {
        let mut page = Page::cut(items, self.limit, key);
        page.next = page.next.or(self.end);
        page
    }
}

#[cfg(test)]
mod tests {
    use lyceum_domain::ids::{Course, CourseId};

    use super::*;

    fn reach(end: Option<&str>) -> Reach {
        Reach {
            conditions: Vec::new(),
            order: Order::by("courses.id", &PageRequest::first(2)),
            end: end.map(Keyset::of_id),
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
