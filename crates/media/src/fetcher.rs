//! Fetching one file, and all of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use ipnet::IpNet;
use lyceum_outbound::{Guard, GuardSettings};
use lyceum_ports::exporting::media::{FetchedMedia, MediaFetcher, MediaProblem};
use reqwest::Response;
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout, timeout_at};

use crate::budget::Budget;

/// How many files are fetched at a time.
const LANES: u32 = 4;
/// How often somebody may send us on; each place is checked like the first.
const REDIRECTS: usize = 3;

/// What is asked for; nothing else is taken.
const KINDS: &str = "image/*, audio/*, video/*, text/vtt";

/// How files are fetched.
#[derive(Debug, Clone)]
pub struct MediaSettings {
    /// Networks that files may be fetched from although they are not of the public Internet.
    pub allowed_cidrs: Vec<IpNet>,
    /// How long it may take until a connection stands.
    pub connect_timeout: Duration,
    /// How long the beginning of an answer, or its next piece, may take.
    pub pause: Duration,
    /// How long is waited, in all, for those who do not answer.
    pub patience: Duration,
    /// When all of it ends.
    pub deadline: Duration,
    /// The largest file, in bytes.
    pub file_limit: u64,
    /// All files together, in bytes.
    pub limit: u64,
}

impl Default for MediaSettings {
    /// 100 MB each and 1 GB in all; 3 s for connecting, 20 s for silence, 10 minutes for everything.
    fn default() -> Self {
        Self {
            allowed_cidrs: Vec::new(),
            connect_timeout: Duration::from_secs(3),
            pause: Duration::from_secs(10),
            patience: Duration::from_secs(20),
            deadline: Duration::from_mins(10),
            file_limit: 100_000_000,
            limit: 1_000_000_000,
        }
    }
}

/// Fetches files of strangers.
pub struct Fetcher {
    guard: Guard,
    settings: MediaSettings,
}

impl Fetcher {
    /// With these settings; nothing is fetched yet.
    pub fn new(settings: MediaSettings) -> Self {
        let guard = Guard::new(GuardSettings {
            what: "requests for media",
            user_agent: concat!("Lyceum-Media/", env!("CARGO_PKG_VERSION")),
            allowed_cidrs: settings.allowed_cidrs.clone(),
            // Packages carry the files, so nobody's browser meets an insecure address.
            require_https: false,
            connect_timeout: settings.connect_timeout,
        });
        Self { guard, settings }
    }

    /// The file, or nothing of it.
    async fn fetch_until(
        &self,
        end: Instant,
        address: &str,
        file: PathBuf,
        budget: &Budget,
    ) -> Result<FetchedMedia, MediaProblem> {
        let fetching = self.fetch_one(address, file.clone(), budget);
        let fetched = timeout_at(end, fetching).await;
        let fetched = fetched.unwrap_or(Err(MediaProblem::Unreachable));
        if fetched.is_err() {
            // It may never have been made.
            drop(tokio::fs::remove_file(&file).await);
        }
        fetched
    }

    async fn fetch_one(
        &self,
        address: &str,
        file: PathBuf,
        budget: &Budget,
    ) -> Result<FetchedMedia, MediaProblem> {
        if !budget.is_patient() {
            return Err(MediaProblem::Unreachable);
        }
        let begun = Instant::now();
        let answer = self.answer(address).await;
        if answer.is_err() {
            budget.tire(begun.elapsed() / LANES);
        }
        let answer = answer?;
        let media_type = media_type(&answer).ok_or(MediaProblem::WrongKind)?;
        let announced = answer.content_length().unwrap_or_default();
        if announced > self.settings.file_limit {
            return Err(MediaProblem::TooLarge);
        }
        self.save(answer, &file, budget).await?;
        Ok(FetchedMedia { file, media_type })
    }

    /// The beginning of a good answer, from wherever we were sent.
    async fn answer(&self, address: &str) -> Result<Response, MediaProblem> {
        let mut address = address.to_owned();
        for _ in 0..=REDIRECTS {
            let target = self.guard.check(&address).map_err(unreachable)?;
            let client = self.guard.client(&target).map_err(unreachable)?;
            let request = client.get(target.url.clone());
            let asking = request.header(ACCEPT, KINDS).send();
            let answer = timeout(self.settings.pause, asking).await;
            let answer = answer.map_err(unreachable)?.map_err(unreachable)?;
            if answer.status().is_success() {
                return Ok(answer);
            }
            let next = answer.headers().get(LOCATION);
            let next = next.filter(|_| answer.status().is_redirection());
            let next = next.and_then(|next| target.url.join(next.to_str().ok()?).ok());
            address = next.ok_or(MediaProblem::Unreachable)?.into();
        }
        Err(MediaProblem::Unreachable)
    }

    async fn save(
        &self,
        mut answer: Response,
        file: &Path,
        budget: &Budget,
    ) -> Result<(), MediaProblem> {
        let mut to = File::create_new(file).await.map_err(unreachable)?;
        let mut left = self.settings.file_limit;
        loop {
            let piece = timeout(self.settings.pause, answer.chunk()).await;
            let piece = piece.map_err(unreachable)?.map_err(unreachable)?;
            let Some(piece) = piece else {
                return to.flush().await.map_err(unreachable);
            };
            let size = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            left = left.checked_sub(size).ok_or(MediaProblem::TooLarge)?;
            budget.take(size)?;
            to.write_all(&piece).await.map_err(unreachable)?;
        }
    }
}

#[async_trait]
impl MediaFetcher for Fetcher {
    async fn fetch(
        &self,
        addresses: &[String],
        folder: &Path,
    ) -> Vec<Result<FetchedMedia, MediaProblem>> {
        let patience = u64::try_from(self.settings.patience.as_millis()).unwrap_or(u64::MAX);
        let budget = Budget::new(self.settings.limit, patience);
        let end = Instant::now() + self.settings.deadline;
        let files = (0..addresses.len()).map(|at| folder.join(at.to_string()));
        let fetching: Vec<_> = addresses
            .iter()
            .zip(files)
            .map(|(address, file)| self.fetch_until(end, address, file, &budget))
            .collect();
        let lanes = usize::try_from(LANES).unwrap_or(1);
        stream::iter(fetching).buffered(lanes).collect().await
    }
}

/// Whatever it was: an author can do nothing about which of the many ways it was.
fn unreachable<E>(_: E) -> MediaProblem {
    MediaProblem::Unreachable
}

/// What a file is said to be, if packages carry its kind.
fn media_type(answer: &Response) -> Option<String> {
    let said = answer.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let said = said.split(';').next()?.trim().to_ascii_lowercase();
    let kinds = ["image/", "audio/", "video/"];
    let carried = kinds.iter().any(|kind| said.starts_with(kind)) || said == "text/vtt";
    carried.then_some(said)
}
