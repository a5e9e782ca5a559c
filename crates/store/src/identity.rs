//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub(crate) mod callers;
pub(crate) mod keys;
pub(crate) mod passkeys;
pub(crate) mod sign_in_links;
pub(crate) mod sso;
pub(crate) mod tokens;
pub(crate) mod users;
pub(crate) mod workspaces;
