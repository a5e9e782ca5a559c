//! From the database's errors to the port's.

use diesel::result::{DatabaseErrorKind, Error};
use lyceum_ports::store::StoreError;

use crate::constraints;

/// What the port says about an error of the database.
pub fn store_error(error: Error) -> StoreError {
    match &error {
        Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => {
            match constraints::field_of(info.message(), info.constraint_name()) {
                Some(field) => StoreError::Taken { field },
                None => StoreError::Failed(Box::new(error)),
            }
        }
        Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => StoreError::Dangling,
        Error::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => StoreError::Stale,
        Error::DatabaseError(DatabaseErrorKind::ClosedConnection, _) => {
            StoreError::Unavailable(Box::new(error))
        }
        _ => StoreError::Failed(Box::new(error)),
    }
}

/// Whether the database asks for the whole transaction to be run again (SQLSTATE 40001 and 40P01).
pub fn asks_for_another_run(error: &Error) -> bool {
    match error {
        Error::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => true,
        // diesel has no kind for a deadlock; the message is PostgreSQL's own.
        Error::DatabaseError(_, info) => info.message().contains("deadlock detected"),
        _ => false,
    }
}

/// A row that holds what it must not hold.
pub fn corrupt(what: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("stored data is not readable: {what}").into())
}
