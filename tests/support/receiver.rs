//! Somebody's webhook receiver: a tiny HTTP server on loopback that answers with scripted statuses.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A message as it came.
#[derive(Debug, Clone)]
pub struct Message {
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body, untouched.
    pub body: Vec<u8>,
}

impl Message {
    /// A header's value; empty when there is none.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }

    /// Reads one from a connection; nothing if the sender hangs up halfway.
    pub async fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        let (head_end, length, headers) = loop {
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
            if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let headers = headers(&bytes[..at]);
                let length = headers.iter().find(|(name, _)| name == "content-length");
                let length: usize = length.and_then(|(_, value)| value.parse().ok())?;
                break (at + 4, length, headers);
            }
        };
        while bytes.len() < head_end + length {
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        }
        Some(Self {
            headers,
            body: bytes.split_off(head_end),
        })
    }
}

/// A receiver that is gone when dropped.
pub struct Receiver {
    /// Where to send.
    pub url: String,
    messages: Arc<Mutex<Vec<Message>>>,
    server: JoinHandle<()>,
}

impl Receiver {
    /// Starts one that answers with these statuses in turn, and with 204 from then on.
    pub async fn answering(statuses: impl IntoIterator<Item = u16>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let mut statuses: VecDeque<u16> = statuses.into_iter().collect();
        let messages = Arc::<Mutex<Vec<Message>>>::default();
        let inbox = Arc::clone(&messages);
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A sender that hangs up halfway has sent nothing.
                receive(stream, statuses.pop_front().unwrap_or(204), &inbox).await;
            }
        });
        Self {
            url,
            messages,
            server,
        }
    }

    /// Starts one that keeps what it is sent, and leaves it unanswered until `answers` is raised.
    pub async fn answering_when(answers: Arc<AtomicBool>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let messages = Arc::<Mutex<Vec<Message>>>::default();
        let inbox = Arc::clone(&messages);
        let server = tokio::spawn(async move {
            let mut unanswered = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let kept = keep(&mut stream, &inbox).await;
                if answers.load(Ordering::SeqCst) {
                    answer(stream, 204).await;
                } else if kept.is_some() {
                    unanswered.push(stream);
                }
            }
        });
        Self {
            url,
            messages,
            server,
        }
    }

    /// What came so far.
    pub fn messages(&self) -> Vec<Message> {
        locked(&self.messages).clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Reads one message, keeps it, and then answers it.
async fn receive(mut stream: TcpStream, status: u16, inbox: &Mutex<Vec<Message>>) -> Option<()> {
    keep(&mut stream, inbox).await?;
    answer(&mut stream, status).await
}

/// Reads one message and keeps it.
async fn keep(stream: &mut TcpStream, inbox: &Mutex<Vec<Message>>) -> Option<()> {
    let message = Message::read(stream).await?;
    locked(inbox).push(message);
    Some(())
}

/// Answers with a status and hangs up.
pub async fn answer(stream: &mut TcpStream, status: u16) -> Option<()> {
    let answer =
        format!("HTTP/1.1 {status} Scripted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.ok()
}

fn headers(head: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(head);
    let pairs = text.lines().skip(1).filter_map(|line| line.split_once(':'));
    pairs
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect()
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
