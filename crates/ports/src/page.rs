//! Keyset pages: no offsets, no counting; and what every list can be narrowed by.
//!
//! A page may have fewer things than were asked for, or none, and others behind it: storage looks at so many rows for one
//! page and no more. `Page::next` says whether a list goes on, and nothing else does.

use std::cmp::Ordering;

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
    /// In which order, where it is not the list's own.
    pub sort: Option<Sort>,
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
                text: None,
            },
            sort: None,
        }
    }

    /// Whether it begins with what was made first, where it goes by age.
    pub const fn is_oldest_first(&self) -> bool {
        matches!(
            self.sort,
            Some(Sort {
                is_descending: false,
                ..
            })
        )
    }
}

/// In which order a list is, where somebody says so; what is alike in it goes by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// By what.
    pub by: SortBy,
    /// Whether it begins with the greatest.
    pub is_descending: bool,
}

/// What a list may be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    /// The moment of creation. Ids tell it, so this is the order of ids.
    Created,
    /// The moment of the last change.
    Updated,
    /// When the grade that stands was given; what has none is not in such a list.
    Graded,
    /// When a person gave the grade that stands, or let it stand; what nobody decided is not in such a list.
    Decided,
    /// The score that counts; what has none is not in such a list.
    Score,
    /// What it is called, whatever the case of ASCII letters; of people without a name, their address.
    Name,
}

impl Sort {
    /// Reads `name`, or `-name` for the greatest first.
    pub fn parse(text: &str) -> Option<Self> {
        let (is_descending, word) = match text.strip_prefix('-') {
            Some(word) => (true, word),
            None => (false, text),
        };
        let by = match word {
            "created_at" => SortBy::Created,
            "updated_at" => SortBy::Updated,
            "graded_at" => SortBy::Graded,
            "decided_at" => SortBy::Decided,
            "score" => SortBy::Score,
            "name" => SortBy::Name,
            _ => return None,
        };
        Some(Self { by, is_descending })
    }
}

/// What every list can be narrowed by: all that stands here must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrowing {
    /// Bounds of the moment of creation.
    pub created: Vec<(Bound, Timestamp)>,
    /// Members of the metadata; lists of things without metadata are never asked for any.
    pub metadata: Vec<MetadataMember>,
    /// What stands in one of the texts that a list is searched in ([`crate::finding`]), whatever the case of ASCII letters.
    pub text: Option<String>,
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
        self.created.is_empty() && self.metadata.is_empty() && self.text.is_none()
    }

    /// Whether what is looked for stands in one of these texts.
    pub fn admits_texts(&self, texts: &[&str]) -> bool {
        let Some(wanted) = &self.text else {
            return true;
        };
        let wanted = wanted.to_ascii_lowercase();
        let mut texts = texts.iter();
        texts.any(|text| text.to_ascii_lowercase().contains(&wanted))
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

/// What a list is sorted by: newest first by id, or, for the children of one parent, position then id, or what was asked
/// for, then id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keyset {
    /// The place among siblings, where the list is sorted by place.
    pub position: Option<u32>,
    /// What it is sorted by otherwise, where that is not the id alone.
    pub value: Option<SortValue>,
    /// The identifier.
    pub id: String,
}

/// What a thing has of what its list is sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortValue {
    /// A name, with its ASCII letters in lower case.
    Text(String),
    /// A moment.
    Moment(Timestamp),
    /// A number.
    Number(i64),
}

impl Keyset {
    /// Of a list that goes by ids.
    pub fn of_id(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            ..Self::default()
        }
    }
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

    /// A page, by age, of things that are few enough to be read whole; what the request leaves out is gone already.
    pub fn of_few(mut items: Vec<T>, page: &PageRequest, id: impl Fn(&T) -> String) -> Self {
        items.sort_by_cached_key(&id);
        if !page.is_oldest_first() {
            items.reverse();
        }
        if let Some(after) = &page.after {
            let wanted = if page.is_oldest_first() {
                Ordering::Greater
            } else {
                Ordering::Less
            };
            items.retain(|item| id(item).cmp(&after.id) == wanted);
        }
        Self::cut(items, page.limit, |item| Keyset::of_id(id(item)))
    }

    /// The same page of something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(change).collect(),
            next: self.next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_a_word_with_or_without_a_minus() {
        let sort = |by, is_descending| Some(Sort { by, is_descending });
        assert_eq!(Sort::parse("name"), sort(SortBy::Name, false));
        assert_eq!(Sort::parse("-name"), sort(SortBy::Name, true));
        assert_eq!(Sort::parse("-created_at"), sort(SortBy::Created, true));
        assert_eq!(Sort::parse("updated_at"), sort(SortBy::Updated, false));
        assert_eq!(Sort::parse("-graded_at"), sort(SortBy::Graded, true));
        assert_eq!(Sort::parse("score"), sort(SortBy::Score, false));
        for wrong in ["", "-", "--name", "Name", "name,id", "position"] {
            assert_eq!(Sort::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn few_things_are_shown_in_either_direction_and_go_on_behind_the_last() {
        let page = |sort: Option<&str>, after: Option<&str>| {
            let request = PageRequest {
                sort: sort.and_then(Sort::parse),
                after: after.map(Keyset::of_id),
                ..PageRequest::first(2)
            };
            let items = vec!["b", "d", "a", "c"];
            Page::of_few(items, &request, |item| (*item).to_owned()).items
        };
        assert_eq!(page(None, None), ["d", "c"]);
        assert_eq!(page(None, Some("c")), ["b", "a"]);
        assert_eq!(page(Some("created_at"), None), ["a", "b"]);
        assert_eq!(page(Some("created_at"), Some("b")), ["c", "d"]);
        assert_eq!(page(Some("-created_at"), Some("d")), ["c", "b"]);
    }

    #[test]
    fn a_text_is_found_whatever_the_case_of_its_ascii_letters() {
        let narrowed = |text: &str| Narrowing {
            text: Some(text.to_owned()),
            ..Narrowing::default()
        };
        assert!(narrowed("BOOK").admits_texts(&["", "My book"]));
        assert!(narrowed("Ö").admits_texts(&["Öl"]) && !narrowed("ö").admits_texts(&["Öl"]));
        assert!(!narrowed("x").admits_texts(&[]) && Narrowing::default().admits_texts(&[]));
    }
}
