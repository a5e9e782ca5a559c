//! How much callers may ask for: counted per key, per workspace for AI, and per address where there is no key.
//!
//! Each count is a bucket that holds a minute's quota and refills evenly, so nobody waits for a minute to turn.
//! The order is that of the checks: an address that keeps sending wrong keys is turned away before its next key is
//! looked up; a key is counted once caller and platform are known; AI is counted after the scope, because the
//! quota is the workspace's, and who lacks the scope spends none of it; learners of SCORM packages are counted by their
//! own names and their package's key as well, once their launch is read; what learners send to be kept is counted in
//! bytes, once it is there.
//!
//! Staff, learners, and the learners of each SCORM package draw on quotas of their own: strangers invent as many
//! learners of a package as they like, and take nothing from anybody else by it.
//!
//! What costs money is counted in the database where several nodes may serve the same workspace; everything else is
//! counted by each node for itself, because asking a database costs more than what is counted.

mod counter;

use crate::edge::policy::Counted;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest};
use governor::clock::Clock;
use lyceum_application::App;
use lyceum_application::running::shared_limits;
use lyceum_domain::exporting::scorm_learners::ScormLaunch;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::{ApiKeyId, PersonId, ScormPackageId, WorkspaceId};

use counter::{Counter, Standing, Standings, whole_seconds};

pub use counter::LimitClock;

use crate::http::error::Failure;

mod limits;
mod tenants;

pub use limits::RateLimits;
use tenants::TenantCounters;
pub use tenants::TenantLimits;

/// The least that anything sent to be kept counts as, in KiB: what is written around it takes that much.
const LEAST_WRITTEN: NonZeroU32 = NonZeroU32::MIN.saturating_add(3);
/// From how many KiB on it is counted for all nodes together.
const SHARED_FROM: NonZeroU32 = NonZeroU32::MIN.saturating_add(63);
/// How many links an address may ask for and open in a minute: as many as a school behind one address has people who come in at
/// the same moment, and few enough that it fills nothing.
const SIGN_INS: NonZeroU32 = NonZeroU32::MIN.saturating_add(119);
/// How often what is as good as new is forgotten, in seconds; so the memory is that of a minute's callers.
const SWEPT_EVERY: u64 = 60;

/// Every quota of a running service; clones are the same.
#[derive(Clone)]
pub struct Limiter(Option<Arc<Counters>>);

struct Counters {
    keys: Counter<ApiKeyId>,
    addresses: Counter<IpAddr>,
    failures: Counter<IpAddr>,
    ai: Counter<WorkspaceId>,
    ai_learners: Counter<WorkspaceId>,
    ai_packages: Counter<ScormPackageId>,
    tutored: Counter<(WorkspaceId, PersonId)>,
    launching_addresses: Counter<IpAddr>,
    signing_in: Counter<IpAddr>,
    launch_keys: Counter<String>,
    learners: Counter<String>,
    newcomers: Counter<String>,
    written: Counter<(WorkspaceId, PersonId)>,
    packages_written: Counter<ScormPackageId>,
    tenants: TenantCounters,
    /// Addresses that are turned away, and until when.
    barred: Mutex<HashMap<IpAddr, Duration>>,
    shared: bool,
    trusted_proxies: u8,
    clock: LimitClock,
    swept_at: AtomicU64,
}

impl Limiter {
    /// With these limits, or none.
    pub fn new(limits: Option<&RateLimits>) -> Self {
        let counters = |limits: &RateLimits| Counters {
            keys: Counter::new("key", limits.per_key, &limits.clock),
            addresses: Counter::new("address", limits.per_address, &limits.clock),
            failures: Counter::new("authentication", limits.failures_per_address, &limits.clock),
            ai: Counter::new("ai", limits.ai_per_workspace, &limits.clock),
            ai_learners: Counter::new("ai-learners", limits.ai_per_learners, &limits.clock),
            ai_packages: Counter::new("ai-package", limits.ai_per_package, &limits.clock),
            tutored: Counter::new("tutor", limits.tutor_per_user, &limits.clock),
            signing_in: Counter::new("sign-in", SIGN_INS, &limits.clock),
            launching_addresses: Counter::new(
                "launch-address",
                limits.launches_per_address,
                &limits.clock,
            ),
            launch_keys: Counter::new("launch-key", limits.launches_per_key, &limits.clock),
            learners: Counter::new("launch-learner", limits.launches_per_learner, &limits.clock),
            newcomers: Counter::hourly(
                "launch-newcomers",
                limits.newcomers_per_package,
                &limits.clock,
            ),
            written: Counter::hourly("written-kib", limits.written_per_learner, &limits.clock),
            packages_written: Counter::hourly(
                "written-kib-package",
                limits.written_per_package,
                &limits.clock,
            ),
            tenants: TenantCounters::new(limits.tenants, &limits.clock),
            barred: Mutex::default(),
            shared: limits.shared,
            trusted_proxies: limits.trusted_proxies,
            clock: limits.clock.clone(),
            swept_at: AtomicU64::new(0),
        };
        Self(limits.map(|limits| Arc::new(counters(limits))))
    }

    /// Counts a request that needs no key.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn visit(&self, request: &HttpRequest, counted: Counted) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        let addresses = match counted {
            Counted::Never => return Ok(()),
            Counted::Launch => &counters.launching_addresses,
            Counted::SignIn => &counters.signing_in,
            Counted::Usually | Counted::Tutor => &counters.addresses,
        };
        let address = counters.address(request);
        counters.taken(Some(request), addresses.count(&address), false)
    }

    /// Counts a launch: first against the quota of its learner, so that one who keeps asking takes nothing from the
    /// others of the package.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn count_launch(
        &self,
        request: Option<&HttpRequest>,
        launch: &ScormLaunch,
    ) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        // Whatever was sent as a key: a hash of it is short and tells nobody.
        let key = SecretHash::of(launch.launch_key.reveal())
            .as_str()
            .to_owned();
        let learner = format!("{key} {}", launch.identity().as_str());
        counters.taken(request, counters.learners.count(&learner), false)?;
        counters.taken(request, counters.launch_keys.count(&key), false)?;
        // Whoever has been here brings a proof of it.
        if launch.proof.is_none() {
            counters.taken(request, counters.newcomers.count(&key), false)?;
        }
        Ok(())
    }

    /// Turns an address away that has sent too many wrong keys.
    pub(super) fn knock(&self, request: &HttpRequest) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        let address = counters.address(request);
        let until = counters.barred().get(&address).copied();
        let wait = until.and_then(|until| until.checked_sub(counters.clock.now()));
        match wait.filter(|wait| !wait.is_zero()) {
            Some(wait) => {
                let standing = counters.failures.empty(wait);
                counters.taken(Some(request), (standing, Some(wait)), false)
            }
            None => Ok(()),
        }
    }

    /// Counts a wrong key.
    pub(super) fn note_failure(&self, request: &HttpRequest) {
        let Some(counters) = &self.0 else {
            return;
        };
        let address = counters.address(request);
        let (standing, wait) = counters.failures.count(&address);
        tell(request, standing);
        if standing.remaining == 0 {
            let wait = wait.unwrap_or_else(|| counters.failures.refill());
            let until = counters.clock.now() + wait;
            counters.barred().insert(address, until);
        }
    }

    /// Counts a request of a key; a row of a bulk write, which is no request, counts as one.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub fn count_key(&self, request: Option<&HttpRequest>, key: ApiKeyId) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        counters.taken(request, counters.keys.count(&key), false)
    }

    /// Counts what spends AI: a message to the tutor first against the quota of its user, so that one who keeps
    /// asking takes nothing from the others of the workspace.
    pub(super) async fn count_ai(
        &self,
        app: &App,
        request: &HttpRequest,
        counted: Counted,
        payer: Payer,
    ) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        if counters.shared {
            return counters.count_shared(app, request, counted, payer).await;
        }
        let Payer {
            workspace,
            person,
            spender,
        } = payer;
        if counted == Counted::Tutor {
            let counted = counters.tutored.count(&(workspace, person));
            counters.taken(Some(request), counted, true)?;
        }
        let counted = match spender {
            Spender::Staff => counters.ai.count(&workspace),
            Spender::Learners => counters.ai_learners.count(&workspace),
            Spender::Package(package) => counters.ai_packages.count(&package),
        };
        counters.taken(Some(request), counted, true)
    }

    /// Counts what a learner sends to be kept, in KiB; a little is as much as the rows around it. Staff are held by the
    /// workspace's room alone.
    ///
    /// # Errors
    /// [`Failure::RateLimited`]
    pub async fn count_written(
        &self,
        app: &App,
        request: Option<&HttpRequest>,
        payer: Payer,
        bytes: usize,
    ) -> Result<(), Failure> {
        let Some(counters) = &self.0 else {
            return Ok(());
        };
        let kib = u32::try_from(bytes.div_ceil(1_024)).unwrap_or(u32::MAX);
        let kib = NonZeroU32::new(kib).unwrap_or(NonZeroU32::MIN);
        let kib = kib.max(LEAST_WRITTEN);
        let own = (payer.workspace, payer.person);
        match payer.spender {
            Spender::Staff => Ok(()),
            Spender::Learners => counters.keep(request, counters.written.count_many(&own, kib)),
            Spender::Package(package) => {
                counters.keep(request, counters.written.count_many(&own, kib))?;
                counters.keep(request, counters.packages_written.count_many(&package, kib))
            }
        }?;
        if counters.shared && kib >= SHARED_FROM && payer.spender != Spender::Staff {
            return counters.keep_shared(app, request, payer, kib).await;
        }
        Ok(())
    }
}

/// Who pays for a request.
#[derive(Debug, Clone, Copy)]
pub struct Payer {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// Who asks.
    pub person: PersonId,
    /// From whose share they take.
    pub spender: Spender,
}

impl Counters {
    /// The same where other nodes count against the same quotas.
    async fn count_shared(
        &self,
        app: &App,
        request: &HttpRequest,
        counted: Counted,
        payer: Payer,
    ) -> Result<(), Failure> {
        let Payer {
            workspace,
            person,
            spender,
        } = payer;
        if counted == Counted::Tutor {
            let bucket = format!("tutor {workspace} {person}");
            self.take_shared(app, request, &self.tutored, bucket)
                .await?;
        }
        match spender {
            Spender::Staff => {
                let bucket = format!("ai {workspace}");
                self.take_shared(app, request, &self.ai, bucket).await
            }
            Spender::Learners => {
                let bucket = format!("ai {workspace} {spender}");
                self.take_shared(app, request, &self.ai_learners, bucket)
                    .await
            }
            Spender::Package(package) => {
                let bucket = format!("ai {workspace} {package}");
                self.take_shared(app, request, &self.ai_packages, bucket)
                    .await
            }
        }
    }

    /// What is large is counted for all nodes together as well; of what is small that would cost more than it keeps.
    async fn keep_shared(
        &self,
        app: &App,
        request: Option<&HttpRequest>,
        payer: Payer,
        kib: NonZeroU32,
    ) -> Result<(), Failure> {
        let Payer {
            workspace,
            person,
            spender,
        } = payer;
        let own = format!("written {workspace} {person}");
        let answer = self.ask_shared(app, &self.written, own, kib.get()).await?;
        self.keep(request, answer)?;
        if let Spender::Package(package) = spender {
            let all = format!("written {workspace} {package}");
            let counter = &self.packages_written;
            let answer = self.ask_shared(app, counter, all, kib.get()).await?;
            self.keep(request, answer)?;
        }
        Ok(())
    }

    /// Refuses if nothing is left; who has enough is not told, because every answer to a learner would say so.
    fn keep(
        &self,
        request: Option<&HttpRequest>,
        (standing, wait): (Standing, Option<Duration>),
    ) -> Result<(), Failure> {
        if wait.is_some() {
            return self.taken(request, (standing, wait), false);
        }
        self.sweep_sometimes();
        Ok(())
    }

    async fn ask_shared<K: Hash + Eq + Clone>(
        &self,
        app: &App,
        counter: &Counter<K>,
        bucket: String,
        many: u32,
    ) -> Result<(Standing, Option<Duration>), Failure> {
        let told = shared_limits::take(app, bucket, counter.shared(), many).await?;
        Ok(match told.taken {
            Ok(()) => (counter.standing(told.remaining), None),
            Err(millis) => {
                let wait = Duration::from_millis(millis);
                (counter.empty(wait), Some(wait))
            }
        })
    }

    async fn take_shared<K: Hash + Eq + Clone>(
        &self,
        app: &App,
        request: &HttpRequest,
        counter: &Counter<K>,
        bucket: String,
    ) -> Result<(), Failure> {
        let outcome = self.ask_shared(app, counter, bucket, 1).await?;
        self.taken(Some(request), outcome, true)
    }

    /// Notes the standing for the answer, where there is one, and refuses if nothing is left.
    fn taken(
        &self,
        request: Option<&HttpRequest>,
        (standing, wait): (Standing, Option<Duration>),
        ai: bool,
    ) -> Result<(), Failure> {
        self.sweep_sometimes();
        if let Some(request) = request {
            tell(request, standing);
        }
        match wait {
            None => Ok(()),
            Some(wait) => Err(Failure::RateLimited {
                ai,
                retry_after: whole_seconds(wait),
            }),
        }
    }

    fn barred(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, Duration>> {
        self.barred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whoever comes first after a minute does it, so that it needs no loop of its own.
    fn sweep_sometimes(&self) {
        let now = self.clock.now();
        let last = self.swept_at.load(Ordering::Relaxed);
        let is_due = now.as_secs() >= last.saturating_add(SWEPT_EVERY);
        let mine = |now: u64| {
            let order = Ordering::Relaxed;
            let swapped = self.swept_at.compare_exchange(last, now, order, order);
            swapped.is_ok()
        };
        if is_due && mine(now.as_secs()) {
            self.keys.sweep();
            self.addresses.sweep();
            self.failures.sweep();
            self.ai.sweep();
            self.ai_learners.sweep();
            self.ai_packages.sweep();
            self.tutored.sweep();
            self.launching_addresses.sweep();
            self.signing_in.sweep();
            self.launch_keys.sweep();
            self.learners.sweep();
            self.newcomers.sweep();
            self.written.sweep();
            self.packages_written.sweep();
            self.tenants.sweep();
            let mut barred = self.barred();
            barred.retain(|_, until| *until > now);
            barred.shrink_to_fit();
        }
    }

    /// Whose request it is, as far as the network can tell.
    fn address(&self, request: &HttpRequest) -> IpAddr {
        address_of(request, self.trusted_proxies)
    }
}

/// Whose request it is, behind so many proxies that tell whom they talk to.
pub fn address_of(request: &HttpRequest, trusted_proxies: u8) -> IpAddr {
    let client = caller_of(request, trusted_proxies);
    household(client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
}

/// The same to the last bit; nothing where there is no network between.
pub fn caller_of(request: &HttpRequest, trusted_proxies: u8) -> Option<IpAddr> {
    let peer = request.peer_addr().map(|peer| peer.ip());
    let forwarded: Vec<&str> = request
        .headers()
        .get_all("x-forwarded-for")
        .filter_map(|value| value.to_str().ok())
        .collect();
    let client = client_of(&forwarded, trusted_proxies).or(peer);
    client.map(|address| address.to_canonical())
}

/// The address that the outermost of our own proxies saw: every proxy adds whom it talks to at the end, and what
/// stands before that is the caller's own word.
fn client_of(forwarded: &[&str], trusted_proxies: u8) -> Option<IpAddr> {
    let before = usize::from(trusted_proxies).checked_sub(1)?;
    let entries = forwarded.iter().flat_map(|line| line.split(','));
    let entries: Vec<&str> = entries.map(str::trim).collect();
    let entry = entries.iter().rev().nth(before)?;
    let bare = entry.trim_start_matches('[').trim_end_matches(']');
    let with_port = || entry.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port)
}

/// An IPv6 subscriber has a whole /64 to choose addresses from; they all are one caller.
pub fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
    }
}

/// Notes a standing for the headers of the answer.
fn tell(request: &HttpRequest, standing: Standing) {
    let mut extensions = request.extensions_mut();
    if let Some(Standings(told)) = extensions.get_mut::<Standings>() {
        told.push(standing);
    } else {
        extensions.insert(Standings(vec![standing]));
    }
}

/// Adds `RateLimit-Policy` and `RateLimit` to an answer, as the IETF's draft-ietf-httpapi-ratelimit-headers says.
pub fn add_headers(request: &HttpRequest, headers: &mut HeaderMap) {
    let extensions = request.extensions();
    let Some(Standings(told)) = extensions.get::<Standings>() else {
        return;
    };
    let policies = told
        .iter()
        .map(|it| format!("\"{}\";q={};w={}", it.policy, it.quota, it.window));
    let left = told
        .iter()
        .map(|it| format!("\"{}\";r={};t={}", it.policy, it.remaining, it.reset));
    let lines = [
        ("ratelimit-policy", join(policies)),
        ("ratelimit", join(left)),
    ];
    for (name, line) in lines {
        if let Ok(value) = HeaderValue::from_str(&line) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

fn join<T: Borrow<str>>(items: impl Iterator<Item = T>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
