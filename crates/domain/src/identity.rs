//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod invitations;
pub mod keys;
pub mod scopes;
pub mod spenders;
pub mod tokens;
pub mod users;
pub mod workspaces;
