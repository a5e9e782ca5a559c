//! Somebody's AI server: HTTP on loopback, playing a script of answers, good and bad ones.
//!
//! Point `LYCEUM_AI_BASE_URL` (or `ServerSettings::base_url`) at [`ScriptedProvider::base_url`]. The small call by
//! which the service finds out what a server can do is answered by itself and kept apart, unless a test wants to.
//! Nothing of the product is used here, so that crates can include this file in their own tests.

#![allow(dead_code, reason = "not every test plays every bad day")]

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Name of the schema of the call by which the service finds out what a server can do.
const PROBE: &str = "probe";

/// What the server does with one request.
#[derive(Debug, Clone)]
pub enum Play {
    /// It answers.
    Answer(Answer),
    /// It answers, but not before this.
    After(Duration, Answer),
    /// It reads the request and never answers.
    Hang,
    /// It sends the head of an answer and then a byte every few milliseconds, without an end.
    Drip,
    /// It sends an answer that never ends, as fast as it can.
    Flood,
    /// It sends half of this answer and hangs up.
    Half(Answer),
    /// It hangs up without a word.
    Reset,
}

/// An HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers, besides the length.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

impl Answer {
    /// An answer with a JSON body.
    pub fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    /// An answer with any body.
    pub fn text(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            body: body.as_bytes().to_vec(),
        }
    }

    /// The same with one header more.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same as something to play.
    pub const fn play(self) -> Play {
        Play::Answer(self)
    }
}

/// A chat completion that says `content`, in the form of OpenAI's API.
pub fn chat(content: &str) -> Answer {
    chat_ending(content, "stop")
}

/// A chat completion that ended for this reason, such as `length`.
pub fn chat_ending(content: &str, finish_reason: &str) -> Answer {
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "model": "scripted-1",
        "choices": [{"index": 0, "finish_reason": finish_reason,
                     "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                  "prompt_tokens_details": {"cached_tokens": 40}},
    });
    Answer::json(200, &body).with("x-request-id", "req_scripted")
}

/// A message that says `content`, in the form of Anthropic's API.
pub fn message(content: &str) -> Answer {
    message_ending(content, "end_turn")
}

/// A message that ended for this reason, such as `max_tokens`.
pub fn message_ending(content: &str, stop_reason: &str) -> Answer {
    let body = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted-1",
        "content": [{"type": "text", "text": content}], "stop_reason": stop_reason,
        "usage": {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 20},
    });
    Answer::json(200, &body).with("request-id", "req_scripted")
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    /// Path and query.
    pub target: String,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; null if it is no JSON.
    pub body: Value,
}

impl Request {
    /// A header's value; empty when there is none.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }

    /// Whether it only asks what the server can do.
    pub fn is_probe(&self) -> bool {
        let body = &self.body;
        let names = [
            &body["response_format"]["json_schema"]["name"],
            &body["tool_choice"]["function"]["name"],
            &body["tool_choice"]["name"],
        ];
        let by_name = names.into_iter().any(|name| name == PROBE);
        by_name || body.to_string().contains("probe_word")
    }
}

type Decision = dyn FnMut(&Request) -> Play + Send;

/// What the server knows and does.
struct Stage {
    requests: Vec<Request>,
    probes: Vec<Request>,
    answers_probes: bool,
    decide: Box<Decision>,
}

/// A server that is gone when dropped.
pub struct ScriptedProvider {
    address: std::net::SocketAddr,
    stage: Arc<Mutex<Stage>>,
    server: JoinHandle<()>,
}

impl fmt::Debug for ScriptedProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ScriptedProvider")
            .field(&self.address)
            .finish()
    }
}

impl ScriptedProvider {
    /// Plays this script, one entry per request, and answers 500 from then on.
    pub async fn playing(script: impl IntoIterator<Item = Play>) -> Self {
        let mut script: VecDeque<Play> = script.into_iter().collect();
        Self::deciding(move |_| {
            let over = || Answer::json(500, &json!({"error": {"message": "the script is over"}}));
            script.pop_front().unwrap_or_else(|| over().play())
        })
        .await
    }

    /// Does with each request what `decide` says.
    pub async fn deciding(decide: impl FnMut(&Request) -> Play + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let stage = Arc::new(Mutex::new(Stage {
            requests: Vec::new(),
            probes: Vec::new(),
            answers_probes: true,
            decide: Box::new(decide),
        }));
        let shared = Arc::clone(&stage);
        let server = tokio::spawn(async move {
            let mut visitors = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                visitors.spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self {
            address,
            stage,
            server,
        }
    }

    /// The same, with the calls that find out what the server can do being part of the script.
    #[must_use]
    pub fn with_probes(self) -> Self {
        locked(&self.stage).answers_probes = false;
        self
    }

    /// Where the API starts.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What came so far, without probes that were answered apart.
    pub fn requests(&self) -> Vec<Request> {
        locked(&self.stage).requests.clone()
    }

    /// The bodies of what came so far.
    pub fn bodies(&self) -> Vec<Value> {
        let requests = self.requests().into_iter();
        requests.map(|request| request.body).collect()
    }

    /// The probes that were answered apart.
    pub fn probes(&self) -> Vec<Request> {
        locked(&self.stage).probes.clone()
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(mut stream: TcpStream, stage: Arc<Mutex<Stage>>) {
    // A caller that hangs up halfway has asked nothing.
    if let Some(request) = receive(&mut stream).await {
        let play = locked(&stage).play(request);
        // A caller that does not wait for the end is what some tests are about.
        let _ = perform(&mut stream, play).await;
    }
}

impl Stage {
    fn play(&mut self, request: Request) -> Play {
        if self.answers_probes && request.is_probe() {
            let answer = probe_answer(&request);
            self.probes.push(request);
            return answer.play();
        }
        let play = (self.decide)(&request);
        self.requests.push(request);
        play
    }
}

/// What a server that can do everything says to a probe.
pub fn probe_answer(request: &Request) -> Answer {
    let content = json!({"probe_word": "lyceum"}).to_string();
    if request.target.contains("/messages") {
        message(&content)
    } else {
        chat(&content)
    }
}

async fn receive(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let target = head.split_whitespace().nth(1)?.to_owned();
    let pairs = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    let headers: Vec<(String, String)> = pairs
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(Some(0), |(_, value)| value.parse().ok())?;
    while bytes.len() < end + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = serde_json::from_slice(&bytes[end + 4..]).unwrap_or(Value::Null);
    Some(Request {
        target,
        headers,
        body,
    })
}

async fn perform(stream: &mut TcpStream, play: Play) -> std::io::Result<()> {
    match play {
        Play::Answer(answer) => say(stream, &answer, answer.body.len()).await,
        Play::After(wait, answer) => {
            tokio::time::sleep(wait).await;
            say(stream, &answer, answer.body.len()).await
        }
        Play::Half(answer) => say(stream, &answer, answer.body.len() / 2).await,
        Play::Reset => Ok(()),
        Play::Hang => std::future::pending().await,
        Play::Drip => {
            let pause = Some(Duration::from_millis(5));
            endless(stream, b" ", pause).await
        }
        Play::Flood => endless(stream, &[b' '; 8 * 1024], None).await,
    }
}

async fn say(stream: &mut TcpStream, answer: &Answer, sent: usize) -> std::io::Result<()> {
    let headers = answer.headers.iter();
    let headers: Vec<String> = headers
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let head = format!(
        "HTTP/1.1 {} Scripted\r\n{}content-length: {}\r\nconnection: close\r\n\r\n",
        answer.status,
        headers.concat(),
        answer.body.len(),
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&answer.body[..sent]).await?;
    stream.shutdown().await
}

async fn endless(
    stream: &mut TcpStream,
    piece: &[u8],
    pause: Option<Duration>,
) -> std::io::Result<()> {
    let head =
        b"HTTP/1.1 200 Scripted\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
    stream.write_all(head).await?;
    loop {
        stream.write_all(piece).await?;
        stream.flush().await?;
        if let Some(pause) = pause {
            tokio::time::sleep(pause).await;
        }
    }
}

fn locked(stage: &Mutex<Stage>) -> MutexGuard<'_, Stage> {
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}
