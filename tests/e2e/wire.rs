//! Bytes over a socket, for requests that no client would send.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A connection.
pub struct Wire(TcpStream);

/// What came back on a connection.
#[derive(Debug)]
pub struct Answer {
    /// Everything up to the empty line; empty when the server only hung up.
    pub head: String,
    /// What follows it.
    pub body: Vec<u8>,
    /// Whether the server closed the connection.
    pub closed: bool,
}

impl Wire {
    pub fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(stream)
    }

    /// Sends; false when the server no longer listens.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).is_ok()
    }

    /// Reads until the server hangs up or time is over.
    pub fn answer_within(&mut self, patience: Duration) -> Answer {
        let deadline = Instant::now() + patience;
        let mut bytes = Vec::new();
        let mut piece = vec![0; 16 * 1024];
        let mut closed = false;
        while !closed && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            self.0
                .set_read_timeout(Some(left.max(Duration::from_millis(1))))
                .unwrap();
            match self.0.read(&mut piece) {
                Ok(0) => closed = true,
                Ok(count) => bytes.extend_from_slice(&piece[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // Reset: it hung up while we were still sending.
                Err(_) => closed = true,
            }
        }
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = end.map_or((&bytes[..], &[][..]), |end| bytes.split_at(end + 4));
        Answer {
            head: String::from_utf8_lossy(head).into_owned(),
            body: body.to_vec(),
            closed,
        }
    }
}

impl Answer {
    /// The status; 0 when the server only hung up.
    pub fn status(&self) -> u16 {
        let word = self.head.split(' ').nth(1);
        word.and_then(|word| word.parse().ok()).unwrap_or(0)
    }

    /// The error's code, of an answer that must have the one form that all errors have.
    pub fn code(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {self:?}"));
        let error = &body["error"];
        for member in ["type", "code", "message", "request_id"] {
            assert!(error[member].is_string(), "{member} is missing in {body}");
        }
        error["code"].as_str().unwrap().to_owned()
    }
}

/// How long the server takes to say that it lives.
pub fn time_to_health(address: SocketAddr) -> Duration {
    let start = Instant::now();
    let mut wire = Wire::connect(address);
    wire.send(b"GET /healthz HTTP/1.1\r\nHost: lyceum\r\nConnection: close\r\n\r\n");
    let answer = wire.answer_within(Duration::from_secs(10));
    assert_eq!(answer.status(), 200, "{answer:?}");
    start.elapsed()
}
