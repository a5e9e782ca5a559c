//! Small questions inside a larger one, written as text.
//!
//! diesel cannot know whether text is always the same, so it would spell the whole query out for every request, to look
//! up whether it is compiled. Each of these is a type of its own with one text: its name tells what is asked.

/// Makes a nullable value, a text unless it says otherwise, that a `SELECT` from a table may give beside the table's columns.
macro_rules! sub_select {
    ($(#[$note:meta])* $name:ident of $table:ident, $sql:expr) => {
        sub_select! { $(#[$note])* $name of $table as diesel::sql_types::Text, $sql }
    };
    ($(#[$note:meta])* $name:ident of $table:ident as $kind:ty, $sql:expr) => {
        $(#[$note])*
        #[derive(Debug, Clone, Copy, diesel::query_builder::QueryId, diesel::expression::ValidGrouping)]
        struct $name;

        impl diesel::expression::Expression for $name {
            type SqlType = diesel::sql_types::Nullable<$kind>;
        }

        impl<DB: diesel::backend::Backend> diesel::query_builder::QueryFragment<DB> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut pass: diesel::query_builder::AstPass<'_, 'b, DB>,
            ) -> diesel::QueryResult<()> {
                pass.push_sql(&$sql);
                Ok(())
            }
        }

        impl diesel::expression::AppearsOnTable<$table::table> for $name {}
        impl diesel::expression::SelectableExpression<$table::table> for $name {}
    };
}

pub(crate) use sub_select;
