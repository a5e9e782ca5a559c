//! Where webhooks arrive.

use std::collections::HashMap;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;
use bytes::Bytes;
use serde_json::Value;
use tokio::sync::Semaphore;

/// When each submission was said to be graded, the first time.
type Delivered = HashMap<String, Instant>;

/// Takes every delivery; open until the bench ends.
#[derive(Debug, Clone)]
pub struct Inbox {
    /// Where to send.
    pub url: String,
    delivered: Arc<Mutex<Delivered>>,
    places: Arc<Mutex<Arc<Semaphore>>>,
}

impl Inbox {
    /// Opens one.
    ///
    /// # Errors
    /// If there is no port.
    pub fn open() -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?;
        let inbox = Self {
            url: format!("http://{}/hook", listener.local_addr()?),
            delivered: Arc::default(),
            places: Arc::new(Mutex::new(Arc::new(Semaphore::new(0)))),
        };
        let shared = inbox.clone();
        let app = move || {
            let inbox = shared.clone();
            let take = move |body: Bytes| {
                inbox.take(&body);
                async { HttpResponse::NoContent().finish() }
            };
            App::new().default_service(web::to(take))
        };
        let server = HttpServer::new(app)
            .workers(1)
            .disable_signals()
            .listen(listener)?
            .run();
        thread::spawn(move || actix_web::rt::System::new().block_on(server));
        Ok(inbox)
    }

    fn take(&self, body: &[u8]) {
        let event: Value = serde_json::from_slice(body).unwrap_or_default();
        let Some(id) = event.pointer("/data/object/id").and_then(Value::as_str) else {
            return;
        };
        // A second delivery of the same frees no second place.
        if self
            .delivered()
            .insert(id.to_owned(), Instant::now())
            .is_none()
        {
            locked(&self.places).add_permits(1);
        }
    }

    /// When each submission was said to be graded.
    pub fn delivered(&self) -> MutexGuard<'_, Delivered> {
        locked(&self.delivered)
    }

    /// So many places, to each of which a delivery adds one.
    pub fn new_places(&self, count: usize) -> Arc<Semaphore> {
        let places = Arc::new(Semaphore::new(count));
        *locked(&self.places) = Arc::clone(&places);
        places
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_frees_one_place_and_its_double_none() {
        let inbox = Inbox::open().unwrap();
        let places = inbox.new_places(0);
        for _ in 0..2 {
            inbox.take(br#"{"type":"submission.graded","data":{"object":{"id":"sub_1"}}}"#);
        }
        inbox.take(b"no event");
        assert_eq!(
            (inbox.delivered().len(), places.available_permits()),
            (1, 1)
        );
    }
}
