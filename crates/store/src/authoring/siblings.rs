//! Siblings, which are in order of place and not of age: their number, how they make room, and pages of them.

use crate::prelude::*;

/// Where a page of siblings starts.
pub enum Start {
    /// With the first of them.
    Front,
    /// With the first behind this place and id.
    Behind { position: i64, id: String },
    /// Behind something that is not among them: such a page is empty.
    Nowhere,
}

/// Where the page after `after` starts; `place_of` looks up what a caller named by nothing but its id.
pub fn start(
    after: Option<&Keyset>,
    place_of: impl FnOnce(&str) -> Result<Option<i64>, StoreError>,
) -> Result<Start, StoreError> {
    let Some(Keyset { position, id, .. }) = after else {
        return Ok(Start::Front);
    };
    let position = match position {
        Some(position) => Some(i64::from(*position)),
        None => place_of(id)?,
    };
    Ok(position.map_or(Start::Nowhere, |position| Start::Behind {
        position,
        id: id.clone(),
    }))
}

/// How many siblings there are, and how they make room and close gaps: what the repositories of all of them have.
///
/// A macro because a query is of a type that has its table and its columns in it.
macro_rules! siblings {
    ($table:ident below $column:ident: $parent:ty) => {
        fn count(&mut self, workspace: WorkspaceId, parent: $parent) -> Result<u32, StoreError> {
            let count: i64 = self.run(|conn| {
                $table::table
                    .filter($table::workspace_id.eq(workspace.to_string()))
                    .filter($table::$column.eq(parent.to_string()))
                    .count()
                    .get_result(conn)
            })?;
            rows::number(count)
        }

        fn shift(
            &mut self,
            workspace: WorkspaceId,
            parent: $parent,
            from: u32,
            by: i32,
        ) -> Result<(), StoreError> {
            let line = || lyceum_ports::store::Line::at(parent);
            self.contend(line, |session| {
                session.run(|conn| {
                    diesel::update($table::table)
                        .filter($table::workspace_id.eq(workspace.to_string()))
                        .filter($table::$column.eq(parent.to_string()))
                        .filter($table::position.ge(i64::from(from)))
                        .set($table::position.eq($table::position + i64::from(by)))
                        .execute(conn)
                })
            })
            .map(drop)
        }
    };
}

pub(crate) use siblings;
