//! A receiver that checks every signature and never forgets what came under which id.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use lyceum_domain::notifying::webhook_signature::{Received, SigningSecret, verify};
use support::receiver::{Message, answer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// How the receiver is today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It takes everything.
    Fine,
    /// It answers with this status.
    Answering(u16),
}

/// One event, as often as it came.
#[derive(Debug, Clone)]
pub struct Told {
    pub body: Vec<u8>,
    /// How often it came, whatever was answered.
    pub attempts: usize,
    /// How often it was answered with 204.
    pub taken: usize,
    /// When it was first taken.
    pub at: Option<Instant>,
}

/// All that came.
#[derive(Debug, Default)]
pub struct Seen {
    pub events: BTreeMap<String, Told>,
    /// What must not be, in words.
    pub wrong: Vec<String>,
    /// Most connections at once.
    pub busiest: usize,
    now: usize,
}

struct Shared {
    mood: Mutex<Mood>,
    secret: Mutex<Option<SigningSecret>>,
    seen: Mutex<Seen>,
}

/// A receiver on loopback; gone when dropped.
pub struct Inbox {
    pub url: String,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

impl Inbox {
    pub async fn open() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            mood: Mutex::new(Mood::Fine),
            secret: Mutex::default(),
            seen: Mutex::default(),
        });
        let serving = Arc::clone(&shared);
        let server = tokio::spawn(async move {
            let mut visitors = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                visitors.spawn(receive(stream, Arc::clone(&serving)));
                while visitors.try_join_next().is_some() {}
            }
        });
        Self {
            url,
            shared,
            server,
        }
    }

    /// From now on every signature is checked with this secret.
    pub fn expect_secret(&self, secret: &str) {
        let secret = SigningSecret::parse(secret).expect("a signing secret");
        *locked(&self.shared.secret) = Some(secret);
    }

    pub fn turn(&self, mood: Mood) {
        *locked(&self.shared.mood) = mood;
    }

    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        locked(&self.shared.seen)
    }

    /// How many events were taken.
    pub fn taken(&self) -> usize {
        let seen = self.seen();
        seen.events.values().filter(|told| told.taken > 0).count()
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn receive(mut stream: TcpStream, shared: Arc<Shared>) {
    {
        let mut seen = locked(&shared.seen);
        seen.now += 1;
        seen.busiest = seen.busiest.max(seen.now);
    }
    // A sender that hangs up halfway has sent nothing.
    if let Some(message) = Message::read(&mut stream).await {
        let mood = *locked(&shared.mood);
        shared.note(&message, mood);
        let status = match mood {
            Mood::Fine => 204,
            Mood::Answering(status) => status,
        };
        // Before the answer: as soon as that is out, the sender may come with the next one.
        locked(&shared.seen).now -= 1;
        answer(&mut stream, status, "").await;
    } else {
        locked(&shared.seen).now -= 1;
    }
}

impl Shared {
    fn note(&self, message: &Message, mood: Mood) {
        let id = message.header("webhook-id").to_owned();
        let signed = self.is_signed(message);
        let mut seen = locked(&self.seen);
        if !signed {
            seen.wrong
                .push(format!("{id} has a signature that does not fit"));
        }
        let told = seen.events.entry(id.clone()).or_insert_with(|| Told {
            body: message.body.clone(),
            attempts: 0,
            taken: 0,
            at: None,
        });
        told.attempts += 1;
        if mood == Mood::Fine {
            told.taken += 1;
            told.at.get_or_insert_with(Instant::now);
        }
        if told.body != message.body {
            seen.wrong
                .push(format!("{id} came with two different bodies"));
        }
    }

    fn is_signed(&self, message: &Message) -> bool {
        let received = Received {
            id: message.header("webhook-id"),
            timestamp: message.header("webhook-timestamp"),
            signatures: message.header("webhook-signature"),
            body: &message.body,
        };
        let secret = locked(&self.secret).clone();
        secret.is_none_or(|secret| verify(&[secret], &received, now()).is_ok())
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "a receiver has a clock of its own"
)]
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
