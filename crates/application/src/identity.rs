//! Who is who: workspaces, people and what they belong to, their keys, and what they may.

pub mod access;
pub mod bootstrap;
pub mod invitation_links;
pub mod invitations;
pub mod keys;
pub mod passkeys;
pub mod platforms;
pub mod provisioning;
pub mod sent_invitations;
pub mod sign_in;
pub mod sign_in_links;
pub mod sso_connections;
pub mod sso_sign_in;
pub mod tokens;
pub mod users;
pub mod visibility;
pub mod web_sessions;
pub mod workspaces;
