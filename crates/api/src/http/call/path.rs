//! The variable parts of a path, and the ids in them.

use lyceum_application::Error;
use lyceum_domain::Id;
use lyceum_domain::id::Identified;

/// The variable parts of a path.
#[derive(Debug, Clone, Default)]
pub struct Path(pub Vec<(String, String)>);

impl Path {
    /// The id in the place `{id}`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not an id of this kind: such a thing cannot be there.
    pub fn id<K: Identified>(&self) -> Result<Id<K>, Error> {
        self.named("id")
    }

    /// The id in a place with another name.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not an id of this kind.
    pub fn named<K: Identified>(&self, place: &str) -> Result<Id<K>, Error> {
        self.text(place)
            .parse()
            .map_err(|_| Error::NotFound(K::OBJECT))
    }

    /// The text in a place.
    pub fn text(&self, place: &str) -> &str {
        self.0
            .iter()
            .find(|(name, _)| name == place)
            .map_or("", |(_, value)| value)
    }
}
