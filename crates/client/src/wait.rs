//! Waiting for what the service does in the background.

use std::time::Duration;

use lyceum_wire::generations::GenerationView;
use lyceum_wire::scorm::ScormPackageView;
use lyceum_wire::submissions::SubmissionView;
use tokio::time::Instant;

use crate::client::Client;
use crate::error::ClientError;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

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
    L: Future<Output = Result<T, ClientError>>,
{
    let end = Instant::now() + deadline;
    let mut pause = FIRST_PAUSE;
    loop {
        let seen = tokio::time::timeout_at(end, look()).await;
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

impl Client {
    /// Waits until a generation has ended, well or not.
    ///
    /// # Errors
    /// [`ClientError::Deadline`], or those of looking.
    pub async fn wait_for_generation(
        &self,
        id: &str,
        deadline: Duration,
    ) -> Result<GenerationView, ClientError> {
        let look = || async { self.generations().retrieve(id).await };
        wait_until(deadline, look, |seen| seen.status != "pending").await
    }

    /// Waits until AI has graded a submission, or failed to.
    ///
    /// # Errors
    /// [`ClientError::Deadline`], or those of looking.
    pub async fn wait_for_grading(
        &self,
        id: &str,
        deadline: Duration,
    ) -> Result<SubmissionView, ClientError> {
        let look = || async { self.submissions().retrieve(id).await };
        wait_until(deadline, look, |seen| {
            seen.ai_status.as_deref() != Some("pending")
        })
        .await
    }

    /// Waits until a package is there, or could not be made.
    ///
    /// # Errors
    /// [`ClientError::Deadline`], or those of looking.
    pub async fn wait_for_package(
        &self,
        id: &str,
        deadline: Duration,
    ) -> Result<ScormPackageView, ClientError> {
        let look = || async { self.scorm().retrieve(id).await };
        wait_until(deadline, look, |seen| seen.status != "pending").await
    }
}
