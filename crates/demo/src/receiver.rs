//! A receiver of webhooks, as small as one can be, and what it expects to have received.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use lyceum_domain::notifying::webhook_signature::{Received, SigningSecret, verify};
use lyceum_ports::environment::Clock;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::checks::same;
use super::progress::{Done, Teller};
use lyceum_service::environment::SystemClock;

/// No event of ours is longer.
const LONGEST: u64 = 1 << 20;
/// How long deliveries may take.
const DELIVERY: Duration = Duration::from_mins(1);
/// How long a delivery too many is waited for.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// What deliveries are signed with.
pub struct Secret(SigningSecret);

impl Secret {
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        Ok(Self(SigningSecret::parse(text)?))
    }
}

/// What came in, exactly as it came.
#[derive(Debug, Clone)]
struct Delivery {
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
    at: i64,
}

impl Delivery {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// Listens on this machine and takes whatever it is sent.
pub struct Receiver {
    address: SocketAddr,
    inbox: Arc<Mutex<Vec<Delivery>>>,
    listening: JoinHandle<()>,
}

impl Receiver {
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let inbox = Arc::new(Mutex::new(Vec::new()));
        let listening = tokio::spawn(listen(listener, Arc::clone(&inbox)));
        Ok(Self {
            address,
            inbox,
            listening,
        })
    }

    pub fn url(&self) -> String {
        format!("http://{}/lyceum", self.address)
    }

    fn received(&self) -> Vec<Delivery> {
        self.inbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, inbox: Arc<Mutex<Vec<Delivery>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let inbox = Arc::clone(&inbox);
        tokio::spawn(async move {
            if let Err(error) = take(stream, &inbox).await {
                tracing::warn!(%error, "the demo's receiver could not read a delivery");
            }
        });
    }
}

/// Reads one request, keeps it and says thanks.
async fn take(mut stream: TcpStream, inbox: &Mutex<Vec<Delivery>>) -> anyhow::Result<()> {
    let mut read = Vec::new();
    let (head, mut body) = loop {
        ensure!(
            stream.read_buf(&mut read).await? > 0,
            "the connection ended within the headers"
        );
        if let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let body = read.split_off(end + 4);
            break (String::from_utf8(read)?, body);
        }
        ensure!(read.len() < 64 * 1024, "the headers do not end");
    };
    let headers = headers(&head);
    let length: u64 = headers
        .get("content-length")
        .context("no content-length")?
        .parse()?;
    ensure!(length <= LONGEST, "a body of {length} bytes");
    let missing = length.saturating_sub(u64::try_from(body.len())?);
    (&mut stream).take(missing).read_to_end(&mut body).await?;
    let at = SystemClock.now().unix_seconds();
    inbox
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(Delivery { headers, body, at });
    stream
        .write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
        .await?;
    Ok(stream.shutdown().await?)
}

fn headers(head: &str) -> BTreeMap<String, String> {
    head.lines()
        .skip(1)
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect()
}

/// Waits until every submission in `wanted` was announced, then insists that each was announced once, with a
/// signature that holds and the score that the API shows.
pub async fn expect(
    receiver: &Receiver,
    teller: &Teller,
    secret: &Secret,
    wanted: &BTreeMap<String, Value>,
) -> anyhow::Result<Done<()>> {
    let bar = teller.bar("delivering", wanted.len());
    let end = Instant::now() + DELIVERY;
    loop {
        let so_far = announced(&receiver.received(), secret)?.len();
        bar.at(u64::try_from(so_far)?);
        if so_far >= wanted.len() {
            break;
        }
        if Instant::now() > end {
            bail!(
                "{so_far} of {} deliveries came within {} s",
                wanted.len(),
                DELIVERY.as_secs()
            );
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(AFTERWARDS).await;
    drop(bar);
    let deliveries = receiver.received();
    let announced = announced(&deliveries, secret)?;
    let scores: BTreeMap<String, Value> = announced
        .iter()
        .map(|(id, (_, score))| (id.clone(), score.clone()))
        .collect();
    same("the announced scores", &scores, wanted)?;
    for (id, (events, _)) in &announced {
        same(
            &format!("the number of submission.graded events of {id}"),
            &events.len(),
            &1,
        )?;
    }
    let result = format!(
        "{} submission.graded, one each, all signatures valid",
        announced.len()
    );
    Ok(Done::new((), "", result))
}

/// By submission: the events that announced it, and the score they named. Delivery is at least once, so a
/// message that comes twice under the same id is one event.
type Announced = BTreeMap<String, (BTreeSet<String>, Value)>;

fn announced(deliveries: &[Delivery], secret: &Secret) -> anyhow::Result<Announced> {
    let secrets = [secret.0.clone()];
    let mut announced = Announced::new();
    for delivery in deliveries {
        let received = Received {
            id: delivery.header("webhook-id"),
            timestamp: delivery.header("webhook-timestamp"),
            signatures: delivery.header("webhook-signature"),
            body: &delivery.body,
        };
        verify(&secrets, &received, delivery.at)
            .with_context(|| format!("the signature of {}", received.id))?;
        let event: Value = serde_json::from_slice(&delivery.body).context("an event's JSON")?;
        same(
            "the event's type",
            text(&event, "/type"),
            "submission.graded",
        )?;
        same("the event's id", text(&event, "/id"), received.id)?;
        let id = text(&event, "/data/object/id").to_owned();
        let score = event
            .pointer("/data/object/score")
            .cloned()
            .unwrap_or_default();
        let (events, named) = announced.entry(id).or_default();
        events.insert(received.id.to_owned());
        *named = score;
    }
    Ok(announced)
}

fn text<'a>(event: &'a Value, pointer: &str) -> &'a str {
    event
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::notifying::webhook_signature::sign;
    use serde_json::json;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    fn delivery(id: &str, submission: &str, at: i64) -> Delivery {
        let data = json!({"object": {"id": submission, "score": 7}});
        let event = json!({"id": id, "type": "submission.graded", "data": data});
        let body = event.to_string().into_bytes();
        let secret = SigningSecret::parse(SECRET).unwrap();
        let signature = sign(&[secret], id, at, &body).unwrap();
        let headers = [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", at.to_string()),
            ("webhook-signature", signature),
        ];
        let headers = headers
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Delivery { headers, body, at }
    }

    #[test]
    fn a_repeated_message_is_one_event_and_two_messages_are_two() {
        let secret = Secret::parse(SECRET).unwrap();
        let twice = [
            delivery("evt_1", "sub_1", 1000),
            delivery("evt_1", "sub_1", 1000),
        ];
        assert_eq!(announced(&twice, &secret).unwrap()["sub_1"].0.len(), 1);
        let two = [
            delivery("evt_1", "sub_1", 1000),
            delivery("evt_2", "sub_1", 1000),
        ];
        let found = announced(&two, &secret).unwrap();
        assert_eq!((found["sub_1"].0.len(), &found["sub_1"].1), (2, &json!(7)));
    }

    #[test]
    fn a_forged_message_is_not_believed() {
        let secret = Secret::parse(SECRET).unwrap();
        let mut forged = delivery("evt_1", "sub_1", 1000);
        forged.body.push(b' ');
        assert!(announced(&[forged], &secret).is_err());
    }

    #[tokio::test]
    async fn what_is_sent_is_kept_as_it_came() {
        let receiver = Receiver::start().await.unwrap();
        let mut stream = TcpStream::connect(receiver.address).await.unwrap();
        let request =
            b"POST /lyceum HTTP/1.1\r\nWebhook-Id: evt_1\r\nContent-Length: 5\r\n\r\nhello";
        stream.write_all(request).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
        let inbox = receiver.received();
        assert_eq!(inbox[0].header("webhook-id"), "evt_1");
        assert_eq!(inbox[0].body, b"hello");
    }
}
