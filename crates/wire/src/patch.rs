//! Members of a merge patch (RFC 7396): absent keeps, `null` clears, a value sets.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A member of a merge patch. Its field needs `#[serde(default, skip_serializing_if = "Patch::is_keep")]` and,
/// for its schema, `#[schema(value_type = Option<…>)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Not mentioned.
    #[default]
    Keep,
    /// `null`.
    Clear,
    /// A value.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether it changes nothing.
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// `None` keeps, `Some(None)` clears.
    pub fn into_option(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }

    /// `None` keeps; `null` sets what a new thing would have.
    pub fn or_default(self, default: impl FnOnce() -> T) -> Option<T> {
        self.into_option()
            .map(|value| value.unwrap_or_else(default))
    }

    /// Changes the value, if there is one.
    ///
    /// # Errors
    /// What `change` returns.
    pub fn try_map<U, E>(self, change: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(change(value)?),
        })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Set(value) => value.serialize(serializer),
            Self::Keep | Self::Clear => serializer.serialize_none(),
        }
    }
}
