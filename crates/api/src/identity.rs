//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod invitations;
pub(crate) mod key_uses;
pub mod keys;
pub mod passkeys;
pub mod platforms;
pub mod scim;
pub mod sent_invitations;
pub mod sign_in;
pub mod sso_connections;
pub mod sso_logout;
pub mod sso_sign_in;
pub mod tokens;
pub mod users;
pub mod web_sessions;
pub mod workspaces;
