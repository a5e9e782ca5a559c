//! How large things are, by what the databases keep of them.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::store::StoreError;
use lyceum_ports::weights::{Heap, WeightRepository};

use crate::database::connection::AnyConnection;
use crate::database::session::Session;
use crate::mapping::rows;
use crate::mapping::schema::{activities, assignments, courses, lessons, units};

/// A column that may be large.
#[derive(Clone, Copy)]
enum Large {
    Text(&'static str),
    Document(&'static str),
}

use Large::{Document, Text};

const OF_COURSES: &[Large] = &[
    Text("description"),
    Text("ai_instructions"),
    Document("ai_evaluator"),
    Document("tutor"),
    Document("metadata"),
];
const OF_UNITS: &[Large] = &[
    Text("description"),
    Document("objectives"),
    Document("metadata"),
];
const OF_LESSONS: &[Large] = &[
    Text("summary"),
    Document("objectives"),
    Text("content"),
    Document("metadata"),
];
const OF_ACTIVITIES: &[Large] = &[Document("content"), Document("metadata")];
const OF_ASSIGNMENTS: &[Large] = &[
    Text("instructions"),
    Document("rubric"),
    Document("metadata"),
];

/// The bytes of these columns in all rows. Both databases know the length of a text without reading it; PostgreSQL knows
/// that of a document as it is kept, which may be packed.
fn bytes(conn: &AnyConnection, columns: &[Large]) -> String {
    let column = |column: &Large| match (conn, column) {
        (AnyConnection::Postgres(_), Document(name)) => {
            format!("COALESCE(pg_column_size({name}), 0)")
        }
        (_, Text(name) | Document(name)) => format!("COALESCE(octet_length({name}), 0)"),
    };
    let columns: Vec<String> = columns.iter().map(column).collect();
    format!("COALESCE(SUM({}), 0)", columns.join(" + "))
}

fn texts<K: Identified>(ids: &[Id<K>]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

impl WeightRepository for Session<'_> {
    fn weigh(&mut self, workspace: WorkspaceId, heap: &Heap) -> Result<u64, StoreError> {
        let workspace = workspace.to_string();
        macro_rules! weigh {
            ($table:ident, $column:ident, $ids:expr, $columns:expr) => {{
                let sum = bytes(self.conn, $columns);
                self.run(|conn| {
                    $table::table
                        .filter($table::workspace_id.eq(&workspace))
                        .filter($table::$column.eq_any(texts($ids)))
                        .select(sql::<BigInt>(&sum))
                        .first::<i64>(conn)
                })?
            }};
        }
        let found = match heap {
            Heap::Courses(ids) => weigh!(courses, id, ids, OF_COURSES),
            Heap::Units(ids) => weigh!(units, id, ids, OF_UNITS),
            Heap::UnitsOfCourses(ids) => weigh!(units, course_id, ids, OF_UNITS),
            Heap::Lessons(ids) => weigh!(lessons, id, ids, OF_LESSONS),
            Heap::LessonsOfUnits(ids) => weigh!(lessons, unit_id, ids, OF_LESSONS),
            Heap::ActivitiesOfLessons(ids) => weigh!(activities, lesson_id, ids, OF_ACTIVITIES),
            Heap::Assignments(ids) => weigh!(assignments, id, ids, OF_ASSIGNMENTS),
        };
        rows::number(found)
    }
}
