//! Asking identity providers.

use async_trait::async_trait;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::faults::SsoProblem;
use lyceum_domain::identity::sso_connections::{ClientSecret, Issuer, ProviderWord};
use lyceum_domain::identity::sso_sign_in::{SsoClaims, SsoLogout};

/// What we are to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderClient {
    /// Which provider.
    pub issuer: Issuer,
    /// What we are called there.
    pub client_id: ProviderWord,
    /// What proves there that it is us.
    pub client_secret: ClientSecret,
    /// Where people come back to.
    pub redirect_uri: String,
}

/// What goes along with whoever goes to the provider. No `Debug`: no log line may carry it.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderQuestion {
    /// What is to come back.
    pub state: String,
    /// What the token is to say.
    pub nonce: String,
    /// What is shown with the code later; its hash goes along.
    pub verifier: String,
    /// The address that they said they have, so that nobody types it twice.
    pub hint: Option<String>,
    /// Whether they are to prove anew who they are, also where they are signed in there.
    pub fresh: bool,
}

/// What somebody brought back. No `Debug`: no log line may carry it.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderAnswer {
    /// To be exchanged for a token, once.
    pub code: String,
    /// Who the provider says that it is (RFC 9207).
    pub issuer: Option<String>,
    /// What the token must say.
    pub nonce: String,
    /// What proves that whoever brings the code began it.
    pub verifier: String,
}

/// Talks to identity providers.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait IdentityProviders: Send + Sync {
    /// The address to which somebody goes.
    ///
    /// # Errors
    /// [`SsoProblem`]
    async fn question(
        &self,
        client: &ProviderClient,
        question: &ProviderQuestion,
        now: Timestamp,
    ) -> Result<String, SsoProblem>;

    /// Who it is that brought this back.
    ///
    /// # Errors
    /// [`SsoProblem`]: whatever does not hold
    async fn identify(
        &self,
        client: &ProviderClient,
        answer: &ProviderAnswer,
        now: Timestamp,
    ) -> Result<SsoClaims, SsoProblem>;

    /// What a logout token says, if it is one of this provider's, for us.
    ///
    /// # Errors
    /// [`SsoProblem`]: whatever does not hold
    async fn logout(
        &self,
        client: &ProviderClient,
        token: &str,
        now: Timestamp,
    ) -> Result<SsoLogout, SsoProblem>;

    /// Everything that is wrong, without anybody signing in; nothing is remembered of before.
    async fn test(&self, client: &ProviderClient, now: Timestamp) -> Vec<SsoProblem>;
}
