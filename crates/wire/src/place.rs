//! Places among siblings.

use lyceum_domain::Invalid;

/// Where something is to be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<P> {
    /// 0-based place among its siblings there; the end if there are fewer.
    pub position: u32,
    /// Its new parent; the one it has if absent.
    pub parent: Option<P>,
}

/// Reads a place.
///
/// # Errors
/// [`Invalid`] at `position`.
pub fn position(given: i64) -> Result<u32, Invalid> {
    u32::try_from(given).map_err(|_| Invalid::new("position", "must be between 0 and 2147483647"))
}
