//! Adapters of our own, as small as they can be: the machine's clock, ids and randomness, no webhooks and no identity providers.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_domain::identity::sso_sign_in::{SsoClaims, SsoLogout};
use lyceum_domain::notifying::deliveries::DeliveryOutcome;
use lyceum_ports::addresses::{Addresses, Door, SsoDoor};
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use lyceum_ports::identity::identity_providers::{
    IdentityProviders, ProviderAnswer, ProviderClient, ProviderQuestion,
};
use lyceum_ports::notifying::webhook_sink::{AddressRefused, WebhookMessage, WebhookSink};
use uuid::{ContextV7, Uuid};

/// The machine: what time it is, what comes next, and what nobody can guess.
#[derive(Default)]
pub struct Machine {
    ids: Mutex<ContextV7>,
}

impl Clock for Machine {
    #[allow(clippy::disallowed_methods, reason = "this is where the time comes in")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_unix_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

impl Ids for Machine {
    /// Each is greater than the one before, also within a millisecond: lists go by ids.
    fn next(&self) -> Uuid {
        let millis = u64::try_from(self.now().unix_millis()).unwrap_or_default();
        let nanos = u32::try_from(millis % 1000).unwrap_or_default() * 1_000_000;
        let counter = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        Uuid::new_v7(uuid::Timestamp::from_unix(&*counter, millis / 1000, nanos))
    }
}

impl Entropy for Machine {
    fn fill(&self, bytes: &mut [u8]) {
        // Without randomness every secret would be guessable: better no process than such a one.
        if getrandom::fill(bytes).is_err() {
            std::process::abort();
        }
    }
}

/// There are no workers to wake: we work off what is due ourselves.
pub struct Nobody;

impl Signal for Nobody {
    fn wake(&self) {}
}

/// Nobody outside is told anything, so no address is taken.
pub struct NoWebhooks;

#[async_trait]
impl WebhookSink for NoWebhooks {
    fn vet(&self, _url: &str) -> Result<(), AddressRefused> {
        Err(AddressRefused(
            "this application sends no webhooks".to_owned(),
        ))
    }

    async fn deliver(&self, _message: WebhookMessage) -> DeliveryOutcome {
        DeliveryOutcome::Failed {
            reason: "this application sends no webhooks".to_owned(),
        }
    }
}

/// Where our visitors fetch what they hold a signed address of.
#[derive(Debug)]
pub struct Counter;

impl Addresses for Counter {
    fn signed(&self, door: Door, expires: i64, signature: &str) -> String {
        let what = match door {
            Door::PackageDownload(id) => format!("packages/{id}"),
            Door::PackagePreview(id) => format!("packages/{id}/look"),
            Door::Recording(_, id) => format!("recordings/{id}"),
            Door::MediaFile(_, id, number) => format!("media/{id}/{number}"),
            Door::LessonPreview(_, id) => format!("preview/{id}"),
            Door::ActivityPreview(_, id) => format!("preview/{id}"),
        };
        format!("http://school.example/{what}?until={expires}&by={signature}")
    }

    fn of_sso(&self, door: SsoDoor) -> String {
        let what = match door {
            SsoDoor::Callback => "back".to_owned(),
            SsoDoor::Logout(id) => format!("out/{id}"),
        };
        format!("http://school.example/{what}")
    }
}

/// Nobody signs in by an identity provider.
pub struct NoProviders;

fn none() -> SsoProblem {
    SsoProblem::new(SsoFault::IssuerUnreachable, "no provider is asked here")
}

#[async_trait]
impl IdentityProviders for NoProviders {
    async fn question(
        &self,
        _: &ProviderClient,
        _: &ProviderQuestion,
        _: Timestamp,
    ) -> Result<String, SsoProblem> {
        Err(none())
    }

    async fn identify(
        &self,
        _: &ProviderClient,
        _: &ProviderAnswer,
        _: Timestamp,
    ) -> Result<SsoClaims, SsoProblem> {
        Err(none())
    }

    async fn logout(
        &self,
        _: &ProviderClient,
        _: &str,
        _: Timestamp,
    ) -> Result<SsoLogout, SsoProblem> {
        Err(none())
    }

    async fn test(&self, _: &ProviderClient, _: Timestamp) -> Vec<SsoProblem> {
        vec![none()]
    }
}
