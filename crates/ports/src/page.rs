//! Keyset pages: no offsets, no counting; and what every list can be narrowed by.
//!
//! A page may have fewer things than were asked for, or none, and others behind it: storage looks at so many rows for one
//! page and no more. `Page::next` says whether a list goes on, and nothing else does.

use lyceum_domain::Timestamp;
use lyceum_domain::json::Metadata;
use serde_json::Value;

/// Which page is wanted, and of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// How many at most: 1..=100.
    pub limit: u16,
    /// The last thing of the page before.
    pub after: Option<Keyset>,
    /// What is left out besides what the list's own filter leaves out.
    pub narrowed: Narrowing,
}

impl PageRequest {
    /// How many a page has when nobody says.
    pub const DEFAULT_LIMIT: u16 = 20;
    /// How many a page has at most.
    pub const MAX_LIMIT: u16 = 100;

    /// The first page of `limit`.
    pub const fn first(limit: u16) -> Self {
        Self {
            limit,
            after: None,
            narrowed: Narrowing {
                created: Vec::new(),
                metadata: Vec::new(),
            },
        }
    }
}

/// What every list can be narrowed by: all that stands here must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrowing {
    /// Bounds of the moment of creation.
    pub created: Vec<(Bound, Timestamp)>,
    /// Members of the metadata; lists of things without metadata are never asked for any.
    pub metadata: Vec<MetadataMember>,
}

/// On which side of a moment something lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// At the moment or later.
    AtOrAfter,
    /// Later.
    After,
    /// At the moment or earlier.
    AtOrBefore,
    /// Earlier.
    Before,
}

impl Bound {
    /// Whether `moment` lies on this side of `limit`.
    pub fn holds(self, moment: Timestamp, limit: Timestamp) -> bool {
        match self {
            Self::AtOrAfter => moment >= limit,
            Self::After => moment > limit,
            Self::AtOrBefore => moment <= limit,
            Self::Before => moment < limit,
        }
    }
}

/// A member of the metadata, and what it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetadataMember {
    /// Its key.
    pub key: String,
    /// The text that it is, if it is a text.
    pub text: String,
    /// The number, the `true`, `false` or `null` that it is otherwise, if the text is how one is written.
    pub scalar: Option<Value>,
}

impl MetadataMember {
    /// Whether the member is there and is what it may be.
    pub fn is_in(&self, metadata: &Metadata) -> bool {
        metadata.as_map().get(&self.key).is_some_and(|value| {
            value.as_str() == Some(self.text.as_str()) || self.scalar.as_ref() == Some(value)
        })
    }
}

impl Narrowing {
    /// Whether nothing is left out.
    pub const fn is_empty(&self) -> bool {
        self.created.is_empty() && self.metadata.is_empty()
    }

    /// Whether something without metadata that was made at this moment stays in the list.
    pub fn admits_made(&self, created_at: Timestamp) -> bool {
        let mut bounds = self.created.iter();
        bounds.all(|(bound, limit)| bound.holds(created_at, *limit))
    }

    /// Whether something that was made at this moment, with this metadata, stays in the list.
    pub fn admits(&self, created_at: Timestamp, metadata: &Metadata) -> bool {
        self.admits_made(created_at) && self.metadata.iter().all(|member| member.is_in(metadata))
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
    /// Nothing, and nothing behind it.
    pub const fn empty() -> Self {
        Self {
            items: Vec::new(),
            next: None,
        }
    }

    /// Cuts `limit + 1` fetched items down to a page; the surplus one says that there is more.
    pub fn cut(mut items: Vec<T>, limit: u16, key: impl Fn(&T) -> Keyset) -> Self {
        let more = items.len() > usize::from(limit);
        items.truncate(usize::from(limit));
        let next = items.last().filter(|_| more).map(key);
        Self { items, next }
    }

    /// A page, newest first, of things that are few enough to be read whole; what the request leaves out is gone
    /// already.
    pub fn of_few(mut items: Vec<T>, page: &PageRequest, id: impl Fn(&T) -> String) -> Self {
        items.sort_by_cached_key(|item| std::cmp::Reverse(id(item)));
        if let Some(after) = &page.after {
            items.retain(|item| id(item) < after.id);
        }
        Self::cut(items, page.limit, |item| Keyset {
            position: None,
            id: id(item),
        })
    }

    /// The same page of something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(change).collect(),
            next: self.next,
        }
    }
}
