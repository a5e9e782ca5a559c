//! Query strings.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lyceum_domain::identity::keys::ApiKeySecret;
use serde_json::{Value, json};

use crate::http::error::Failure;
use crate::http::near;

/// The parameters of a request, each to be taken once.
#[derive(Debug, Clone, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
    /// What was asked for by name so far: what could have been meant.
    known: Vec<&'static str>,
}

/// One parameter, for the documentation.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The values it takes, if they are few.
    pub values: &'static [&'static str],
}

impl Parameter {
    /// One that takes a text.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            values: &[],
        }
    }

    /// The same with these values alone.
    #[must_use]
    pub const fn one_of(mut self, values: &'static [&'static str]) -> Self {
        self.values = values;
        self
    }

    /// The same with `true` and `false` alone.
    #[must_use]
    pub const fn flag(self) -> Self {
        self.one_of(&["true", "false"])
    }

    /// What its values look like.
    pub fn schema(&self) -> Value {
        match (self.name, self.values) {
            (name, _) if name.starts_with("created_at[") => {
                json!({ "type": "string", "format": "date-time" })
            }
            ("from" | "to" | "graded_after" | "graded_before", _) => {
                json!({ "type": "string", "format": "date-time" })
            }
            ("expires", _) => json!({ "type": "integer" }),
            ("limit", _) => {
                json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 20 })
            }
            ("columns", _) => {
                json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 50 })
            }
            (_, []) => json!({ "type": "string", "minLength": 1 }),
            (_, values) => json!({ "type": "string", "enum": values }),
        }
    }
}

/// Something that is read from a query.
pub trait FromQuery: Clone + Send + Sized + 'static {
    /// What it reads.
    const PARAMETERS: &'static [Parameter];

    /// Takes its parameters.
    ///
    /// # Errors
    /// [`Failure::InvalidParameter`]
    fn read(query: &mut Query) -> Result<Self, Failure>;
}

/// Names under which clients of other services send their keys in URLs.
const NAMES_OF_KEYS: [&str; 6] = [
    "api_key",
    "apikey",
    "api-key",
    "x-api-key",
    "x_api_key",
    "access_token",
];

/// Whether a query asks for more than a page as it comes: whatever filters or puts related objects in may have to look
/// at much for a short answer.
pub fn narrows(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes())
        .any(|(name, _)| name != "limit" && name != "startingAfter")
}

/// Why a URL with a key in it is not answered: URLs are kept where keys must not be, by proxies, browsers and
/// analytics. A URL that were answered would stay in use.
pub fn key_in_url(query: &str) -> Option<Failure> {
    let holds_key = |(name, value): &(Cow<'_, str>, Cow<'_, str>)| {
        let is_name = |known: &&str| name.eq_ignore_ascii_case(known);
        NAMES_OF_KEYS.iter().any(is_name) || ApiKeySecret::parse(value).is_ok()
    };
    let (name, _) = form_urlencoded::parse(query.as_bytes()).find(holds_key)?;
    let problem = "must not be in a URL, where others can read it: send the key in the header \
                   x-api-key, and replace one that was sent like this";
    Some(Failure::InvalidParameter(
        name.into_owned(),
        problem.to_owned(),
    ))
}

impl Query {
    /// Reads a query string; what is not valid UTF-8 after decoding is replaced.
    pub fn parse(text: &str) -> Self {
        let pairs = form_urlencoded::parse(text.as_bytes())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        Self {
            pairs,
            known: Vec::new(),
        }
    }

    /// Takes a parameter as text; it may stand there once and must not be empty.
    ///
    /// # Errors
    /// [`Failure::InvalidParameter`]
    pub fn text(&mut self, name: &'static str) -> Result<Option<String>, Failure> {
        self.known.push(name);
        self.text_of(name)
    }

    /// The same of a name that the query itself gave.
    ///
    /// # Errors
    /// [`Failure::InvalidParameter`]
    pub fn text_of(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let wrong = |problem: &str| Failure::InvalidParameter(name.to_owned(), problem.to_owned());
        let mut values = self.take(|key| key == name);
        match (values.pop(), values.is_empty()) {
            (None, _) => Ok(None),
            (Some(_), false) => Err(wrong("must be given once")),
            (Some(value), true) if value.is_empty() => Err(wrong("must not be empty")),
            (Some(value), true) if value.contains('\0') => {
                Err(wrong("must not contain the character U+0000"))
            }
            (Some(value), true) => Ok(Some(value)),
        }
    }

    /// Takes a parameter and reads it by the domain's rules.
    ///
    /// # Errors
    /// [`Failure::InvalidParameter`]
    pub fn parsed<T, E: std::fmt::Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        self.text(name)?
            .map(|text| parse(&text))
            .transpose()
            .map_err(|error| Failure::InvalidParameter(name.to_owned(), error.to_string()))
    }

    /// Takes a parameter that is `true` or `false`; absent is false.
    ///
    /// # Errors
    /// [`Failure::InvalidParameter`]
    pub fn flag(&mut self, name: &'static str) -> Result<bool, Failure> {
        Ok(self.asked_flag(name)?.unwrap_or(false))
    }

    /// Takes a flag that means something else where it is absent than where it is false.
    pub fn asked_flag(&mut self, name: &'static str) -> Result<Option<bool>, Failure> {
        let read = |text: &str| text.parse::<bool>().map_err(|_| "must be true or false");
        self.parsed(name, read)
    }

    /// Takes everything to be expanded: `expand=a,b`, `expand=a&expand=b`, `expand[]=a`, `expand[0]=a`.
    pub fn expand(&mut self) -> Vec<String> {
        let values = self.take(|key| {
            key == "expand"
                || key
                    .strip_prefix("expand[")
                    .and_then(|rest| rest.strip_suffix(']'))
                    .is_some_and(|index| index.bytes().all(|b| b.is_ascii_digit()))
        });
        let paths = values.iter().flat_map(|value| value.split(','));
        let unique: BTreeSet<String> = paths.map(|path| path.trim().to_owned()).collect();
        unique.into_iter().collect()
    }

    /// What stands in the brackets of each `name[…]`, as they follow one another.
    pub fn keys_of(&self, name: &str) -> Vec<String> {
        let in_brackets = |key: &String| -> Option<String> {
            let inner = key
                .strip_prefix(name)?
                .strip_prefix('[')?
                .strip_suffix(']')?;
            Some(inner.to_owned())
        };
        let keys = self.pairs.iter().map(|(key, _)| key);
        keys.filter_map(in_brackets).collect()
    }

    /// Whether a parameter stands there, with whatever value.
    pub fn names(&self, name: &str) -> bool {
        self.pairs.iter().any(|(key, _)| key == name)
    }

    /// Refuses what nobody took.
    ///
    /// # Errors
    /// [`Failure::UnknownParameter`]
    pub fn finish(&self) -> Result<(), Failure> {
        match self.pairs.first() {
            Some((name, _)) => {
                let near = near::name(name, self.known.iter().copied());
                Err(Failure::UnknownParameter(name.clone(), near))
            }
            None => Ok(()),
        }
    }

    fn take(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let (taken, left) = std::mem::take(&mut self.pairs)
            .into_iter()
            .partition(|(name, _)| wanted(name));
        self.pairs = left;
        let taken: Vec<(String, String)> = taken;
        taken.into_iter().map(|(_, value)| value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_as_it_comes_narrows_nothing() {
        assert!(!narrows("") && !narrows("limit=5&startingAfter=x"));
        assert!(narrows("limit=5&status=draft") && narrows("expand=units"));
    }

    #[test]
    fn a_parameter_stands_once_and_is_not_empty() {
        assert!(Query::parse("a=1&a=2").text("a").is_err());
        assert!(Query::parse("a=").text("a").is_err());
        assert_eq!(
            Query::parse("a=%C3%A9+b").text("a").unwrap().as_deref(),
            Some("é b")
        );
        assert_eq!(Query::parse("").text("a").unwrap(), None);
    }

    #[test]
    fn a_key_in_a_url_is_seen_by_its_name_and_by_its_form() {
        let key = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";
        for query in [
            "api_key=x".to_owned(),
            "limit=1&X-Api-Key=".to_owned(),
            "x%2Dapi%2Dkey=1".to_owned(),
            format!("anything={key}"),
        ] {
            let row = key_in_url(&query).unwrap().row();
            assert_eq!((row.status.as_u16(), row.code), (400, "invalid_parameter"));
            assert!(!row.message.contains(key), "{}", row.message);
        }
        assert!(key_in_url("limit=1&startingAfter=key_1").is_none());
    }

    #[test]
    fn a_parameter_that_nobody_knows_has_a_neighbour() {
        let mut query = Query::parse("starting_after=crs_1");
        assert_eq!(query.text("startingAfter").unwrap(), None);
        let row = query.finish().unwrap_err().row();
        assert_eq!(
            row.message,
            "There is no parameter starting_after here. Did you mean startingAfter?"
        );
    }

    #[test]
    fn expand_has_four_spellings() {
        let mut query = Query::parse("expand=a,b&expand[]=c&expand[0]=d&expand=a&x=1");
        assert_eq!(query.expand(), ["a", "b", "c", "d"]);
        assert!(query.finish().is_err());
    }
}
