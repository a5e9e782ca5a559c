//! Signing in by an organisation's provider, on the wire.

use lyceum_domain::identity::sso_sign_in::ConsolePlace;
use lyceum_domain::text::Email;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::declared::view;

/// Somebody who wants to sign in by their organisation.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AskForSso {
    /// Their address; what is behind the `@` says which organisation.
    #[schema(
        max_length = 254,
        pattern = r"^[^@\s]+@[^@\s]+$",
        example = "ada@example.org"
    )]
    pub email: String,
    /// Where in Studio they come out: a path behind its `#`.
    #[schema(
        max_length = 300,
        pattern = r"^(/([A-Za-z0-9_.-][A-Za-z0-9/_.-]*)?)?$",
        example = "/courses"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Whether they prove there anew who they are, also where they are signed in there: for what takes a recent sign-in. `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh: Option<bool>,
}

/// Who it is, and where they come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedForSso {
    /// Their address.
    pub email: Email,
    /// Where they come out.
    pub place: ConsolePlace,
    /// Whether they are to prove anew who they are.
    pub fresh: bool,
}

impl Command for AskForSso {
    type Of = AskedForSso;

    fn command(self) -> Result<AskedForSso, Invalid> {
        Ok(AskedForSso {
            email: Email::parse(&self.email).at("email")?,
            place: ConsolePlace::parse(&self.place.unwrap_or_default()).at("place")?,
            fresh: self.fresh.unwrap_or_default(),
        })
    }
}

view! {
    /// Where somebody goes to sign in.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SsoDepartureView {
        /// Always `sso_departure`.
        pub object: String = "sso_departure".to_owned(),
        /// The provider's address, to which the browser goes within ten minutes. It works in this browser alone.
        pub url: String = url.to_owned(),
        /// On its way to the cookie; no answer has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(ignore)]
        pub cookie: Option<String> = Some(held.to_owned()),
    }

    /// At this address, for the browser that holds this.
    pub fn new(url: &str, held: &str);
}

/// What a provider says of somebody who is no longer signed in there. No `Debug`: no log line may carry one.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TellSsoLogout {
    /// The provider's logout token (OpenID Connect Back-Channel Logout 1.0).
    #[schema(max_length = 20_000)]
    pub logout_token: String,
}

impl Command for TellSsoLogout {
    type Of = String;

    // Any text is a token until the provider's keys say otherwise.
    fn command(self) -> Result<String, Invalid> {
        Ok(self.logout_token)
    }
}

view! {
    /// How many sessions ended.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SsoLogoutView {
        /// Always `sso_logout`.
        pub object: String = "sso_logout".to_owned(),
        /// How many.
        pub ended: u64 = ended,
    }

    /// So many.
    pub fn new(ended: u64);
}
