//! What every list can be narrowed by besides its own filters: when its things were made, and their metadata.

use lyceum_application::{Bound, MetadataMember, Narrowing};
use lyceum_domain::Timestamp;
use lyceum_domain::json::Metadata;

use crate::http::error::Failure;
use crate::http::json;
use crate::http::query::{Parameter, Query};

/// Most keys of the metadata that a list is narrowed by.
pub const MAX_METADATA: usize = 10;

/// The bounds of `created_at`, as they stand in its brackets.
const BOUNDS: [(&str, Bound); 4] = [
    ("created_at[gte]", Bound::AtOrAfter),
    ("created_at[gt]", Bound::After),
    ("created_at[lte]", Bound::AtOrBefore),
    ("created_at[lt]", Bound::Before),
];

/// Parameters of every list.
pub const CREATED: [Parameter; 4] = [
    Parameter::new(
        "created_at[gte]",
        "Made at this moment (RFC 3339) or later.",
    ),
    Parameter::new("created_at[gt]", "Made later than this moment."),
    Parameter::new("created_at[lte]", "Made at this moment or earlier."),
    Parameter::new("created_at[lt]", "Made earlier than this moment."),
];

/// The parameter of lists whose things have metadata; any key stands in its brackets.
pub const METADATA: Parameter = Parameter::new(
    "metadata[key]",
    "With this value under `key` in the metadata, where `key` is any key: the text, or the number, \
                  `true`, `false` or `null` written so. Up to 10 of them, all of which must hold.",
);

/// Whether the things of a list have metadata.
pub trait Tags: 'static {
    /// Whether they do.
    const METADATA: bool;
}

/// They have none.
pub struct Untagged;

/// They have.
pub struct Tagged;

impl Tags for Untagged {
    const METADATA: bool = false;
}

impl Tags for Tagged {
    const METADATA: bool = true;
}

/// Takes the bounds of `created_at`, and the metadata where there is any.
///
/// # Errors
/// [`Failure::InvalidParameter`]
pub fn read<T: Tags>(query: &mut Query) -> Result<Narrowing, Failure> {
    let mut narrowed = Narrowing::default();
    for (name, bound) in BOUNDS {
        if let Some(limit) = query.parsed(name, Timestamp::parse)? {
            narrowed.created.push((bound, limit));
        }
    }
    if T::METADATA {
        for key in query.keys_of("metadata") {
            let member = member(query, key)?;
            narrowed.metadata.push(member);
            refuse_surplus(&narrowed)?;
        }
    }
    Ok(narrowed)
}

fn member(query: &mut Query, key: String) -> Result<MetadataMember, Failure> {
    let name = format!("metadata[{key}]");
    let wrong = |problem: String| Failure::InvalidParameter(name.clone(), problem);
    if key.contains(['[', ']']) {
        return Err(wrong(
            "must name one key of the metadata, and nothing in it".to_owned(),
        ));
    }
    if key.is_empty() || key.chars().count() > Metadata::MAX_KEY_CHARS {
        let most = Metadata::MAX_KEY_CHARS;
        return Err(wrong(format!("must have a key of 1 to {most} characters")));
    }
    if key.contains('\0') {
        return Err(wrong("must not contain the character U+0000".to_owned()));
    }
    // A key comes from the query itself, so there is a value for it.
    let text = query.text_of(&name)?.unwrap_or_default();
    Ok(MetadataMember {
        key,
        scalar: json::scalar(&text),
        text,
    })
}

fn refuse_surplus(narrowed: &Narrowing) -> Result<(), Failure> {
    match narrowed.metadata.get(MAX_METADATA) {
        Some(surplus) => Err(Failure::InvalidParameter(
            format!("metadata[{}]", surplus.key),
            format!("must be one of at most {MAX_METADATA}"),
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(text: &str) -> Result<Narrowing, String> {
        let mut query = Query::parse(text);
        let read = read::<Tagged>(&mut query).and_then(|read| query.finish().map(|()| read));
        read.map_err(|failure| {
            let row = failure.row();
            let names: Vec<&str> = row.fields.keys().map(String::as_str).collect();
            format!("{} {}", row.code, names.join(" "))
        })
    }

    #[test]
    fn bounds_and_keys_are_read_in_any_spelling() {
        let read = narrowed(
            "created_at%5Blt%5D=2026-11-21T08:55:00%2B02:00&metadata[a.b]=5.0&created_at[gte]=2026-01-01T00:00:00Z",
        );
        let read = read.unwrap();
        let bounds: Vec<Bound> = read.created.iter().map(|(bound, _)| *bound).collect();
        assert_eq!(bounds, [Bound::AtOrAfter, Bound::Before]);
        assert_eq!(read.created[1].1.to_string(), "2026-11-21T06:55:00.000Z");
        let member = &read.metadata[0];
        assert_eq!((member.key.as_str(), member.text.as_str()), ("a.b", "5.0"));
        assert_eq!(member.scalar, Some(5.into()));
    }

    #[test]
    fn what_is_malformed_is_named_as_it_was_written() {
        let long = "k".repeat(65);
        for (query, told) in [
            (
                "created_at[gt]=yesterday",
                "invalid_parameter created_at[gt]",
            ),
            ("created_at[gt]=", "invalid_parameter created_at[gt]"),
            ("created_at[eq]=2026", "unknown_parameter created_at[eq]"),
            ("created_at=2026", "unknown_parameter created_at"),
            ("metadata=x", "unknown_parameter metadata"),
            ("metadata[]=x", "invalid_parameter metadata[]"),
            ("metadata[a][b]=x", "invalid_parameter metadata[a][b]"),
            ("metadata[a]=", "invalid_parameter metadata[a]"),
            (
                "metadata[a]=1&metadata[a]=2",
                "invalid_parameter metadata[a]",
            ),
            ("metadata[a]=%00", "invalid_parameter metadata[a]"),
            ("metadata[%00]=1", "invalid_parameter metadata[\0]"),
            (
                &format!("metadata[{long}]=1"),
                &format!("invalid_parameter metadata[{long}]"),
            ),
        ] {
            assert_eq!(narrowed(query), Err(told.to_owned()), "{query}");
        }
        let keys = |count: usize| {
            let keys: Vec<String> = (0..count).map(|n| format!("metadata[k{n}]=1")).collect();
            keys.join("&")
        };
        assert_eq!(narrowed(&keys(10)).unwrap().metadata.len(), 10);
        assert_eq!(
            narrowed(&keys(11)),
            Err("invalid_parameter metadata[k10]".to_owned())
        );
    }

    #[test]
    fn things_without_metadata_are_not_narrowed_by_it() {
        let mut query = Query::parse("metadata[a]=1");
        assert!(read::<Untagged>(&mut query).unwrap().metadata.is_empty());
        assert!(query.finish().is_err());
    }
}
