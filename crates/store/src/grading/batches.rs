//! Batches and their items in rows.

use std::collections::BTreeMap;

use lyceum_domain::grading::batches::{
    Batch, BatchItem, BatchKind, BatchState, ItemCounts, ItemState,
};
use lyceum_domain::ids::{AssignmentId, BatchId};
use lyceum_ports::grading::batches::BatchRepository;

use crate::grading::batch_documents::BatchDocument;
use crate::grading::batch_item_documents::ItemDocument;
use crate::mapping::conditions::Condition;
use crate::mapping::documents;
use crate::mapping::schema::{batch_items, batches};
use crate::mapping::searching::searching;
use crate::mapping::sorting::{Order, onward};
use crate::prelude::*;

/// So many items are added by one statement.
const AT_ONCE: usize = 500;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = batches, primary_key(workspace_id, id))]
struct BatchRow {
    workspace_id: String,
    id: String,
    assignment_id: String,
    kind: String,
    state: String,
    document: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl TryFrom<&Batch> for BatchRow {
    type Error = StoreError;

    fn try_from(batch: &Batch) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: batch.workspace_id.to_string(),
            id: batch.id.to_string(),
            assignment_id: batch.assignment_id.to_string(),
            kind: batch.kind.to_string(),
            state: batch.state.to_string(),
            document: documents::write(&BatchDocument::from(batch))?,
            created_at: batch.stamp.created_at.into(),
            updated_at: batch.stamp.updated_at.into(),
            version: batch.stamp.version,
        })
    }
}

impl TryFrom<BatchRow> for Batch {
    type Error = StoreError;

    fn try_from(row: BatchRow) -> Result<Self, StoreError> {
        let ids = (
            rows::id(&row.workspace_id)?,
            rows::id(&row.id)?,
            rows::id(&row.assignment_id)?,
        );
        let kind = rows::read(BatchKind::parse(&row.kind))?;
        let stamp = rows::stamp(row.created_at, row.updated_at, row.version);
        let document: BatchDocument = documents::read(row.document)?;
        let mut batch = document.batch(ids, kind, stamp)?;
        batch.state = rows::read(BatchState::parse(&row.state))?;
        Ok(batch)
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = batch_items, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct ItemRow {
    workspace_id: String,
    id: String,
    batch_id: String,
    place: i64,
    submission_id: Option<String>,
    state: String,
    document: Json,
}

impl ItemRow {
    fn new(workspace: WorkspaceId, item: &BatchItem) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: workspace.to_string(),
            id: item_id(item.batch_id, item.place),
            batch_id: item.batch_id.to_string(),
            place: item.place.into(),
            submission_id: item.submission_id.map(|id| id.to_string()),
            state: item.state.to_string(),
            document: documents::write(&ItemDocument::from(item))?,
        })
    }
}

impl TryFrom<ItemRow> for BatchItem {
    type Error = StoreError;

    fn try_from(row: ItemRow) -> Result<Self, StoreError> {
        let batch = rows::id(&row.batch_id)?;
        let mut item = Self::of_text(batch, rows::number(row.place)?, String::new());
        item.submission_id = rows::optional_id(row.submission_id.as_ref())?;
        item.state = rows::read(ItemState::parse(&row.state))?;
        documents::read::<ItemDocument>(row.document)?.fill(&mut item)?;
        Ok(item)
    }
}

/// Made of what it is, so that it is found by it.
fn item_id(batch: BatchId, place: u32) -> String {
    format!("{batch}.{place:06}")
}

impl BatchRepository for Session<'_> {
    fn insert(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let row = BatchRow::try_from(batch)?;
        self.run(|conn| {
            diesel::insert_into(batches::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(&mut self, workspace: WorkspaceId, id: BatchId) -> Result<Option<Batch>, StoreError> {
        let found = self.run(|conn| {
            batches::table
                .find((workspace.to_string(), id.to_string()))
                .select(BatchRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Batch::try_from).transpose()
    }

    fn update(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let row = BatchRow::try_from(batch)?;
        self.change(&row.id, |conn| {
            diesel::update(batches::table)
                .filter(batches::workspace_id.eq(&row.workspace_id))
                .filter(batches::id.eq(&row.id))
                .filter(batches::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        kind: BatchKind,
        page: &PageRequest,
    ) -> Result<Page<Batch>, StoreError> {
        let (order, conditions) = paging(self.conn, "batches", page)?;
        let mut query = batches::table
            .filter(batches::workspace_id.eq(workspace.to_string()))
            .filter(batches::assignment_id.eq(assignment.to_string()))
            .filter(batches::kind.eq(kind.as_str()))
            .select(BatchRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in conditions {
            query = query.filter(condition);
        }
        let found = self.run(|conn| query.load::<BatchRow>(conn))?;
        let found: Result<Vec<Batch>, _> = found.into_iter().map(Batch::try_from).collect();
        Ok(Page::cut(found?, page.limit, |batch| {
            Keyset::of_id(batch.id.to_string())
        }))
    }

    fn add_items(&mut self, workspace: WorkspaceId, items: &[BatchItem]) -> Result<(), StoreError> {
        for some in items.chunks(AT_ONCE) {
            let rows = some.iter().map(|item| ItemRow::new(workspace, item));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            self.run(|conn| {
                let insert = diesel::insert_into(batch_items::table).values(&rows);
                on_either!(conn, insert.execute(conn))
            })?;
        }
        Ok(())
    }

    fn update_item(&mut self, workspace: WorkspaceId, item: &BatchItem) -> Result<(), StoreError> {
        let row = ItemRow::new(workspace, item)?;
        let changed = self.run(|conn| {
            diesel::update(batch_items::table)
                .filter(batch_items::workspace_id.eq(&row.workspace_id))
                .filter(batch_items::id.eq(&row.id))
                .set(&row)
                .execute(conn)
        })?;
        rows::one_row(changed)
    }

    fn item(
        &mut self,
        workspace: WorkspaceId,
        batch: BatchId,
        place: u32,
    ) -> Result<Option<BatchItem>, StoreError> {
        let found = self.run(|conn| {
            batch_items::table
                .find((workspace.to_string(), item_id(batch, place)))
                .select(ItemRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(BatchItem::try_from).transpose()
    }

    fn items_in(
        &mut self,
        workspace: WorkspaceId,
        batch: BatchId,
        state: ItemState,
        from: u32,
        limit: u16,
    ) -> Result<Vec<BatchItem>, StoreError> {
        let found = self.run(|conn| {
            batch_items::table
                .filter(batch_items::workspace_id.eq(workspace.to_string()))
                .filter(batch_items::batch_id.eq(batch.to_string()))
                .filter(batch_items::state.eq(state.as_str()))
                .filter(batch_items::place.ge(i64::from(from)))
                .order(batch_items::place.asc())
                .limit(limit.into())
                .select(ItemRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(BatchItem::try_from).collect()
    }

    fn items(
        &mut self,
        workspace: WorkspaceId,
        batch: BatchId,
        state: Option<ItemState>,
        page: &PageRequest,
    ) -> Result<Page<BatchItem>, StoreError> {
        let mut query = batch_items::table
            .filter(batch_items::workspace_id.eq(workspace.to_string()))
            .filter(batch_items::batch_id.eq(batch.to_string()))
            .filter(batch_items::submission_id.is_not_null())
            .select(ItemRow::as_select())
            .order(Order::by("batch_items.submission_id", page))
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        if let Some(state) = state {
            query = query.filter(batch_items::state.eq(state.as_str()));
        }
        if let Some(after) = &page.after {
            let behind = format!("batch_items.submission_id {} ", onward(page));
            query = query.filter(Condition::steady(behind).then_text(after.id.clone()));
        }
        if let Some(text) = &page.narrowed.text {
            query = query.filter(searching(self.conn, "batch_items", text));
        }
        let found = self.run(|conn| query.load::<ItemRow>(conn))?;
        let found: Result<Vec<BatchItem>, _> = found.into_iter().map(BatchItem::try_from).collect();
        Ok(Page::cut(found?, page.limit, |item| {
            let id = item.submission_id.map(|id| id.to_string());
            Keyset::of_id(id.unwrap_or_default())
        }))
    }

    fn counts(
        &mut self,
        workspace: WorkspaceId,
        batches: &[BatchId],
    ) -> Result<BTreeMap<BatchId, ItemCounts>, StoreError> {
        let ids: Vec<String> = batches.iter().map(ToString::to_string).collect();
        let found: Vec<(String, String, i64)> = self.run(|conn| {
            batch_items::table
                .filter(batch_items::workspace_id.eq(workspace.to_string()))
                .filter(batch_items::batch_id.eq_any(ids))
                .group_by((batch_items::batch_id, batch_items::state))
                .select((
                    batch_items::batch_id,
                    batch_items::state,
                    diesel::dsl::count_star(),
                ))
                .load(conn)
        })?;
        let mut counts: BTreeMap<BatchId, ItemCounts> = BTreeMap::new();
        for (batch, state, count) in found {
            let state = rows::read(ItemState::parse(&state))?;
            let of_batch = counts.entry(rows::id(&batch)?).or_default();
            of_batch.insert(state, rows::number(count)?);
        }
        Ok(counts)
    }
}
