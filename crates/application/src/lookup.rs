//! Finding what a request names, and saying so when it is not there.

use crate::error::Error;

/// The thing that the path names.
///
/// # Errors
/// [`Error::NotFound`]
pub fn found<T>(thing: Option<T>, object: &'static str) -> Result<T, Error> {
    thing.ok_or(Error::NotFound(object))
}

/// The thing that a field of the body names.
///
/// # Errors
/// [`Error::Reference`]
pub fn referenced<T>(
    thing: Option<T>,
    field: &'static str,
    object: &'static str,
) -> Result<T, Error> {
    thing.ok_or(Error::Reference { field, object })
}
