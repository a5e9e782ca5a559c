//! What is known of providers: what they say of themselves, and their keys; remembered for an hour.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::Issuer;
use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_outbound::Guard;
use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType,
    CoreJsonWebKey, CoreJsonWebKeySet, CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm, CoreJwsSigningAlgorithm, CoreResponseMode, CoreResponseType,
    CoreSubjectIdentifierType,
};
use openidconnect::{
    AdditionalProviderMetadata, AsyncHttpClient, HttpRequest, HttpResponse, ProviderMetadata,
};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::http;

/// How long what a provider says of itself is remembered.
const REMEMBERED: Duration = Duration::from_hours(1);
/// How soon its keys are asked for again at most, whoever sends tokens with whatever names of keys.
const KEYS_AGAIN: Duration = Duration::from_secs(30);
/// How long it is remembered that a provider could not be asked. Whoever came meanwhile has waited for the same answer already, and a
/// stranger who has us ask again and again keeps nobody from signing in for longer than one try takes.
const FAILED: Duration = Duration::from_secs(5);
/// Of how many providers something is remembered.
const MOST_PROVIDERS: usize = 1_000;

/// Signatures that are taken: none by a secret that both sides have, and no unsigned ones.
const SIGNATURES: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// What providers say beside what every one says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// Whether their answers say whose they are (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: Option<bool>,
    /// Which methods of PKCE they know.
    #[serde(default)]
    pub code_challenge_methods_supported: Option<Vec<String>>,
}

impl AdditionalProviderMetadata for Beside {}

/// The document by which a provider says what it is.
pub type Metadata = ProviderMetadata<
    Beside,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// A provider.
#[derive(Debug, Clone)]
pub struct Known {
    /// What it says of itself.
    pub metadata: Metadata,
    /// Its keys.
    pub keys: CoreJsonWebKeySet,
    learned_at: Timestamp,
    keys_at: Timestamp,
}

impl Known {
    /// By which signatures its tokens may be signed.
    pub fn signatures(&self) -> Vec<CoreJwsSigningAlgorithm> {
        let listed = self.metadata.id_token_signing_alg_values_supported();
        let taken = SIGNATURES.iter().filter(|one| listed.contains(one));
        taken.cloned().collect()
    }

    /// What is wrong with what it says of itself.
    pub fn faults(&self) -> Vec<SsoProblem> {
        let metadata = &self.metadata;
        let mut faults = Vec::new();
        if self.keys.keys().is_empty() {
            let told = format!("no key at {} can be used", metadata.jwks_uri().as_str());
            faults.push(SsoProblem::new(SsoFault::KeysMissing, told));
        }
        let flows = metadata.response_types_supported().iter();
        let is_code =
            |flow: &Vec<CoreResponseType>| matches!(flow.as_slice(), [CoreResponseType::Code]);
        let mut flows = flows.map(|flow| flow.to_vec());
        if metadata.token_endpoint().is_none() || !flows.any(|flow| is_code(&flow)) {
            let told = "response_types_supported has no \"code\"";
            faults.push(SsoProblem::new(SsoFault::CodeFlowMissing, told));
        }
        let methods = &metadata
            .additional_metadata()
            .code_challenge_methods_supported;
        if methods
            .as_ref()
            .is_some_and(|known| !known.iter().any(|one| one == "S256"))
        {
            let told = "code_challenge_methods_supported has no S256";
            faults.push(SsoProblem::new(SsoFault::PkceMissing, told));
        }
        if self.signatures().is_empty() {
            let told = "id_token_signing_alg_values_supported has no RS, PS, ES or EdDSA";
            faults.push(SsoProblem::new(SsoFault::SigningUnsupported, told));
        }
        faults
    }
}

/// What is remembered of a provider.
#[derive(Default)]
struct Remembered {
    known: Option<Arc<Known>>,
    failure: Option<(Timestamp, SsoProblem)>,
}

impl Remembered {
    /// Why it could not be asked just now, if it could not. Clocks that were set, and those who waited in line, may be a little before that.
    fn failed(&self, now: Timestamp) -> Option<&SsoProblem> {
        let (at, problem) = self.failure.as_ref()?;
        let is_of_now = now < at.plus(FAILED) && *at < now.plus(FAILED);
        is_of_now.then_some(problem)
    }

    /// Asks it for somebody who came then, which was `now`, and keeps what comes of it.
    async fn ask(
        &mut self,
        asking: &Asking<'_>,
        issuer: &Issuer,
        (now, came): (Timestamp, Instant),
    ) -> Result<Arc<Known>, SsoProblem> {
        match asking.learn(issuer, now).await {
            Ok(known) => {
                let known = Arc::new(known);
                self.failure = None;
                self.known = Some(Arc::clone(&known));
                Ok(known)
            }
            Err(problem) => {
                // They may have waited for others before, and then for as long as an answer may take.
                self.failure = Some((now.plus(came.elapsed()), problem.clone()));
                Err(problem)
            }
        }
    }
}

/// One provider, of which one at a time learns something.
type Slot = Arc<Mutex<Remembered>>;

/// All that are known.
pub struct KnownProviders {
    slots: Cache<String, Slot>,
}

impl KnownProviders {
    pub fn new() -> Self {
        Self {
            slots: Cache::new(MOST_PROVIDERS),
        }
    }

    fn slot(&self, issuer: &Issuer) -> Slot {
        let made = self.slots.get_or_insert_with(issuer.as_str(), || {
            Ok::<_, std::convert::Infallible>(Slot::default())
        });
        match made {
            Ok(slot) => slot,
            Err(never) => match never {},
        }
    }

    /// What is known of it, fetched unless it is remembered.
    pub async fn know(
        &self,
        asking: &Asking<'_>,
        issuer: &Issuer,
        now: Timestamp,
    ) -> Result<Arc<Known>, SsoProblem> {
        let (slot, came) = (self.slot(issuer), Instant::now());
        let mut slot = slot.lock().await;
        if let Some(known) = slot.known.as_ref().filter(|known| is_fresh(known, now)) {
            return Ok(Arc::clone(known));
        }
        // Others may have been asking meanwhile.
        match slot.failed(now.plus(came.elapsed())) {
            Some(problem) => Err(problem.clone()),
            None => slot.ask(asking, issuer, (now, came)).await,
        }
    }

    /// The same, fetched in any case.
    pub async fn learn(
        &self,
        asking: &Asking<'_>,
        issuer: &Issuer,
        now: Timestamp,
    ) -> Result<Arc<Known>, SsoProblem> {
        let (slot, came) = (self.slot(issuer), Instant::now());
        let mut slot = slot.lock().await;
        slot.known = None;
        slot.ask(asking, issuer, (now, came)).await
    }

    /// With its keys of now, because none that we had fits; the same as before, if they were fetched just now.
    pub async fn with_new_keys(
        &self,
        asking: &Asking<'_>,
        issuer: &Issuer,
        now: Timestamp,
    ) -> Result<Option<Arc<Known>>, SsoProblem> {
        let slot = self.slot(issuer);
        let mut slot = slot.lock().await;
        let Some(known) = slot.known.as_ref() else {
            return Ok(None);
        };
        if now < known.keys_at.plus(KEYS_AGAIN) {
            return Ok(None);
        }
        let mut known = Known::clone(known);
        // Also where they cannot be had: nobody makes us ask more often by that.
        known.keys_at = now;
        slot.known = Some(Arc::new(known.clone()));
        known.keys = asking.keys(&known.metadata).await?;
        let known = Arc::new(known);
        slot.known = Some(Arc::clone(&known));
        Ok(Some(known))
    }
}

fn is_fresh(known: &Known, now: Timestamp) -> bool {
    known.learned_at <= now && now < known.learned_at.plus(REMEMBERED)
}

/// How providers are asked.
pub struct Asking<'a> {
    pub guard: &'a Guard,
    pub patience: Duration,
}

impl<'c> AsyncHttpClient<'c> for Asking<'_> {
    type Error = http::Failure;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, http::Failure>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(http::send(self.guard, self.patience, request))
    }
}

impl Asking<'_> {
    /// A document, if there is one.
    pub async fn document(&self, address: &str) -> Result<Vec<u8>, SsoProblem> {
        let request = http::get(address, None).map_err(http::Failure::problem)?;
        let answer = http::send(self.guard, self.patience, request).await;
        let answer = answer.map_err(http::Failure::problem)?;
        if answer.status().as_u16() == 200 {
            return Ok(answer.into_body());
        }
        let told = format!("{address} answers {}", answer.status());
        Err(SsoProblem::new(SsoFault::NotAProvider, told))
    }

    async fn learn(&self, issuer: &Issuer, now: Timestamp) -> Result<Known, SsoProblem> {
        let base = issuer.as_str().trim_end_matches('/');
        let address = format!("{base}/.well-known/openid-configuration");
        let document = self.document(&address).await?;
        let unreadable =
            |error| SsoProblem::new(SsoFault::NotAProvider, format!("{address}: {error}"));
        let metadata: Metadata = serde_json::from_slice(&document).map_err(unreadable)?;
        // Else whoever answers there could speak for somebody else.
        if metadata.issuer().as_str() != issuer.as_str() {
            let told = format!("it calls itself {}", metadata.issuer().as_str());
            return Err(SsoProblem::new(SsoFault::IssuerMismatch, told));
        }
        Ok(Known {
            keys: self.keys(&metadata).await?,
            metadata,
            learned_at: now,
            keys_at: now,
        })
    }

    async fn keys(&self, metadata: &Metadata) -> Result<CoreJsonWebKeySet, SsoProblem> {
        let address = metadata.jwks_uri().as_str();
        let missing = |detail: String| SsoProblem::new(SsoFault::KeysMissing, detail);
        let document = self.document(address).await;
        let document = document.map_err(|problem| missing(problem.detail))?;
        serde_json::from_slice(&document).map_err(|error| missing(format!("{address}: {error}")))
    }
}
