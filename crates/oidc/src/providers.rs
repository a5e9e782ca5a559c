//! The port, on all of that.

use std::time::Duration;

use async_trait::async_trait;
use ipnet::IpNet;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_domain::identity::sso_sign_in::{SsoClaims, SsoLogout};
use lyceum_outbound::{Guard, GuardSettings};
use lyceum_ports::identity::identity_providers::{
    IdentityProviders, ProviderAnswer, ProviderClient, ProviderQuestion,
};

use crate::jws::Broken;
use crate::known::{Asking, Known, KnownProviders};
use crate::tokens::{self, Doubt, PATIENCE};
use crate::{http, logout};

/// How requests to providers go out.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// Networks that may be called although they are not of the public Internet, by plain http too.
    pub allowed_cidrs: Vec<IpNet>,
    /// Refuse plain http outside `allowed_cidrs`.
    pub require_https: bool,
    /// How long it may take until a connection stands.
    pub connect_timeout: Duration,
    /// How long a whole answer may take.
    pub patience: Duration,
}

impl Default for OidcSettings {
    /// The public Internet by https; 3 s for connecting, 10 s for an answer.
    fn default() -> Self {
        Self {
            allowed_cidrs: Vec::new(),
            require_https: true,
            connect_timeout: Duration::from_secs(3),
            patience: PATIENCE,
        }
    }
}

/// Identity providers, and what is remembered of them.
pub struct Providers {
    guard: Guard,
    patience: Duration,
    known: KnownProviders,
}

impl Providers {
    /// With these settings; nobody is asked yet.
    pub fn new(settings: OidcSettings) -> Self {
        let guard = Guard::new(GuardSettings {
            what: "requests to identity providers",
            user_agent: concat!("Lyceum-OIDC/", env!("CARGO_PKG_VERSION")),
            allowed_cidrs: settings.allowed_cidrs,
            require_https: settings.require_https,
            connect_timeout: settings.connect_timeout,
        });
        Self {
            guard,
            patience: settings.patience,
            known: KnownProviders::new(),
        }
    }

    fn asking(&self) -> Asking<'_> {
        Asking {
            guard: &self.guard,
            patience: self.patience,
        }
    }

    /// Where people are sent, of the web and of where requests may go: what else it might be is run by a browser.
    fn vet_question(&self, known: &Known) -> Result<(), SsoProblem> {
        let address = known.metadata.authorization_endpoint().as_str();
        let checked = self.guard.check(address);
        checked
            .map(drop)
            .map_err(|refused| SsoProblem::new(SsoFault::IssuerUnreachable, refused))
    }

    /// Whether the provider knows us: by a code that nobody was given, which it only says once it does.
    async fn test_secret(&self, known: &Known, client: &ProviderClient) -> Option<SsoProblem> {
        let nobody = ProviderAnswer {
            code: "lyceum-test".to_owned(),
            issuer: None,
            nonce: String::new(),
            verifier: "0".repeat(64),
        };
        let exchanged = tokens::exchange(&self.asking(), known, client, &nobody).await;
        let problem = exchanged.err()?;
        (problem.fault != SsoFault::CodeRefused).then_some(problem)
    }

    /// Whether it would send people back to us, as far as it says so before anybody signs in.
    async fn test_redirect(&self, known: &Known, client: &ProviderClient) -> Option<SsoProblem> {
        let nobody = ProviderQuestion {
            state: "lyceum-test".to_owned(),
            nonce: "lyceum-test".to_owned(),
            verifier: "0".repeat(64),
            hint: None,
            fresh: false,
        };
        let address = tokens::question(known, client, &nobody).ok()?;
        let request = http::get(&address, None).ok()?;
        let answer = http::send(&self.guard, self.patience, request).await.ok()?;
        let said = String::from_utf8_lossy(answer.body()).to_lowercase();
        let is_refused = answer.status().is_client_error() && said.contains("redirect");
        is_refused.then(|| {
            let told = format!("{} is not registered there", client.redirect_uri);
            SsoProblem::new(SsoFault::RedirectRefused, told)
        })
    }
}

/// Whose answer it is that somebody brought back (RFC 9207): where the provider says that it always says so, it must.
fn check_issuer(
    known: &Known,
    client: &ProviderClient,
    answer: &ProviderAnswer,
) -> Result<(), SsoProblem> {
    let beside = known.metadata.additional_metadata();
    let is_announced = beside.authorization_response_iss_parameter_supported == Some(true);
    match &answer.issuer {
        Some(issuer) if issuer == client.issuer.as_str() => Ok(()),
        None if !is_announced => Ok(()),
        Some(_) | None => Err(SsoProblem::new(
            SsoFault::TokenInvalid,
            "the answer is not of this issuer",
        )),
    }
}

#[async_trait]
impl IdentityProviders for Providers {
    async fn question(
        &self,
        client: &ProviderClient,
        question: &ProviderQuestion,
        now: Timestamp,
    ) -> Result<String, SsoProblem> {
        let known = self.known.know(&self.asking(), &client.issuer, now).await?;
        self.vet_question(&known)?;
        tokens::question(&known, client, question)
    }

    async fn identify(
        &self,
        client: &ProviderClient,
        answer: &ProviderAnswer,
        now: Timestamp,
    ) -> Result<SsoClaims, SsoProblem> {
        let asking = self.asking();
        let known = self.known.know(&asking, &client.issuer, now).await?;
        check_issuer(&known, client, answer)?;
        let exchanged = tokens::exchange(&asking, &known, client, answer).await?;
        let verify = |known: &Known| tokens::verify(known, client, &exchanged, &answer.nonce, now);
        let said = match verify(&known) {
            Ok(said) => said,
            Err(Doubt::Keys(problem)) => {
                let newer = self.known.with_new_keys(&asking, &client.issuer, now);
                let newer = newer.await?.ok_or(problem)?;
                verify(&newer).map_err(Doubt::problem)?
            }
            Err(Doubt::Token(problem)) => return Err(problem),
        };
        tokens::complete(&asking, &known, &exchanged, said).await
    }

    async fn logout(
        &self,
        client: &ProviderClient,
        token: &str,
        now: Timestamp,
    ) -> Result<SsoLogout, SsoProblem> {
        let asking = self.asking();
        let known = self.known.know(&asking, &client.issuer, now).await?;
        match logout::open(&known, client, token, now) {
            Ok(said) => Ok(said),
            Err(Broken::Keys) => {
                let newer = self.known.with_new_keys(&asking, &client.issuer, now);
                let newer = newer.await?.ok_or_else(|| Broken::Keys.problem())?;
                logout::open(&newer, client, token, now).map_err(Broken::problem)
            }
            Err(other) => Err(other.problem()),
        }
    }

    async fn test(&self, client: &ProviderClient, now: Timestamp) -> Vec<SsoProblem> {
        let known = match self.known.learn(&self.asking(), &client.issuer, now).await {
            Ok(known) => known,
            Err(problem) => return vec![problem],
        };
        let mut faults = known.faults();
        faults.extend(self.vet_question(&known).err());
        if faults.is_empty() {
            faults.extend(self.test_secret(&known, client).await);
            faults.extend(self.test_redirect(&known, client).await);
        }
        faults
    }
}
