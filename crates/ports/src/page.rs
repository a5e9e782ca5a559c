//! Keyset pages: no offsets, no counting.

/// Which page is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// How many at most: 1..=100.
    pub limit: u16,
    /// The last thing of the page before.
    pub after: Option<Keyset>,
}

impl PageRequest {
    /// How many a page has when nobody says.
    pub const DEFAULT_LIMIT: u16 = 20;
    /// How many a page has at most.
    pub const MAX_LIMIT: u16 = 100;

    /// The first page of `limit`.
    pub const fn first(limit: u16) -> Self {
        Self { limit, after: None }
    }
}

/// What a list is sorted by: newest first by id, or, for the children of one parent, position then id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyset {
    /// The place among siblings, where the list is sorted by place.
    pub position: Option<u32>,
    /// The identifier.
    pub id: String,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// What is on it, in order.
    pub items: Vec<T>,
    /// Where the next page starts; `None` on the last one.
    pub next: Option<Keyset>,
}

impl<T> Page<T> {
    /// Cuts `limit + 1` fetched items down to a page; the surplus one says that there is more.
    pub fn cut(mut items: Vec<T>, limit: u16, key: impl Fn(&T) -> Keyset) -> Self {
        let more = items.len() > usize::from(limit);
        items.truncate(usize::from(limit));
        let next = items.last().filter(|_| more).map(key);
        Self { items, next }
    }

    /// The same page of something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(change).collect(),
            next: self.next,
        }
    }
}
