//! One-time login tokens and the session keys they become, on the wire.

use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, SecretHash};
use lyceum_domain::identity::tokens::{LoginToken, LoginTokenSecret};
use lyceum_domain::identity::users::User;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::text::Email;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::declared::view;
use crate::identity::keys::scope_names;
use crate::identity::platforms::PlatformView;
use crate::identity::users::UserView;
use crate::shapes;

/// A one-time token to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct StartToken {
    /// The address of the user who is to get in.
    #[schema(
        max_length = 254,
        pattern = r"^[^@\s]+@[^@\s]+$",
        example = "ada@example.org"
    )]
    pub email: String,
}

impl Command for StartToken {
    type Of = Email;

    fn command(self) -> Result<Email, Invalid> {
        Email::parse(&self.email).at("email")
    }
}

/// A one-time token to be exchanged. No `Debug`: no log line may carry one.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct FinishToken {
    /// The token.
    #[schema(example = "tok_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")]
    pub token: String,
}

impl Command for FinishToken {
    type Of = SecretHash;

    // Any text has a hash, so that malformed tokens and unknown ones answer alike.
    fn command(self) -> Result<SecretHash, Invalid> {
        Ok(SecretHash::of(&self.token))
    }
}

view! {
    /// A one-time token. No `Debug`: no log line may carry one.
    #[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct LoginTokenView {
        /// Always `login_token`.
        pub object: String = "login_token".to_owned(),
        /// The token; works once, and is shown only here.
        pub token: String = secret.reveal().to_owned(),
        /// When it stops working.
        #[schema(schema_with = shapes::moment)]
        pub expires_at: String = token.expires_at.to_string(),
    }

    /// Of a token, with its secret.
    pub fn new(token: &LoginToken, secret: &LoginTokenSecret);
}

view! {
    /// A session key: lives a day, sees one platform as its user does. No `Debug`: no log line may carry one.
    #[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct SessionKeyView {
        /// Always `session_key`.
        pub object: String = "session_key".to_owned(),
        /// The whole key; shown only here.
        pub api_key: String = secret.reveal().to_owned(),
        /// When it stops working; using it does not prolong it.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub expires_at: Option<String> = key.expires_at.as_ref().map(ToString::to_string),
        /// What it may do.
        pub scopes: Vec<String> = scope_names(&key.scopes),
        /// Whose it is.
        pub user: UserView = UserView::learner(user),
        /// The platform that it opens.
        pub platform: PlatformView = PlatformView::new(user, workspace),
    }

    /// Of a key, with its secret, its user and its platform.
    pub fn new(key: &ApiKey, secret: &ApiKeySecret, user: &User, workspace: &Workspace);
}
