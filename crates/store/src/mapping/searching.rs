//! Where the texts stand that lists are searched in: for each table what [`lyceum_ports::finding`] says of its things.

use lyceum_ports::page::PageRequest;

use crate::database::connection::AnyConnection;
use crate::mapping::conditions::{Condition, has, narrowing};

/// What a page request leaves of a table, with what it is searched for, as conditions that must all hold.
pub fn narrowed(conn: &AnyConnection, table: &str, page: &PageRequest) -> Vec<Condition> {
    let mut conditions = narrowing(conn, table, page);
    let text = page.narrowed.text.as_ref();
    conditions.extend(text.map(|text| searching(conn, table, text)));
    conditions
}

/// That a row has `text` in one of its texts, or in what the person is called that it is of. Nobody asks it of tables that
/// have none.
pub fn searching(conn: &AnyConnection, table: &str, text: &str) -> Condition {
    let learner = format!("{table}.user_id");
    match table {
        "users" => any_of(conn, &["users.name", "users.email"], text),
        "webhook_endpoints" => any_of(
            conn,
            &["webhook_endpoints.url", "webhook_endpoints.description"],
            text,
        ),
        "media_files" => {
            let members = ["file_name", "title", "alt_text"].map(|member| described(conn, member));
            any_of(conn, &members.each_ref().map(String::as_str), text)
        }
        "enrollments" | "submissions" | "attempts" | "scorm_learners" => {
            of_person(conn, (table, &learner), text)
        }
        "batch_items" => of_person(conn, (table, OF_ITEM), text),
        _ => any_of(conn, &[&format!("{table}.name")], text),
    }
}

/// Whose work an item is about.
const OF_ITEM: &str = "(SELECT work.user_id FROM submissions AS work WHERE work.workspace_id = batch_items.workspace_id \
                       AND work.id = batch_items.submission_id)";

fn any_of(conn: &AnyConnection, columns: &[&str], text: &str) -> Condition {
    let mut any = Condition::sql("(");
    for (place, column) in columns.iter().enumerate() {
        let or = if place == 0 { "" } else { " OR " };
        any = any.and_sql(or).and(has(conn, column, text));
    }
    any.and_sql(")")
}

fn of_person(conn: &AnyConnection, (table, person): (&str, &str), text: &str) -> Condition {
    Condition::sql(format!(
        "EXISTS (SELECT 1 FROM users AS named WHERE named.workspace_id = {table}.workspace_id AND named.id = {person} AND "
    ))
    .and(any_of(conn, &["named.name", "named.email"], text))
    .and_sql(")")
}

/// What is said about a file of the library.
fn described(conn: &AnyConnection, member: &str) -> String {
    match conn {
        AnyConnection::Postgres(_) => format!("(media_files.document ->> '{member}')"),
        AnyConnection::Sqlite(_) => format!("json_extract(media_files.document, '$.{member}')"),
    }
}
