//! From the database's errors to the port's.
//!
//! diesel passes neither SQLite's result code nor the server's SQLSTATE on, so what it has no kind for is told by
//! its text: SQLite's are fixed (`sqlite3_errstr`), and PostgreSQL's are those of the untranslated server.

use diesel::result::{DatabaseErrorKind, Error};
use lyceum_ports::store::StoreError;

use crate::database::constraints;

const FULL: &str = "database or disk is full";
const LOCKED: &str = "database is locked";

/// What means that the database is in trouble now and may not be in a moment.
const PASSING: &[&str] = &[
    LOCKED,
    "disk I/O error",
    "unable to open database file",
    "out of memory",
    "canceling statement due to statement timeout",
    "canceling statement due to lock timeout",
];

/// What the port says about an error of the database.
pub fn store_error(error: Error) -> StoreError {
    let Error::DatabaseError(kind, info) = &error else {
        return StoreError::Failed(Box::new(error));
    };
    if is_full(&error) {
        return StoreError::DiskFull;
    }
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
        DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand => {
            StoreError::Unavailable(Box::new(error))
        }
        _ if PASSING.contains(&info.message()) => StoreError::Unavailable(Box::new(error)),
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

/// Whether another process has the lock that writes need.
pub fn is_busy(error: &Error) -> bool {
    message(error) == Some(LOCKED)
}

/// Whether there is no room on the disk, here or where the server is.
pub fn is_full(error: &Error) -> bool {
    message(error)
        .is_some_and(|message| message == FULL || message.ends_with(": No space left on device"))
}

/// Whether SQLite may have rolled the whole transaction back by itself: a statement after that would be kept on its own.
pub fn ends_transaction(error: &Error) -> bool {
    is_full(error) || matches!(message(error), Some("disk I/O error" | "out of memory"))
}

/// Whether nobody answers on this connection any more.
pub fn is_lost(error: &Error) -> bool {
    matches!(
        error,
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand,
            _
        )
    )
}

/// Whether a COMMIT that ended in this error certainly kept nothing. Of any other it is not known: the change may
/// be on disk, and what a failed sync has dropped no second one brings back.
pub fn kept_nothing(error: &Error) -> bool {
    const ENDED_BEFORE: &str = "cannot commit - no transaction is active";
    let refused = matches!(
        error,
        Error::DatabaseError(
            DatabaseErrorKind::UniqueViolation
                | DatabaseErrorKind::ForeignKeyViolation
                | DatabaseErrorKind::NotNullViolation
                | DatabaseErrorKind::CheckViolation
                | DatabaseErrorKind::RestrictViolation
                | DatabaseErrorKind::ExclusionViolation
                | DatabaseErrorKind::ReadOnlyTransaction
                | DatabaseErrorKind::SerializationFailure,
            _
        )
    );
    refused || matches!(message(error), Some(FULL | LOCKED | ENDED_BEFORE))
}

fn message(error: &Error) -> Option<&str> {
    let Error::DatabaseError(_, info) = error else {
        return None;
    };
    Some(info.message())
}

/// A row that holds what it must not hold.
pub fn corrupt(what: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(format!("stored data is not readable: {what}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: DatabaseErrorKind, message: &str) -> Error {
        Error::DatabaseError(kind, Box::new(message.to_owned()))
    }

    fn said(message: &str) -> Error {
        of(DatabaseErrorKind::Unknown, message)
    }

    #[test]
    fn a_full_disk_is_told_apart_here_and_at_the_server() {
        for text in [
            "database or disk is full",
            "could not extend file \"base/5/16384\": No space left on device",
        ] {
            assert!(matches!(store_error(said(text)), StoreError::DiskFull));
        }
        // What a caller wrote may stand in a message.
        let quoted = said("invalid input syntax: \"database or disk is full\"");
        assert!(matches!(store_error(quoted), StoreError::Failed(_)));
    }

    #[test]
    fn trouble_that_passes_is_not_a_failure() {
        for text in PASSING {
            let told = store_error(said(text));
            assert!(matches!(told, StoreError::Unavailable(_)), "{text}");
        }
        let gone = of(DatabaseErrorKind::UnableToSendCommand, "");
        assert!(is_lost(&gone));
        assert!(matches!(store_error(gone), StoreError::Unavailable(_)));
    }

    #[test]
    fn what_a_commit_left_is_known_only_where_the_database_says_so() {
        assert!(kept_nothing(&said("database or disk is full")));
        assert!(kept_nothing(&said("database is locked")));
        assert!(kept_nothing(&of(
            DatabaseErrorKind::ForeignKeyViolation,
            ""
        )));
        assert!(!kept_nothing(&said("disk I/O error")));
        assert!(!kept_nothing(&said("database disk image is malformed")));
        let cut = of(DatabaseErrorKind::ClosedConnection, "server closed");
        assert!(!kept_nothing(&cut));
    }
}
