//! What every shape shares.

use lyceum_domain::At;
use lyceum_domain::Invalid;
use lyceum_domain::json::{JsonObject, Metadata, MetadataChange};

use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::patch::Patch;

/// A free-form JSON object, kept as it came.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FreeObject(pub JsonObject);

impl PartialSchema for FreeObject {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .additional_properties(Some(AdditionalProperties::FreeForm(true)))
            .into()
    }
}

impl ToSchema for FreeObject {}

impl From<&JsonObject> for FreeObject {
    fn from(map: &JsonObject) -> Self {
        Self(map.clone())
    }
}

impl From<&Metadata> for FreeObject {
    fn from(metadata: &Metadata) -> Self {
        Self(metadata.as_map().clone())
    }
}

/// A request body that becomes a command.
pub trait Command {
    /// The command of the domain.
    type Of: Clone + Send + 'static;

    /// Reads the values by the domain's rules.
    ///
    /// # Errors
    /// [`Invalid`] naming the field.
    fn command(self) -> Result<Self::Of, Invalid>;

    /// The same for bodies with documents in them, which can tell several problems at once.
    ///
    /// # Errors
    /// Every [`Invalid`] there is.
    fn checked(self) -> Result<Self::Of, Vec<Invalid>>
    where
        Self: Sized,
    {
        self.command().map_err(|problem| vec![problem])
    }
}

/// An answer about one thing with an identity of its own.
pub trait Resource {
    /// The path segment of its collection, such as `courses`.
    const COLLECTION: &'static str;

    /// Its id.
    fn id(&self) -> &str;

    /// Its path below the version of the API, such as `/courses/crs_…`.
    fn path(&self) -> String {
        format!("/{}/{}", Self::COLLECTION, self.id())
    }
}

/// Metadata of a new thing.
///
/// # Errors
/// [`Invalid`] at `metadata`.
pub fn metadata(given: Option<FreeObject>) -> Result<Metadata, Invalid> {
    Metadata::parse(given.unwrap_or_default().0).at("metadata")
}

/// A change of metadata.
pub fn metadata_change(given: Patch<FreeObject>) -> MetadataChange {
    match given {
        Patch::Keep => MetadataChange::Keep,
        Patch::Clear => MetadataChange::Clear,
        Patch::Set(patch) => MetadataChange::Merge(patch.0),
    }
}

/// Names a problem of a required field that may not be cleared.
///
/// # Errors
/// [`Invalid`] at `field`, when the patch is `null`.
pub fn not_cleared<T>(given: Patch<T>, field: &str) -> Result<Option<T>, Invalid> {
    match given {
        Patch::Keep => Ok(None),
        Patch::Clear => Err(Invalid::new(field, "must not be null")),
        Patch::Set(value) => Ok(Some(value)),
    }
}

/// Why something failed in the background.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Such as `ai_provider_error`.
    pub code: String,
    /// For a person.
    pub message: String,
}
