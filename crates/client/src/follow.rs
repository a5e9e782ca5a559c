//! Following what goes on: server-sent events, read as they come.
//!
//! Source of the format: <https://html.spec.whatwg.org/multipage/server-sent-events.html>. The service sends one `event`
//! and one `data` line per event and comments in between; nothing else of the format is read.

use std::pin::Pin;
use std::time::Duration;

use futures_util::stream::{Stream, try_unfold};
use lyceum_wire::errors::ErrorBody;
use reqwest::Response;
use serde::de::DeserializeOwned;

use crate::call::decode;
use crate::client::Client;
use crate::error::ClientError;

/// A thing as it is, and then as it is after every change, until nothing changes any more.
pub type Changes<T> = Pin<Box<dyn Stream<Item = Result<T, ClientError>> + Send>>;

/// Before a stream is taken up again.
const PAUSE: Duration = Duration::from_secs(1);

/// An event as it stood in the stream.
#[derive(Debug, PartialEq, Eq)]
struct ServerSentEvent {
    name: String,
    data: String,
}

/// What has come and was not read yet, and the connection that more comes over.
struct Following {
    client: Client,
    path: String,
    connection: Option<Response>,
    unread: Vec<u8>,
    was_connected: bool,
    is_over: bool,
}

/// Follows what is at a path. A stream that the service ends before the thing is done is taken up again.
pub fn follow<T: DeserializeOwned + Send + 'static>(client: &Client, path: String) -> Changes<T> {
    let following = Following {
        client: client.clone(),
        path,
        connection: None,
        unread: Vec::new(),
        was_connected: false,
        is_over: false,
    };
    Box::pin(try_unfold(following, |mut following| async move {
        let seen = following.next().await?;
        Ok(seen.map(|seen| (seen, following)))
    }))
}

impl Following {
    async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, ClientError> {
        while !self.is_over {
            if let Some(event) = take_event(&mut self.unread) {
                match event.name.as_str() {
                    "error" => return Err(broken_off(&event.data)),
                    "done" => self.is_over = true,
                    _ => {}
                }
                return decode(event.data.as_bytes()).map(Some);
            }
            self.read_on().await?;
        }
        Ok(None)
    }

    /// Reads another piece; connects where there is no connection, or where it has ended.
    async fn read_on(&mut self) -> Result<(), ClientError> {
        if self.connection.is_none() {
            let url = self.client.url(&self.path)?;
            self.unread.clear();
            if self.was_connected {
                // Whoever ends every stream at once is not to be asked without end.
                tokio::time::sleep(PAUSE).await;
            }
            self.was_connected = true;
            self.connection = Some(self.client.open(url, true).await?);
        }
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        match connection.chunk().await.map_err(ClientError::Transport)? {
            Some(piece) => self.unread.extend_from_slice(&piece),
            None => self.connection = None,
        }
        Ok(())
    }
}

/// Takes the first whole event out of what has come; comments are passed over.
fn take_event(unread: &mut Vec<u8>) -> Option<ServerSentEvent> {
    loop {
        let end = unread.windows(2).position(|two| two == b"\n\n")?;
        let block: Vec<u8> = unread.drain(..end + 2).collect();
        let block = String::from_utf8_lossy(&block);
        let field = |name: &str| {
            let mut lines = block.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        if let Some(data) = field("data") {
            return Some(ServerSentEvent {
                name: field("event").unwrap_or("message").to_owned(),
                data: data.to_owned(),
            });
        }
    }
}

fn broken_off(data: &str) -> ClientError {
    match decode::<ErrorBody>(data.as_bytes()) {
        Ok(body) => ClientError::within_an_answer(body.error),
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_they_come_and_comments_passed_over() {
        let mut unread = b": still there\n\nevent: progress\nda".to_vec();
        assert_eq!(take_event(&mut unread), None);
        unread.extend_from_slice(b"ta: {\"n\":1}\n\nevent: done\ndata: {}\n\n");
        let taken = take_event(&mut unread).unwrap();
        assert_eq!(
            (taken.name.as_str(), taken.data.as_str()),
            ("progress", "{\"n\":1}")
        );
        assert_eq!(take_event(&mut unread).unwrap().name, "done");
        assert_eq!(take_event(&mut unread), None);
    }
}
