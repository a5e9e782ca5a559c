//! Requests to one or more nodes, and what can come of one: an answer, half of one, or silence.

use std::time::Duration;

use lyceum_client::{Client, ClientSettings};
use reqwest::Method;
use serde_json::{Value, json};

/// Longer than the service may take for a request.
const TIMEOUT: Duration = Duration::from_secs(40);

/// What came of a request.
#[derive(Debug)]
pub enum Outcome {
    /// All of an answer.
    Answered(Reply),
    /// The beginning of an answer.
    Torn(String),
    /// Nobody took it, so it did not happen.
    Unsent,
    /// Nobody answered: it happened or not.
    Unknown(String),
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    /// Whether it is remembered from an earlier request with the same key.
    pub replayed: bool,
    /// Whether it says when to come back.
    pub retry_after: bool,
    pub text: String,
}

impl Reply {
    pub fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    pub fn id(&self) -> String {
        self.body()["id"].as_str().unwrap_or_default().to_owned()
    }

    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}

/// A write, ready to be sent again and again.
#[derive(Debug, Clone)]
pub struct Write {
    pub method: Method,
    pub path: String,
    pub body: Value,
    pub key: String,
}

impl Write {
    pub fn post(path: &str, body: Value, key: &str) -> Self {
        Self {
            method: Method::POST,
            path: path.to_owned(),
            body,
            key: key.to_owned(),
        }
    }
}

/// A caller with a key, and the nodes it may turn to.
#[derive(Debug, Clone)]
pub struct Api {
    http: reqwest::Client,
    nodes: Vec<String>,
    key: String,
}

impl Api {
    pub fn new(nodes: Vec<String>, key: &str) -> Self {
        // Our own client brings the cryptography that every other needs to exist.
        Client::new(ClientSettings::new(&nodes[0], key)).unwrap();
        let http = reqwest::Client::builder().timeout(TIMEOUT).no_proxy();
        Self {
            http: http.build().unwrap(),
            nodes,
            key: key.to_owned(),
        }
    }

    /// The same caller, turning to one of the nodes alone.
    pub fn at(&self, node: usize) -> Self {
        Self {
            nodes: vec![self.nodes[node].clone()],
            ..self.clone()
        }
    }

    /// Sends a write to a node.
    pub async fn write(&self, node: usize, write: &Write) -> Outcome {
        let request = self.request(write.method.clone(), node, &write.path);
        let request = request.header("idempotency-key", &write.key);
        let request = if write.method == Method::DELETE {
            request
        } else {
            request
                .header("content-type", "application/json")
                .body(write.body.to_string())
        };
        outcome(request).await
    }

    /// Reads from a node.
    pub async fn read(&self, node: usize, path: &str) -> Outcome {
        outcome(self.request(Method::GET, node, path)).await
    }

    /// What is at a path; nothing where there is nothing.
    pub async fn find(&self, path: &str) -> Option<Value> {
        match self.read(0, path).await {
            Outcome::Answered(reply) if reply.is_success() => Some(reply.body()),
            Outcome::Answered(reply) if reply.status == 404 => None,
            other => panic!("GET {path}: {other:?}"),
        }
    }

    /// What is at a path.
    pub async fn get(&self, path: &str) -> Value {
        let found = self.find(path).await;
        found.unwrap_or_else(|| panic!("GET {path}: there is nothing"))
    }

    /// Takes something away that a test needs no more.
    pub async fn remove(&self, path: &str) {
        let write = Write {
            method: Method::DELETE,
            ..Write::post(path, Value::Null, &format!("removed-{path}"))
        };
        match self.write(0, &write).await {
            Outcome::Answered(reply) if reply.is_success() => {}
            other => panic!("DELETE {path}: {other:?}"),
        }
    }

    /// Makes something that a test needs before its fault; its id.
    pub async fn make(&self, path: &str, body: Value) -> String {
        self.made(path, body).await["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// The same, with all that is shown of it.
    pub async fn made(&self, path: &str, body: Value) -> Value {
        let key = format!("made-{path}-{body}");
        let key: Vec<String> = key.bytes().map(|byte| format!("{byte:02x}")).collect();
        let key = key.concat();
        // Long bodies would make keys that are too long; their ends tell them apart.
        let write = Write::post(
            path,
            body,
            key.get(key.len().saturating_sub(250)..).unwrap(),
        );
        match self.write(0, &write).await {
            Outcome::Answered(reply) if reply.is_success() => reply.body(),
            other => panic!("POST {path}: {other:?}"),
        }
    }

    /// Everything of a list, page by page, and not an id twice.
    pub async fn walk(&self, path: &str) -> Vec<Value> {
        let mut all = Vec::new();
        let mut cursor = String::new();
        loop {
            let sign = if path.contains('?') { '&' } else { '?' };
            let after = if cursor.is_empty() {
                String::new()
            } else {
                format!("&startingAfter={cursor}")
            };
            let mut page = self.get(&format!("{path}{sign}limit=100{after}")).await;
            let Value::Array(data) = page["data"].take() else {
                panic!("GET {path} is no list: {page}");
            };
            all.extend(data);
            if page["has_more"] != json!(true) {
                return all;
            }
            page["next_cursor"]
                .as_str()
                .unwrap()
                .clone_into(&mut cursor);
        }
    }

    fn request(&self, method: Method, node: usize, path: &str) -> reqwest::RequestBuilder {
        let node = &self.nodes[node % self.nodes.len()];
        let request = self.http.request(method, format!("{node}{path}"));
        request
            .header("x-api-key", &self.key)
            .header("x-learning-platform-code", "main")
    }
}

async fn outcome(request: reqwest::RequestBuilder) -> Outcome {
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) if error.is_connect() => return Outcome::Unsent,
        Err(error) => return Outcome::Unknown(format!("{error:?}")),
    };
    let has = |name: &str| answer.headers().contains_key(name);
    let (status, replayed, retry_after) = (
        answer.status().as_u16(),
        has("idempotent-replayed"),
        has("retry-after"),
    );
    match answer.text().await {
        Ok(text) => Outcome::Answered(Reply {
            status,
            replayed,
            retry_after,
            text,
        }),
        Err(error) => Outcome::Torn(format!("{status}: {error:?}")),
    }
}
