//! What every collection can do.

use std::marker::PhantomData;

use lyceum_wire::deleted::Deleted;
use lyceum_wire::lists::List;
use reqwest::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::client::{Client, RequestOptions};
use crate::error::ClientError;

/// The most that fits on a page.
const FULL_PAGE: u8 = 100;

/// The body of a request that does not exist: a collection of it cannot be created in, or not be changed.
#[derive(Debug, Clone, Copy, Serialize)]
pub enum Never {}

/// A collection of things that are shown as `View`, made from `New` and changed by `Change`.
#[derive(Debug)]
pub struct Collection<'c, New, Change, View> {
    client: &'c Client,
    name: &'static str,
    of: PhantomData<fn(New, Change) -> View>,
}

/// Which things of a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListQuery {
    pairs: Vec<(String, String)>,
}

impl ListQuery {
    /// Everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only those that fit a filter, such as `status` and `published`.
    #[must_use]
    pub fn filter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.pairs.push((name.into(), value.into()));
        self
    }

    /// How many on a page, 1 to 100.
    #[must_use]
    pub fn limit(self, limit: u8) -> Self {
        self.replacing("limit", limit.to_string())
    }

    /// Those after a cursor: the previous page's `next_cursor`.
    #[must_use]
    pub fn starting_after(self, cursor: impl Into<String>) -> Self {
        self.replacing("startingAfter", cursor.into())
    }

    /// With what they refer to, such as `cohorts`.
    #[must_use]
    pub fn expand(self, path: impl Into<String>) -> Self {
        self.filter("expand", path)
    }

    fn replacing(mut self, name: &str, value: String) -> Self {
        self.pairs.retain(|(given, _)| given != name);
        self.pairs.push((name.to_owned(), value));
        self
    }

    fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(given, _)| given == name)
    }
}

impl<'c, New, Change, View> Collection<'c, New, Change, View>
where
    New: Serialize,
    Change: Serialize,
    View: DeserializeOwned,
{
    pub(crate) const fn of(client: &'c Client, name: &'static str) -> Self {
        Self {
            client,
            name,
            of: PhantomData,
        }
    }

    /// Makes a new one.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn create(&self, new: &New) -> Result<View, ClientError> {
        self.create_with(new, RequestOptions::default()).await
    }

    /// Makes a new one, with options of its own.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn create_with(
        &self,
        new: &New,
        options: RequestOptions,
    ) -> Result<View, ClientError> {
        self.client
            .write(Method::POST, &format!("/v1/{}", self.name), new, options)
            .await
    }

    /// Shows one.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn retrieve(&self, id: &str) -> Result<View, ClientError> {
        self.client.get(&path(self.name, id, "")).await
    }

    /// Changes one.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn update(&self, id: &str, change: &Change) -> Result<View, ClientError> {
        self.update_with(id, change, RequestOptions::default())
            .await
    }

    /// Changes one, with options of its own.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn update_with(
        &self,
        id: &str,
        change: &Change,
        options: RequestOptions,
    ) -> Result<View, ClientError> {
        self.client
            .write(Method::PATCH, &path(self.name, id, ""), change, options)
            .await
    }

    /// Deletes one and everything below it.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn delete(&self, id: &str) -> Result<Deleted, ClientError> {
        self.client.delete(&path(self.name, id, "")).await
    }

    /// One page.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn page(&self, query: &ListQuery) -> Result<List<View>, ClientError> {
        self.client.page(&format!("/v1/{}", self.name), query).await
    }

    /// All pages, one after the other.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn all(&self, query: &ListQuery) -> Result<Vec<View>, ClientError> {
        self.client.all(&format!("/v1/{}", self.name), query).await
    }
}

impl Client {
    /// One page of the list at a path.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn page<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &ListQuery,
    ) -> Result<List<T>, ClientError> {
        self.get_with(path, &query.pairs).await
    }

    /// All pages of the list at a path, one after the other.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn all<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &ListQuery,
    ) -> Result<Vec<T>, ClientError> {
        let mut query = query.clone();
        if !query.has("limit") {
            query = query.limit(FULL_PAGE);
        }
        let mut found = Vec::new();
        loop {
            let page: List<T> = self.page(path, &query).await?;
            found.extend(page.data);
            // A page that says there is more but not where would be asked for for ever.
            if !page.has_more || page.next_cursor.is_empty() {
                return Ok(found);
            }
            query = query.starting_after(page.next_cursor);
        }
    }
}

/// The path of one thing, or of something below it. An id is data: whatever it holds, it stays one segment.
pub(crate) fn path(collection: &str, id: &str, below: &str) -> String {
    let id: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
    // As a whole segment these would be taken as steps up.
    let id = if matches!(id.as_str(), "." | "..") {
        "-".to_owned()
    } else {
        id
    };
    format!("/v1/{collection}/{id}{below}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_become_a_path() {
        assert_eq!(
            path("courses", "crs_1", "/publish"),
            "/v1/courses/crs_1/publish"
        );
        assert_eq!(
            path("courses", "../users?x", ""),
            "/v1/courses/..%2Fusers%3Fx"
        );
        assert_eq!(path("courses", "..", ""), "/v1/courses/-");
    }

    #[test]
    fn limit_and_cursor_stand_once() {
        let query = ListQuery::new()
            .limit(5)
            .limit(7)
            .starting_after("a")
            .starting_after("b");
        let wanted = [("limit", "7"), ("startingAfter", "b")];
        let pairs: Vec<(&str, &str)> = query
            .pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(pairs, wanted);
    }
}
