//! The processes that serve, in rows.

use diesel::dsl::{count_star, sql};
use lyceum_ports::running::nodes::{Node, NodeId, NodeRepository, NodeState};
use uuid::Uuid;

use crate::mapping::columns::Instant;
use crate::mapping::schema::nodes;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = nodes, treat_none_as_null = true)]
    struct NodeRow of Node {
        id: NodeId,
        name: Option<String>,
        host: String,
        process: Option<String>,
        version: String,
        state: NodeState,
        started_at: Timestamp,
        seen_at: Timestamp,
    }
}

impl Stored for NodeId {
    type Columns = String;

    fn columns(&self) -> String {
        self.0.to_string()
    }

    fn read(text: String) -> Result<Self, StoreError> {
        rows::read(Uuid::parse_str(&text)).map(Self)
    }
}

impl Stored for NodeState {
    type Columns = String;

    fn columns(&self) -> String {
        self.as_str().to_owned()
    }

    fn read(text: String) -> Result<Self, StoreError> {
        rows::read(Self::parse(&text).ok_or("unknown state of a node"))
    }
}

impl NodeRepository for Session<'_> {
    fn announce(&mut self, node: &Node) -> Result<(), StoreError> {
        let row = NodeRow::from(node);
        let renewed = self.run(|conn| {
            diesel::update(nodes::table.find(&row.id))
                .set(&row)
                .execute(conn)
        })?;
        if renewed == 1 {
            return Ok(());
        }
        self.run(|conn| diesel::insert_into(nodes::table).values(&row).execute(conn))
            .map(drop)
    }

    fn leave(&mut self, id: NodeId) -> Result<(), StoreError> {
        self.run(|conn| diesel::delete(nodes::table.find(id.0.to_string())).execute(conn))
            .map(drop)
    }

    fn forget(&mut self, gone: &[NodeId]) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(nodes::table)
                .filter(nodes::id.eq_any(rows::node_ids(gone)))
                .execute(conn)
        })
        .map(drop)
    }

    fn live(&mut self, now: Timestamp) -> Result<u32, StoreError> {
        let count = self.run(|conn| {
            nodes::table
                .filter(nodes::state.eq(NodeState::Serving.as_str()))
                .filter(nodes::seen_at.ge(Moment(now.minus(Node::SILENCE))))
                .select(count_star())
                .first::<i64>(conn)
        })?;
        rows::number(count)
    }

    fn all(&mut self) -> Result<Vec<Node>, StoreError> {
        let found = self.run(|conn| {
            nodes::table
                .order((nodes::started_at.asc(), nodes::id.asc()))
                .select(NodeRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Node::try_from).collect()
    }

    fn clock(&mut self) -> Result<Option<Timestamp>, StoreError> {
        self.run(|conn| match conn {
            // Not now(), which is when the transaction began.
            AnyConnection::Postgres(conn) => diesel::select(sql::<Instant>("clock_timestamp()"))
                .get_result::<Moment>(conn)
                .map(|at| Some(at.0)),
            AnyConnection::Sqlite(_) => Ok(None),
        })
    }
}
