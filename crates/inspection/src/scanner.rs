//! Asking a `ClamAV` daemon whether it knows a file for harmful.

use std::future::Future;
use std::io;
use std::path::Path;
use std::time::Duration;

use lyceum_ports::authoring::inspection::{InspectionError, Refusal};
use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::reading::{Looked, unread};

/// How long it may take until a connection stands.
const CONNECT: Duration = Duration::from_secs(3);
/// Bytes that are sent at a time.
const PIECE: usize = 64 * 1024;
/// The longest answer that is read.
const ANSWER: u64 = 4 * 1024;

/// What a daemon says whose `StreamMaxLength` is smaller than the file.
const TOO_LARGE: &str = "size limit exceeded";

/// A `ClamAV` daemon, somewhere.
pub struct Scanner {
    address: String,
    patience: Duration,
}

impl Scanner {
    /// At this host and port, and how long it may be silent.
    pub const fn new(address: String, patience: Duration) -> Self {
        Self { address, patience }
    }

    /// Has the file scanned. Whatever is not a clear word for it is none: a file is never let through because a scanner
    /// was busy, too small or broken.
    pub async fn scan(&self, file: &Path) -> Looked<()> {
        let mut file = File::open(file).await.map_err(|error| unread(&error))?;
        let connecting = timeout(
            CONNECT.min(self.patience),
            TcpStream::connect(&self.address),
        );
        let stream = connecting.await.map_err(|_| silent())?;
        let mut stream = stream.map_err(|error| unavailable(&error.to_string()))?;
        let (mut from, mut to) = stream.split();
        // A daemon that has had enough answers and closes, so a failure to send is looked for in its answer.
        let sent = self.send(&mut file, &mut to).await;
        if let Err(Sending::File(error)) = &sent {
            return Err(unread(error));
        }
        let answer = self.patiently(answer(&mut from)).await;
        match (sent, answer) {
            (_, Ok(answer)) if !answer.is_empty() => verdict(&answer),
            (Err(Sending::Scanner(error)), _) | (_, Err(error)) => {
                Err(unavailable(&error.to_string()))
            }
            _ => Err(unavailable("it closed the connection without an answer")),
        }
    }

    async fn send(
        &self,
        file: &mut (impl AsyncRead + Unpin),
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<(), Sending> {
        self.write(to, b"zINSTREAM\0").await?;
        let mut piece = vec![0; PIECE];
        loop {
            let read = file.read(&mut piece).await.map_err(Sending::File)?;
            let length = u32::try_from(read).unwrap_or_default();
            self.write(to, &length.to_be_bytes()).await?;
            if length == 0 {
                return Ok(());
            }
            self.write(to, piece.get(..read).unwrap_or_default())
                .await?;
        }
    }

    async fn write(&self, to: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> Result<(), Sending> {
        let writing = self.patiently(to.write_all(bytes));
        writing.await.map_err(Sending::Scanner)
    }

    /// What comes of it, unless nothing does for too long.
    async fn patiently<T>(&self, doing: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let done = timeout(self.patience, doing).await;
        done.unwrap_or_else(|_| {
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "it does not answer",
            ))
        })
    }
}

/// What failed while a file was sent.
enum Sending {
    File(io::Error),
    Scanner(io::Error),
}

async fn answer(from: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut from = from.take(ANSWER);
    let ends = |bytes: &[u8]| matches!(bytes.last(), Some(0 | b'\n'));
    while !ends(&bytes) && from.read_buf(&mut bytes).await? > 0 {}
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What an answer such as `stream: OK` says.
fn verdict(answer: &str) -> Looked<()> {
    let answer = answer.trim_matches(['\0', '\n', '\r', ' ']);
    let said = answer.strip_prefix("stream:").unwrap_or(answer).trim();
    if said == "OK" {
        return Ok(());
    }
    if let Some(name) = said.strip_suffix(" FOUND") {
        return Err(Refusal::Infected(name.trim().to_owned()).into());
    }
    if said.contains(TOO_LARGE) {
        // Whoever runs it can raise the limit, and then the file may be kept: it is not the file's fault.
        return Err(unavailable(
            "the file is larger than its StreamMaxLength allows",
        ));
    }
    Err(unavailable(&format!("it says {said:?}")))
}

fn silent() -> InspectionError {
    unavailable("it does not answer")
}

fn unavailable(why: &str) -> InspectionError {
    InspectionError::Unavailable(format!("The scanner could not look at the file: {why}."))
}
