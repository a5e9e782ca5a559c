//! How people sign in, on the wire.

use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, SecretHash};
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sign_in_links::SignInLink;
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::declared::view;
use crate::identity::web_sessions::WebSessionView;
use crate::shapes;

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

/// A link that somebody asks for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct AskForLink {
    /// The address of who signs in.
    #[schema(
        max_length = 254,
        pattern = r"^[^@\s]+@[^@\s]+$",
        example = "ada@example.org"
    )]
    pub email: String,
    /// The language of the mail; English when absent, and where there is no text in it.
    #[schema(value_type = Option<String>, example = "de")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// Who asks for a link, and the language of the mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedForLink {
    /// The address.
    pub email: Email,
    /// The language.
    pub language: Option<LanguageTag>,
}

impl Command for AskForLink {
    type Of = AskedForLink;

    fn command(self) -> Result<AskedForLink, Invalid> {
        let language = self.language.as_deref().map(LanguageTag::parse);
        Ok(AskedForLink {
            email: Email::parse(&self.email).at("email")?,
            language: language.transpose().at("language")?,
        })
    }
}

view! {
    /// What is said to whoever asked for a link: the same whether somebody has the address or not.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct AskedForLinkView {
        /// Always `asked_for_link`.
        pub object: String = "asked_for_link".to_owned(),
        /// The address that was asked for.
        pub email: String = link.email.to_string(),
        /// When a link that was sent ends. It works in the browser that asked alone.
        #[schema(schema_with = shapes::moment)]
        pub expires_at: String = link.expires_at.to_string(),
        /// On its way to the cookie; no answer has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(ignore)]
        pub cookie: Option<String> = Some(held.to_owned()),
    }

    /// Of a link, without its secret, for the browser that holds this.
    pub fn new(link: &SignInLink, held: &str);
}

view! {
    /// The ways by which people sign in here, beside their keys.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SignInWaysView {
        /// Always `sign_in`.
        pub object: String = "sign_in".to_owned(),
        /// `passkey`: a passkey, which `POST /v1/sign_in/passkey/begin` asks for; `mail_link`: a link by mail, which `POST /v1/sign_in/links` asks for; `local_link`: a link that `lyceum sign-in` prints on
        /// the machine of the service; `sso`: by the identity provider of an organisation, where `POST /v1/sign_in/sso` leads. More are added; whoever does not know one leaves it out.
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
