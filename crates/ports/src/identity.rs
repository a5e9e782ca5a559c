//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod callers;
pub mod identity_providers;
pub mod keys;
pub mod passkeys;
pub mod sign_in_links;
pub mod sso;
pub mod tokens;
pub mod users;
pub mod workspaces;
