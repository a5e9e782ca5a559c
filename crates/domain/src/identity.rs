//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod actors;
pub mod addresses;
pub mod ai_settings;
pub mod consent;
pub mod devices;
pub mod invitations;
pub mod keys;
pub mod passkeys;
pub mod roles;
pub mod scopes;
pub mod sign_in;
pub mod sign_in_links;
pub mod spenders;
pub mod sso_connections;
pub mod sso_sign_in;
pub mod tokens;
pub mod users;
pub mod workspaces;
