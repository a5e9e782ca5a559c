//! How much one caller may have of what all share: requests that are worked on, and memory of answers that nobody has
//! read yet.
//!
//! Whoever asks for more than their share at once is not refused: they wait for their own earlier requests, in the order
//! in which they came, and others pass them by. Answers are memory until they are read, so large ones are counted until
//! they are sent, and the next large one is refused when there are too many.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::Method;
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use lyceum_domain::ids::ApiKeyId;
use prometheus::IntGauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::edge::rate_limit::address_of;
use crate::http::error::Failure;

/// How long a request waits for its turn at most; less than it may take in all.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// Answers that are larger are counted, and handed to the connection in pieces of half that.
const LARGE: usize = 64 * 1024;
/// A piece.
const PIECE: usize = LARGE / 2;
/// Which part of all unsent bytes one key may have, and one address.
const KEYS_PART: usize = 4;
const ADDRESS_PART: usize = 2;

/// What an operator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Requests of one key that are worked on at once.
    pub requests_per_key: usize,
    /// Requests of one address that are worked on at once.
    pub requests_per_address: usize,
    /// Bytes of large answers that wait to be read, of all callers together.
    pub unsent_bytes: usize,
}

impl Default for Shares {
    /// What a service is started with where nobody decides.
    fn default() -> Self {
        Self {
            requests_per_key: 64,
            requests_per_address: 128,
            unsent_bytes: 256 << 20,
        }
    }
}

/// Who asks, for as long as the request lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Caller {
    key: Option<ApiKeyId>,
    address: IpAddr,
}

/// Everybody's shares; none are counted when absent.
#[derive(Debug, Clone)]
pub struct Shared(Option<Arc<ShareCounts>>);

#[derive(Debug)]
struct ShareCounts {
    keys: Line<ApiKeyId>,
    addresses: Line<IpAddr>,
    unsent: Arc<Unsent>,
    trusted_proxies: u8,
    waiting: IntGauge,
}

/// A request's turn, until it is dropped.
#[derive(Debug, Default)]
pub struct Turn {
    _of_key: Option<LinePermit<ApiKeyId>>,
    _of_address: Option<LinePermit<IpAddr>>,
    /// Whether it was waited for.
    pub was_awaited: bool,
}

impl Shared {
    /// With these shares, or none; behind so many proxies that tell whom they talk to.
    pub fn new(
        shares: Option<Shares>,
        trusted_proxies: u8,
        waiting: &IntGauge,
        unsent: &IntGauge,
    ) -> Self {
        let counted = shares.map(|shares| {
            Arc::new(ShareCounts {
                keys: Line::of(shares.requests_per_key),
                addresses: Line::of(shares.requests_per_address),
                unsent: Arc::new(Unsent {
                    most: shares.unsent_bytes,
                    held: Mutex::default(),
                    gauge: unsent.clone(),
                }),
                trusted_proxies,
                waiting: waiting.clone(),
            })
        });
        Self(counted)
    }

    /// Waits until it is the turn of a request; from now on it is known who asks.
    ///
    /// # Errors
    /// [`Failure::RateLimited`] if that takes too long.
    pub async fn turn(
        &self,
        request: &HttpRequest,
        key: Option<ApiKeyId>,
    ) -> Result<Turn, Failure> {
        let Some(counted) = &self.0 else {
            return Ok(Turn::default());
        };
        let address = address_of(request, counted.trusted_proxies);
        request.extensions_mut().insert(Caller { key, address });
        // The key first: it may have half as many as its address, so one key keeps nobody else of a school waiting.
        let (of_key, key_waited) = match key {
            Some(key) => {
                let (place, has_waited) = counted.keys.place(key, &counted.waiting).await?;
                (Some(place), has_waited)
            }
            None => (None, false),
        };
        let (of_address, has_waited) = counted.addresses.place(address, &counted.waiting).await?;
        Ok(Turn {
            _of_key: of_key,
            _of_address: Some(of_address),
            was_awaited: key_waited || has_waited,
        })
    }

    /// Takes a large answer apart, so that its connection holds a piece of it at a time, and counts it until it is sent.
    /// Where the caller has too much unsent already, the answer is why.
    ///
    /// # Errors
    /// [`Failure::RateLimited`] for who has too much unsent, [`Failure::Overloaded`] where all together have.
    pub fn carry(&self, request: &HttpRequest, answer: &mut HttpResponse) -> Result<(), Failure> {
        let BodySize::Sized(size) = answer.body().size() else {
            return Ok(());
        };
        let Some(size) = usize::try_from(size).ok().filter(|size| *size > LARGE) else {
            return Ok(());
        };
        let load = self.load(request, size)?;
        let empty = HttpResponse::new(answer.status());
        let (head, body) = std::mem::replace(answer, empty).into_parts();
        let body = match body.try_into_bytes() {
            Ok(rest) => BoxBody::new(Pieces { rest, _load: load }),
            Err(body) => body,
        };
        *answer = head.set_body(body);
        Ok(())
    }

    /// What has no caller is no memory of its own: pages that are the same for everybody.
    fn load(&self, request: &HttpRequest, size: usize) -> Result<Option<Load>, Failure> {
        let caller = request.extensions().get::<Caller>().copied();
        let Some((counted, caller)) = self.0.as_ref().zip(caller) else {
            return Ok(None);
        };
        // What was changed was changed, and its answer is given.
        let may_refuse = request.method() == Method::GET;
        counted.unsent.load(caller, size, may_refuse).map(Some)
    }
}

/// Those who wait for their turn, by who they are.
#[derive(Debug)]
struct Line<K: Hash + Eq> {
    most: usize,
    turns: Arc<Mutex<HashMap<K, Arc<Semaphore>>>>,
}

/// A place at the head of a line.
#[derive(Debug)]
struct LinePermit<K: Hash + Eq> {
    key: K,
    permit: Option<OwnedSemaphorePermit>,
    turns: Arc<Mutex<HashMap<K, Arc<Semaphore>>>>,
}

impl<K: Hash + Eq + Copy> Line<K> {
    fn of(most: usize) -> Self {
        Self {
            most: most.min(Semaphore::MAX_PERMITS),
            turns: Arc::default(),
        }
    }

    /// A place, and whether it was waited for.
    async fn place(&self, key: K, waiting: &IntGauge) -> Result<(LinePermit<K>, bool), Failure> {
        let turn = {
            let mut turns = held(&self.turns);
            let turn = turns.entry(key);
            Arc::clone(turn.or_insert_with(|| Arc::new(Semaphore::new(self.most))))
        };
        // From here on it is put away when nobody needs it.
        let mut place = LinePermit {
            key,
            permit: None,
            turns: Arc::clone(&self.turns),
        };
        if let Ok(permit) = Arc::clone(&turn).try_acquire_owned() {
            drop(turn);
            place.permit = Some(permit);
            return Ok((place, false));
        }
        let _waiting = Waiting::begin(waiting);
        let taken = tokio::time::timeout(LONGEST_WAIT, turn.acquire_owned()).await;
        let too_long = Failure::RateLimited {
            ai: false,
            retry_after: 1,
        };
        place.permit = Some(taken.ok().and_then(Result::ok).ok_or(too_long)?);
        Ok((place, true))
    }
}

impl<K: Hash + Eq> Drop for LinePermit<K> {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut turns = held(&self.turns);
        let is_idle = |turn: &Arc<Semaphore>| Arc::strong_count(turn) == 1;
        if turns.get(&self.key).is_some_and(is_idle) {
            turns.remove(&self.key);
        }
    }
}

/// A request that waits, as it is measured.
struct Waiting<'a>(&'a IntGauge);

impl<'a> Waiting<'a> {
    fn begin(gauge: &'a IntGauge) -> Self {
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Large answers that are not sent yet.
#[derive(Debug)]
struct Unsent {
    most: usize,
    held: Mutex<Held>,
    gauge: IntGauge,
}

/// By whom it is held.
#[derive(Debug, Default)]
struct Held {
    all: usize,
    by: HashMap<Holder, usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Key(ApiKeyId),
    Address(IpAddr),
}

/// A large answer, until it is sent.
#[derive(Debug)]
struct Load {
    unsent: Arc<Unsent>,
    caller: Caller,
    size: usize,
}

impl Caller {
    /// Who it is, and the part of everything that is theirs.
    fn holders(self) -> impl Iterator<Item = (Holder, usize)> {
        let key = self.key.map(|key| (Holder::Key(key), KEYS_PART));
        key.into_iter()
            .chain([(Holder::Address(self.address), ADDRESS_PART)])
    }
}

impl Unsent {
    fn load(
        self: &Arc<Self>,
        caller: Caller,
        size: usize,
        may_refuse: bool,
    ) -> Result<Load, Failure> {
        let mut held = held(&self.held);
        if may_refuse {
            held.check(caller, size, self.most)?;
        }
        held.all += size;
        for (holder, _) in caller.holders() {
            *held.by.entry(holder).or_default() += size;
        }
        self.tell(&held);
        Ok(Load {
            unsent: Arc::clone(self),
            caller,
            size,
        })
    }

    fn tell(&self, held: &Held) {
        self.gauge.set(i64::try_from(held.all).unwrap_or(i64::MAX));
    }
}

impl Held {
    /// Whoever has nothing unsent gets any answer: it could never be given otherwise.
    fn check(&self, caller: Caller, size: usize, most: usize) -> Result<(), Failure> {
        let fits = |has: usize, part: usize| has == 0 || has.saturating_add(size) <= most / part;
        for (holder, part) in caller.holders() {
            let has = self.by.get(&holder).copied().unwrap_or_default();
            if !fits(has, part) {
                return Err(Failure::RateLimited {
                    ai: false,
                    retry_after: 1,
                });
            }
        }
        if fits(self.all, 1) {
            Ok(())
        } else {
            Err(Failure::Overloaded)
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        let mut held = held(&self.unsent.held);
        held.all = held.all.saturating_sub(self.size);
        for (holder, _) in self.caller.holders() {
            if let Some(has) = held.by.get_mut(&holder) {
                *has = has.saturating_sub(self.size);
                if *has == 0 {
                    held.by.remove(&holder);
                }
            }
        }
        self.unsent.tell(&held);
    }
}

/// An answer that is handed over piece by piece.
struct Pieces {
    rest: Bytes,
    _load: Option<Load>,
}

impl MessageBody for Pieces {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(u64::try_from(self.rest.len()).unwrap_or(u64::MAX))
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let size = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(size))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn shared(shares: Shares) -> Shared {
        let gauge = || IntGauge::new("some", "gauge").unwrap();
        Shared::new(Some(shares), 0, &gauge(), &gauge())
    }

    fn few(requests: usize) -> Shared {
        shared(Shares {
            requests_per_key: requests,
            requests_per_address: requests * 2,
            unsent_bytes: 8 << 20,
        })
    }

    fn key(number: u128) -> ApiKeyId {
        format!("key_{number:026}").parse().unwrap()
    }

    fn request(address: &str) -> HttpRequest {
        let peer = format!("{address}:9").parse().unwrap();
        TestRequest::get().peer_addr(peer).to_http_request()
    }

    fn lines(shared: &Shared) -> (usize, usize) {
        let counted = shared.0.as_ref().unwrap();
        (
            held(&counted.keys.turns).len(),
            held(&counted.addresses.turns).len(),
        )
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_asks_for_much_waits_for_themselves_and_nobody_else_does() {
        let shared = few(1);
        let (one, other) = (request("192.0.2.1"), request("192.0.2.2"));
        let first = shared.turn(&one, Some(key(1))).await.unwrap();
        assert!(!first.was_awaited);
        let second = shared.turn(&one, Some(key(1)));
        tokio::pin!(second);
        let soon = tokio::time::timeout(Duration::from_secs(1), &mut second);
        assert!(soon.await.is_err());
        assert!(!shared.turn(&one, Some(key(2))).await.unwrap().was_awaited);
        assert!(!shared.turn(&other, Some(key(3))).await.unwrap().was_awaited);
        drop(first);
        assert!(second.await.unwrap().was_awaited);
        assert_eq!(
            lines(&shared),
            (0, 0),
            "nothing is remembered of who is gone"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_ever_and_who_gives_up_leaves_no_trace() {
        let shared = few(1);
        let asked = request("192.0.2.1");
        let first = shared.turn(&asked, Some(key(1))).await.unwrap();
        let refused = shared.turn(&asked, Some(key(1))).await;
        assert!(matches!(
            refused,
            Err(Failure::RateLimited { ai: false, .. })
        ));
        drop(first);
        assert_eq!(lines(&shared), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_waits_for_itself_whatever_keys_it_has() {
        let shared = few(1);
        let asked = request("192.0.2.1");
        let _one = shared.turn(&asked, Some(key(1))).await.unwrap();
        let _two = shared.turn(&asked, None).await.unwrap();
        assert!(shared.turn(&asked, Some(key(3))).await.is_err());
    }

    async fn answer(shared: &Shared, request: &HttpRequest, size: usize) -> Option<HttpResponse> {
        let _turn = shared.turn(request, Some(key(1))).await.unwrap();
        let mut answer = HttpResponse::Ok().body(vec![b'x'; size]);
        shared.carry(request, &mut answer).ok().map(|()| answer)
    }

    #[tokio::test(start_paused = true)]
    async fn large_answers_are_counted_until_they_are_sent() {
        let shared = few(9);
        let asked = request("192.0.2.1");
        let unsent = || held(&shared.0.as_ref().unwrap().unsent.held).all;
        let large = answer(&shared, &asked, 3 << 20).await.unwrap();
        assert_eq!(unsent(), 3 << 20, "any one answer is given");
        assert!(answer(&shared, &asked, 1 << 20).await.is_none());
        assert!(
            answer(&shared, &asked, LARGE).await.is_some(),
            "small ones are"
        );
        let bytes = actix_web::body::to_bytes(large.into_body()).await.unwrap();
        assert_eq!((bytes.len(), unsent()), (3 << 20, 0));
        assert!(answer(&shared, &asked, 1 << 20).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_handed_over_in_pieces() {
        let answer = answer(&few(9), &request("192.0.2.1"), LARGE + 1).await;
        let mut body = answer.unwrap().into_body();
        assert_eq!(body.size(), BodySize::Sized(65_537));
        let mut sizes = Vec::new();
        while let Some(piece) =
            std::future::poll_fn(|task| Pin::new(&mut body).poll_next(task)).await
        {
            sizes.push(piece.unwrap().len());
        }
        assert_eq!(sizes, [PIECE, PIECE, 1]);
    }
}
