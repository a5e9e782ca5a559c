//! How people sign in, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, SecretHash};
use lyceum_domain::identity::sign_in::SignInMethod;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::declared::view;
use crate::identity::web_sessions::WebSessionView;

/// A link to be exchanged for a session. No `Debug`: no log line may carry one.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct SignIn {
    /// What the link ends with, from `sgn_` on.
    #[schema(
        max_length = 200,
        example = "sgn_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    )]
    pub token: String,
}

impl Command for SignIn {
    type Of = SecretHash;

    // Any text has a hash, so that malformed links and unknown ones answer alike.
    fn command(self) -> Result<SecretHash, Invalid> {
        Ok(SecretHash::of(&self.token))
    }
}

view! {
    /// The ways by which people sign in here, beside their keys.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SignInWaysView {
        /// Always `sign_in`.
        pub object: String = "sign_in".to_owned(),
        /// `local_link`: a link that `lyceum sign-in` prints on the machine of the service. More are added; whoever does not
        /// know one leaves it out.
        pub ways: Vec<String> = ways.iter().map(ToString::to_string).collect(),
    }

    /// These.
    pub fn new(ways: &[SignInMethod]);
}

view! {
    /// A session that has just begun. Its cookie is in the header `Set-Cookie`; no script ever reads it. No `Debug`: no log
    /// line may carry one.
    #[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SignedInView {
        /// Always `signed_in`.
        pub object: String = "signed_in".to_owned(),
        /// The address of who signed in.
        pub email: String = email.to_owned(),
        /// Their session.
        pub session: WebSessionView = WebSessionView::new(key, true),
        /// On its way to the cookie; no answer has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(ignore)]
        pub cookie: Option<String> = Some(secret.reveal().to_owned()),
    }

    /// Of a session of whoever has this address, with its secret.
    pub fn new(key: &ApiKey, email: &str, secret: &ApiKeySecret);
}
