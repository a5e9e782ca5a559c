//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod access;
pub mod bootstrap;
pub mod invitations;
pub mod keys;
pub mod platforms;
pub mod tokens;
pub mod users;
pub mod visibility;
pub mod workspaces;
