//! Lists: which things, one page or all of them.

use std::collections::VecDeque;
use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::pin::Pin;

use futures_util::stream::{Stream, TryStreamExt, try_unfold};
use lyceum_wire::lists::List;
use serde::de::DeserializeOwned;

use crate::call::{Call, Sent};
use crate::client::Client;
use crate::error::ClientError;
use crate::expanded::Expanded;
use crate::request::RequestOptions;
use crate::settings::Platform;

/// The most that fits on a page.
const FULL_PAGE: u8 = 100;

/// All things of a list, fetched page by page as they are asked for.
pub type Things<T> = Pin<Box<dyn Stream<Item = Result<T, ClientError>> + Send>>;

/// A list that is not asked for before it is awaited (one page) or read with [`Listing::all`].
///
/// ```no_run
/// # async fn example(client: lyceum_client::Client) -> Result<(), lyceum_client::ClientError> {
/// use futures_util::TryStreamExt;
///
/// let mut published = client.courses().list().filter("status", "published").all();
/// while let Some(course) = published.try_next().await? {
///     println!("{}", course.name);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is sent before it is awaited"]
pub struct Listing<T> {
    client: Client,
    path: String,
    query: Vec<(String, String)>,
    options: RequestOptions,
    of: PhantomData<fn() -> T>,
}

impl Client {
    /// Lists what is at a path; for what has no method of its own.
    pub fn list<T: DeserializeOwned>(&self, path: &str) -> Listing<T> {
        Listing::new(self, path.to_owned())
    }
}

impl<T> fmt::Debug for Listing<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listing")
            .field("path", &self.path)
            .field("query", &self.query)
            .finish_non_exhaustive()
    }
}

impl<T> Clone for Listing<T> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            path: self.path.clone(),
            query: self.query.clone(),
            options: self.options.clone(),
            of: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> Listing<T> {
    pub(crate) fn new(client: &Client, path: String) -> Self {
        Self {
            client: client.clone(),
            path,
            query: Vec::new(),
            options: RequestOptions::default(),
            of: PhantomData,
        }
    }

    /// Only those that fit a filter, such as `status` and `published`, or `created_at[gte]` and a moment.
    pub fn filter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// As they will be once what waits goes live.
    pub fn draft(self) -> Self {
        self.replacing("draft", "true".to_owned())
    }

    /// Only those with this text in their name, or what else the list is searched in.
    pub fn search(self, text: impl Into<String>) -> Self {
        self.replacing("q", text.into())
    }

    /// In this order, such as `name`, or `-updated_at` for what was changed last.
    pub fn sort(self, order: impl Into<String>) -> Self {
        self.replacing("sort", order.into())
    }

    /// Only those whose metadata has this value under this key.
    pub fn metadata(self, key: &str, value: impl Into<String>) -> Self {
        self.filter(format!("metadata[{key}]"), value)
    }

    /// How many on a page, 1 to 100.
    pub fn limit(self, limit: u8) -> Self {
        self.replacing("limit", limit.to_string())
    }

    /// Those after a cursor: the previous page's `next_cursor`.
    pub fn starting_after(self, cursor: impl Into<String>) -> Self {
        self.replacing("startingAfter", cursor.into())
    }

    /// On this workspace, whatever the client's settings say.
    pub fn on(mut self, platform: Platform) -> Self {
        self.options.platform = Some(platform);
        self
    }

    /// How often a page is asked for again when that failed in passing.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.options.max_retries = Some(retries);
        self
    }

    /// With what they refer to put in its place: `lessons.activities`, or several with commas between them.
    pub fn expand(self, paths: &str) -> Listing<Expanded<T>> {
        let listing = self.filter("expand", paths);
        Listing {
            client: listing.client,
            path: listing.path,
            query: listing.query,
            options: listing.options,
            of: PhantomData,
        }
    }

    /// One page, with what stands beside it.
    pub fn page(self) -> Call<List<T>> {
        let mut call = self.client.get(&self.path).with(self.options);
        for (name, value) in self.query {
            call = call.query(name, value);
        }
        call
    }

    fn replacing(mut self, name: &str, value: String) -> Self {
        self.query.retain(|(given, _)| given != name);
        self.query.push((name.to_owned(), value));
        self
    }

    fn has(&self, name: &str) -> bool {
        self.query.iter().any(|(given, _)| given == name)
    }
}

impl<T: DeserializeOwned + Send + 'static> Listing<T> {
    /// All of them, page after page, each page asked for when the one before it is used up.
    pub fn all(self) -> Things<T> {
        let listing = if self.has("limit") {
            self
        } else {
            self.limit(FULL_PAGE)
        };
        let start = (VecDeque::new(), Some(listing));
        Box::pin(try_unfold(start, |(mut here, mut next)| async move {
            while here.is_empty() {
                let Some(listing) = next.take() else {
                    return Ok(None);
                };
                let page = listing.clone().await?;
                here.extend(page.data);
                // A page that says there is more but not where would be asked for for ever.
                if page.has_more && !page.next_cursor.is_empty() {
                    next = Some(listing.starting_after(page.next_cursor));
                }
            }
            Ok(here.pop_front().map(|thing| (thing, (here, next))))
        }))
    }

    /// All of them at once, in memory.
    pub async fn collect(self) -> Result<Vec<T>, ClientError> {
        self.all().try_collect().await
    }
}

impl<T: DeserializeOwned + 'static> IntoFuture for Listing<T> {
    type Output = Result<List<T>, ClientError>;
    type IntoFuture = Sent<List<T>>;

    fn into_future(self) -> Sent<List<T>> {
        self.page().into_future()
    }
}
