//! A receiver that writes down what it gets and answers as it is told.

use std::future::Future;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One request as it came.
#[derive(Debug, Clone)]
pub(super) struct Request {
    head: String,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn line(&self) -> &str {
        self.head.lines().next().unwrap()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
            .unwrap_or_else(|| panic!("no {name} in {}", self.head))
    }
}

impl Request {
    pub(super) fn has(&self, name: &str) -> bool {
        let mut names = self.head.lines().filter_map(|line| line.split_once(": "));
        names.any(|(key, _)| key.eq_ignore_ascii_case(name))
    }
}

/// Listens on a free port of 127.0.0.1 until dropped.
pub(super) struct Receiver {
    pub(super) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    listening: JoinHandle<()>,
}

impl Receiver {
    /// Reads each request, then lets `answer` do what it likes with the connection.
    pub(super) async fn start<F, A>(answer: F) -> Self
    where
        F: Fn(TcpStream) -> A + Send + 'static,
        A: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let listening = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read(&mut stream).await;
                seen.lock().unwrap().push(request);
                tokio::spawn(answer(stream));
            }
        });
        Self {
            port,
            requests,
            listening,
        }
    }

    /// Sends these bytes and closes.
    pub(super) async fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |mut stream| {
            let bytes = bytes.clone();
            async move { stream.write_all(&bytes).await.unwrap() }
        })
        .await
    }

    /// An answer of this status and these further header lines, with no body.
    pub(super) async fn with_status(status: &str, headers: &str) -> Self {
        Self::answering(format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: 0\r\n\r\n"
        ))
        .await
    }

    /// Sends these bytes, then keeps the connection until the caller hangs up.
    pub(super) async fn stalling_after(bytes: &'static str) -> Self {
        Self::start(move |mut stream| async move {
            stream.write_all(bytes.as_bytes()).await.unwrap();
            while stream.read(&mut [0]).await.is_ok_and(|count| count > 0) {}
        })
        .await
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook?token=t", self.port)
    }

    /// What has come so far.
    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn read(stream: &mut TcpStream) -> Request {
    let mut bytes = Vec::new();
    let mut head_length = None;
    loop {
        head_length = head_length.or_else(|| {
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            end.map(|at| at + 4)
        });
        if let Some(length) = head_length {
            let request = Request {
                head: String::from_utf8_lossy(&bytes[..length]).into_owned(),
                body: bytes[length..].to_vec(),
            };
            let expected: usize = request.header("content-length").parse().unwrap();
            if request.body.len() >= expected {
                return request;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return Request {
                head: String::from_utf8_lossy(&bytes).into_owned(),
                body: Vec::new(),
            };
        }
    }
}
