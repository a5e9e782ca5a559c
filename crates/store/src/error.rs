//! From the database's errors to the port's.

use diesel::result::{DatabaseErrorKind, Error};
use lyceum_ports::store::StoreError;

use crate::constraints;

/// What the port says about an error of the database.
pub fn store_error(error: Error) -> StoreError {
    let Error::DatabaseError(kind, info) = &error else {
        return StoreError::Failed(Box::new(error));
    };
    // diesel may learn new kinds; those it has now and that mean something to callers are these.
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum is open")]
    match kind {
        DatabaseErrorKind::UniqueViolation => {
            let field = constraints::field_of(info.message(), info.constraint_name());
            field.map_or_else(
                || StoreError::Failed(format!("unexpected duplicate: {}", info.message()).into()),
                |field| StoreError::Taken { field },
            )
        }
        DatabaseErrorKind::ForeignKeyViolation => StoreError::Dangling,
        DatabaseErrorKind::SerializationFailure => StoreError::Stale,
        DatabaseErrorKind::ClosedConnection => StoreError::Unavailable(Box::new(error)),
        _ => StoreError::Failed(Box::new(error)),
    }
}

/// Whether the database asks for the whole transaction to be run again (SQLSTATE 40001 and 40P01).
pub fn asks_for_another_run(error: &Error) -> bool {
    let Error::DatabaseError(kind, info) = error else {
        return false;
    };
    // diesel has no kind for a deadlock; the message is PostgreSQL's own.
    matches!(kind, DatabaseErrorKind::SerializationFailure)
        || info.message().contains("deadlock detected")
}

/// A row that holds what it must not hold.
pub fn corrupt(what: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("stored data is not readable: {what}").into())
}
