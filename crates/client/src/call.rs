//! One call: what is asked of the service when it is awaited, and what comes back.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::Duration;

use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::client::{Arrived, Client};
use crate::error::ClientError;
use crate::expanded::Expanded;
use crate::request::{Outgoing, RequestOptions};
use crate::settings::Platform;

/// How an answer is read.
type Read<T> = fn(&Client, &[u8]) -> Result<T, ClientError>;

/// What a call becomes when it is awaited.
pub type Sent<T> = Pin<Box<dyn Future<Output = Result<T, ClientError>> + Send>>;

/// A request that is not sent before it is awaited.
///
/// ```no_run
/// # async fn example(client: lyceum_client::Client, new: lyceum_wire::authoring::courses::CreateCourse)
/// # -> Result<(), lyceum_client::ClientError> {
/// let course = client.courses().create(&new).idempotency_key("import-7").max_retries(5).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is sent before it is awaited"]
pub struct Call<T> {
    client: Client,
    outgoing: Result<Outgoing, ClientError>,
    read: Read<T>,
}

/// An answer with what stood beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    /// What was answered.
    pub value: T,
    /// Its version, for [`Call::if_match`].
    pub etag: Option<String>,
    /// The request, as the service's log names it.
    pub request_id: Option<String>,
    /// Whether an earlier request under the same idempotency key did it.
    pub replayed: bool,
}

impl Client {
    /// Reads what is at a path such as `/v1/me`; for what has no method of its own.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Call<T> {
        Call::new(self, Method::GET, path)
    }

    /// Posts a body to a path; for what has no method of its own.
    pub fn post<B: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Call<T> {
        Call::new(self, Method::POST, path).body(body)
    }

    /// Has something done that needs no words.
    pub(crate) fn act<T: DeserializeOwned>(&self, path: &str) -> Call<T> {
        self.post(path, &json!({}))
    }

    /// Patches what is at a path; for what has no method of its own.
    pub fn patch<B: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Call<T> {
        Call::new(self, Method::PATCH, path).body(body)
    }

    /// Deletes what is at a path; for what has no method of its own.
    pub fn delete<T: DeserializeOwned>(&self, path: &str) -> Call<T> {
        Call::new(self, Method::DELETE, path)
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("outgoing", &self.outgoing)
            .finish_non_exhaustive()
    }
}

impl<T: DeserializeOwned> Call<T> {
    pub(crate) fn new(client: &Client, method: Method, path: &str) -> Self {
        Self {
            client: client.clone(),
            outgoing: Ok(Outgoing {
                method,
                path: path.to_owned(),
                query: Vec::new(),
                body: None,
                if_match: None,
                within: None,
                options: RequestOptions::default(),
            }),
            read: |_, body| decode(body),
        }
    }

    /// With what the answer refers to put in its place: `units.lessons`, or several with commas between them.
    pub fn expand(self, paths: &str) -> Call<Expanded<T>> {
        self.query("expand", paths).read_by(|_, body| decode(body))
    }
}

impl<T> Call<T> {
    pub(crate) fn body<B: Serialize + ?Sized>(mut self, body: &B) -> Self {
        let written = serde_json::to_vec(body).map_err(ClientError::Decode);
        self.outgoing = self.outgoing.and_then(|outgoing| {
            Ok(Outgoing {
                body: Some(written?),
                ..outgoing
            })
        });
        self
    }

    pub(crate) fn read_by<U>(self, read: Read<U>) -> Call<U> {
        Call {
            client: self.client,
            outgoing: self.outgoing,
            read,
        }
    }

    /// Things of a course as a cohort sees them that is updated by choice.
    pub fn as_cohort(self, id: &str) -> Self {
        self.query("as_cohort", id)
    }

    /// About what a thing of a published course will be, and not what it is: a change waits with others until the course's draft is
    /// published, and what is shown is as it will be.
    pub fn draft(self) -> Self {
        self.query("draft", "true")
    }

    fn changed(mut self, change: impl FnOnce(&mut Outgoing)) -> Self {
        if let Ok(outgoing) = &mut self.outgoing {
            change(outgoing);
        }
        self
    }

    /// With a parameter of the query.
    pub fn query(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.changed(|outgoing| outgoing.query.push((name.into(), value.into())))
    }

    /// Under this key a write happens once, however often it is sent; without one the client makes one up.
    pub fn idempotency_key(self, key: impl Into<String>) -> Self {
        self.changed(|outgoing| outgoing.options.idempotency_key = Some(key.into()))
    }

    /// How often it is sent again when it failed in passing.
    pub fn max_retries(self, retries: u32) -> Self {
        self.changed(|outgoing| outgoing.options.max_retries = Some(retries))
    }

    /// How long one attempt may take.
    pub fn within(self, timeout: Duration) -> Self {
        self.changed(|outgoing| outgoing.within = Some(timeout))
    }

    /// Acts on this workspace, whatever the client's settings say.
    pub fn on(self, platform: Platform) -> Self {
        self.changed(|outgoing| outgoing.options.platform = Some(platform))
    }

    /// With all options at once.
    pub fn with(self, options: RequestOptions) -> Self {
        self.changed(|outgoing| outgoing.options = options)
    }

    /// Only if it is still the version that an [`Answer::etag`] named; else `precondition_failed`.
    pub fn if_match(self, etag: impl Into<String>) -> Self {
        self.changed(|outgoing| outgoing.if_match = Some(etag.into()))
    }

    /// Goes on although learners have used what is deleted or written anew; where submissions or grades go, with a key
    /// that has `write:grades`.
    pub fn force(self) -> Self {
        self.query("force", "true")
    }

    /// Sends it, and returns what stood beside the answer too.
    pub async fn answer(self) -> Result<Answer<T>, ClientError> {
        let arrived = self.client.send(self.outgoing?).await?;
        Ok(Answer {
            value: (self.read)(&self.client, &arrived.body)?,
            etag: arrived.etag(),
            request_id: arrived.header("x-request-id"),
            replayed: arrived.header("idempotent-replayed").as_deref() == Some("true"),
        })
    }
}

impl<T: 'static> IntoFuture for Call<T> {
    type Output = Result<T, ClientError>;
    type IntoFuture = Sent<T>;

    fn into_future(self) -> Sent<T> {
        Box::pin(async move {
            let Arrived { body, .. } = self.client.send(self.outgoing?).await?;
            (self.read)(&self.client, &body)
        })
    }
}

/// Reads JSON.
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, ClientError> {
    serde_json::from_slice(body).map_err(ClientError::Decode)
}
