//! Events in rows: a log that is only ever added to.

use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::ids::EventId;
use lyceum_domain::notifying::events::{Event, EventType};
use lyceum_ports::notifying::events::{EventFilter, EventRepository};

use crate::mapping::schema::events;
use crate::prelude::*;

row! {
    /// An event as it is stored; deliveries are read together with theirs.
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = events)]
    pub struct EventRow of Event {
        workspace_id: WorkspaceId,
        id: EventId,
        kind: EventType,
        object_id: String,
        body: String,
        created_at: Timestamp,
        actor: Option<ActedBy>,
    }
}

kept_as_text!(ActedBy, EventType);

impl EventRepository for Session<'_> {
    fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        let row = EventRow::from(event);
        self.put_row(|conn| {
            let insert = diesel::insert_into(events::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, workspace: WorkspaceId, id: EventId) -> Result<Option<Event>, StoreError> {
        let found = self.run(|conn| {
            events::table
                .find((workspace.to_string(), id.to_string()))
                .select(EventRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Event::try_from).transpose()
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &EventFilter,
        page: &PageRequest,
    ) -> Result<Page<Event>, StoreError> {
        let walk = Walk::<ids::Event>::over("events", workspace, page)
            .along("object_id", filter.object_id.as_ref())
            .along("kind", filter.kind.map(EventType::as_str));
        walk.take(self, |session, mut reach| {
            let mut query = events::table
                .filter(events::workspace_id.eq(workspace.to_string()))
                .select(EventRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(kind) = filter.kind {
                query = query.filter(events::kind.eq(kind.as_str()));
            }
            if let Some(object) = &filter.object_id {
                query = query.filter(events::object_id.eq(object.clone()));
            }
            let found = session.run(|conn| query.load::<EventRow>(conn))?;
            let events = found
                .into_iter()
                .map(Event::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(events, |event| event.id.to_string()))
        })
    }
}
