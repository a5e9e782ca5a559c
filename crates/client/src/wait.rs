//! Waiting for what the service does in the background.

use std::fmt;
use std::future::IntoFuture;
use std::ops::Deref;
use std::time::Duration;

use lyceum_wire::authoring::media::MediaFileView;
use lyceum_wire::drafting::generations::GenerationView;
use lyceum_wire::exporting::scorm::ScormPackageView;
use lyceum_wire::grading::submissions::SubmissionView;
use lyceum_wire::running::bulk_writes::BulkWriteView;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::call::{Call, Sent, decode};
use crate::client::{Client, path};
use crate::error::ClientError;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How long is waited unless the caller says otherwise.
const PATIENCE: Duration = Duration::from_mins(10);

/// Looks again and again, ever less often, until `done` says so.
///
/// # Errors
/// [`ClientError::Deadline`] after `deadline`, or what `look` returns.
pub async fn wait_until<T, F, L>(
    deadline: Duration,
    mut look: F,
    mut done: impl FnMut(&T) -> bool,
) -> Result<T, ClientError>
where
    F: FnMut() -> L,
    L: IntoFuture<Output = Result<T, ClientError>>,
{
    let end = Instant::now() + deadline;
    let mut pause = FIRST_PAUSE;
    loop {
        let seen = tokio::time::timeout_at(end, look().into_future()).await;
        let seen = seen.map_err(|_| ClientError::Deadline(deadline))??;
        if done(&seen) {
            return Ok(seen);
        }
        if Instant::now() + pause > end {
            return Err(ClientError::Deadline(deadline));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 3 / 2).min(LONGEST_PAUSE);
    }
}

mod background {
    /// What the service goes on with after it has answered.
    pub trait Work: serde::de::DeserializeOwned + Clone + Send + 'static {
        /// Where it lives.
        const COLLECTION: &'static str;
        /// Which one it is.
        fn id(&self) -> &str;
        /// Whether it is over, well or not.
        fn has_ended(&self) -> bool;
    }
}
use background::Work;

impl Work for MediaFileView {
    const COLLECTION: &'static str = "media";

    fn id(&self) -> &str {
        &self.id
    }

    fn has_ended(&self) -> bool {
        self.status != "pending"
    }
}

impl Work for GenerationView {
    const COLLECTION: &'static str = "generations";

    fn id(&self) -> &str {
        &self.id
    }

    fn has_ended(&self) -> bool {
        self.status != "pending"
    }
}

impl Work for BulkWriteView {
    const COLLECTION: &'static str = "batch";

    fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    fn has_ended(&self) -> bool {
        !self.is_pending()
    }
}

impl Work for SubmissionView {
    const COLLECTION: &'static str = "submissions";

    fn id(&self) -> &str {
        &self.id
    }

    fn has_ended(&self) -> bool {
        self.ai_status.as_deref() != Some("pending")
    }
}

impl Work for ScormPackageView {
    const COLLECTION: &'static str = "scorm";

    fn id(&self) -> &str {
        &self.id
    }

    fn has_ended(&self) -> bool {
        self.status != "pending"
    }
}

/// Something as it was answered when the work on it began; [`Started::wait`] for its end.
#[derive(Debug, Clone)]
pub struct Started<T> {
    client: Client,
    seen: T,
}

impl<T> Started<T> {
    /// What was answered.
    pub fn into_view(self) -> T {
        self.seen
    }
}

impl<T: Work> Started<T> {
    /// Waits until it has ended, well or not: look at its status.
    pub fn wait(&self) -> Wait<T> {
        Wait::new(&self.client, self.seen.id())
    }
}

impl<T> Deref for Started<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.seen
    }
}

/// A call that starts work.
pub fn started<T: DeserializeOwned>(call: Call<T>) -> Call<Started<T>> {
    call.read_by(|client, body| {
        Ok(Started {
            client: client.clone(),
            seen: decode(body)?,
        })
    })
}

/// A wait that does not begin before it is awaited; ten minutes unless [`Wait::within`] says otherwise.
#[must_use = "nothing is waited for before it is awaited"]
pub struct Wait<T> {
    client: Client,
    id: String,
    within: Duration,
    tell: Box<dyn FnMut(&T) + Send>,
}

impl<T> fmt::Debug for Wait<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wait")
            .field("id", &self.id)
            .field("within", &self.within)
            .finish_non_exhaustive()
    }
}

impl<T> Wait<T> {
    pub(crate) fn new(client: &Client, id: &str) -> Self {
        Self {
            client: client.clone(),
            id: id.to_owned(),
            within: PATIENCE,
            tell: Box::new(|_| ()),
        }
    }

    /// No longer than this; else [`ClientError::Deadline`].
    pub fn within(self, deadline: Duration) -> Self {
        Self {
            within: deadline,
            ..self
        }
    }

    /// Tells how it stands at every look, for a progress bar.
    pub fn telling(self, tell: impl FnMut(&T) + Send + 'static) -> Self {
        Self {
            tell: Box::new(tell),
            ..self
        }
    }
}

impl<T: Work> IntoFuture for Wait<T> {
    type Output = Result<T, ClientError>;
    type IntoFuture = Sent<T>;

    fn into_future(self) -> Sent<T> {
        let Self {
            client,
            id,
            within,
            mut tell,
        } = self;
        Box::pin(async move {
            let at = path(T::COLLECTION, &id, "");
            let look = || client.get::<T>(&at);
            wait_until(within, look, |seen| {
                tell(seen);
                seen.has_ended()
            })
            .await
        })
    }
}
