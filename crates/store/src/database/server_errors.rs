//! What PostgreSQL said was wrong, as diesel says it of its own connections.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};
use tokio_postgres::error::{DbError, ErrorPosition, Severity, SqlState};

/// What the server said.
struct Said(DbError);

impl DatabaseErrorInformation for Said {
    fn message(&self) -> &str {
        self.0.message()
    }

    fn details(&self) -> Option<&str> {
        self.0.detail()
    }

    fn hint(&self) -> Option<&str> {
        self.0.hint()
    }

    fn table_name(&self) -> Option<&str> {
        self.0.table()
    }

    fn column_name(&self) -> Option<&str> {
        self.0.column()
    }

    fn constraint_name(&self) -> Option<&str> {
        self.0.constraint()
    }

    fn statement_position(&self) -> Option<i32> {
        match self.0.position()? {
            ErrorPosition::Original(at) => i32::try_from(*at).ok(),
            ErrorPosition::Internal { .. } => None,
        }
    }
}

/// The same error; where the server did not say it, nobody answers any more.
pub fn diesel_error(error: &tokio_postgres::Error) -> Error {
    match error.as_db_error() {
        Some(said) => Error::DatabaseError(kind(said), Box::new(Said(said.clone()))),
        None => closed(whole(error)),
    }
}

/// Nobody answers, for this reason.
pub fn closed(reason: String) -> Error {
    Error::DatabaseError(DatabaseErrorKind::ClosedConnection, Box::new(reason))
}

/// An error with its reasons.
fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut reason = error.source();
    while let Some(error) = reason {
        text = format!("{text}: {error}");
        reason = error.source();
    }
    text
}

fn kind(said: &DbError) -> DatabaseErrorKind {
    // The last word before it hangs up, in whatever language.
    let is_last = matches!(
        said.parsed_severity(),
        Some(Severity::Fatal | Severity::Panic)
    );
    if is_last || said.code().code().starts_with("08") {
        return DatabaseErrorKind::ClosedConnection;
    }
    let code = said.code();
    let kinds = [
        (
            SqlState::UNIQUE_VIOLATION,
            DatabaseErrorKind::UniqueViolation,
        ),
        (
            SqlState::FOREIGN_KEY_VIOLATION,
            DatabaseErrorKind::ForeignKeyViolation,
        ),
        (
            SqlState::T_R_SERIALIZATION_FAILURE,
            DatabaseErrorKind::SerializationFailure,
        ),
        (
            SqlState::READ_ONLY_SQL_TRANSACTION,
            DatabaseErrorKind::ReadOnlyTransaction,
        ),
        (
            SqlState::NOT_NULL_VIOLATION,
            DatabaseErrorKind::NotNullViolation,
        ),
        (SqlState::CHECK_VIOLATION, DatabaseErrorKind::CheckViolation),
        (
            SqlState::RESTRICT_VIOLATION,
            DatabaseErrorKind::RestrictViolation,
        ),
        (
            SqlState::EXCLUSION_VIOLATION,
            DatabaseErrorKind::ExclusionViolation,
        ),
    ];
    let known = kinds.into_iter().find(|(known, _)| known == code);
    known.map_or(DatabaseErrorKind::Unknown, |(_, kind)| kind)
}
