//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod actors;
pub mod invitations;
pub mod keys;
pub mod me;
pub mod passkeys;
pub mod platforms;
pub mod sent_invitations;
pub mod sign_in;
pub mod sso_connections;
pub mod sso_sign_in;
pub mod tokens;
pub mod users;
pub mod web_sessions;
pub mod workspaces;
