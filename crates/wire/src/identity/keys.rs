//! API keys on the wire.

use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret};
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::text::Name;
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::common::{Command, Resource, not_cleared};
use crate::declared::view;
use crate::patch::Patch;
use crate::shapes;

/// What a key is called when nobody says.
const DEFAULT_NAME: &str = "API key";

/// A key to be made, for the caller.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateApiKey {
    /// What you call it; `API key` when absent.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Grade sync"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it may do, no more than the key it is made with and than its owner's role; `read:*` and `write:*` when
    /// absent, for students what students may.
    #[schema(min_items = 1, max_items = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<ScopeName>>,
    /// When it stops working; never when absent.
    #[schema(format = DateTime, example = "2027-11-21T06:55:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

/// The name of a scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScopeName(pub String);

// By hand, because the domain already lists the words.
impl PartialSchema for ScopeName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("What a key may do."))
            .enum_values(Some(Scope::ALL.iter().map(|scope| scope.as_str())))
            .into()
    }
}

impl ToSchema for ScopeName {}

/// A key as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewApiKey {
    /// What its owner calls it.
    pub name: Name,
    /// What it may do, if somebody said.
    pub scopes: Option<ScopeSet>,
    /// When it stops working, if it does by itself.
    pub expires_at: Option<Timestamp>,
}

impl Command for CreateApiKey {
    type Of = NewApiKey;

    fn command(self) -> Result<NewApiKey, Invalid> {
        let name = self.name.unwrap_or_else(|| DEFAULT_NAME.to_owned());
        let expires_at = self.expires_at.as_deref().map(Timestamp::parse);
        let scopes = self
            .scopes
            .map(|names| ScopeSet::parse(names.iter().map(|name| name.0.as_str())));
        Ok(NewApiKey {
            name: Name::parse(name).at("name")?,
            scopes: scopes.transpose().at("scopes")?,
            expires_at: expires_at.transpose().at("expires_at")?,
        })
    }
}

/// A change of a key: absent keeps.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateApiKey {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
}

/// What is to change about a key; `None` keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApiKeyChanges {
    /// New name.
    pub name: Option<Name>,
}

impl Command for UpdateApiKey {
    type Of = ApiKeyChanges;

    fn command(self) -> Result<ApiKeyChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(ApiKeyChanges {
            name: name.map(Name::parse).transpose().at("name")?,
        })
    }
}

view! {
    /// An API key. No `Debug`: no log line may carry the whole of one.
    #[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct ApiKeyView {
        /// `key_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::ApiKey>)]
        pub id: String = key.id.to_string(),
        /// Always `api_key`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::ApiKey>)]
        pub object: String = "api_key".to_owned(),
        /// `standard` or `session`.
        #[schema(schema_with = shapes::word::<lyceum_domain::identity::keys::KeyKind>)]
        pub kind: String = key.kind.to_string(),
        /// What its owner calls it.
        pub name: String = key.name.to_string(),
        /// The public first segment, to recognise it by.
        pub prefix: String = key.lookup.as_str().to_owned(),
        /// What it may do.
        pub scopes: Vec<String> = scope_names(&key.scopes),
        /// When it stops working, if it does by itself.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub expires_at: Option<String> = key.expires_at.as_ref().map(ToString::to_string),
        /// When it was revoked, if it was.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub revoked_at: Option<String> = key.revoked_at.as_ref().map(ToString::to_string),
        /// When it was last used, to the minute.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub last_used_at: Option<String> = key.last_used_at.as_ref().map(ToString::to_string),
        /// The whole key; only in the answer that makes it, never again.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub api_key: Option<String> = None,
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = key.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = key.stamp.updated_at.to_string(),
    }

    /// Of a key, without its secret.
    pub fn new(key: &ApiKey);
}

impl ApiKeyView {
    /// The same with the whole key, for the one answer that shows it.
    #[must_use]
    pub fn revealing(mut self, secret: &ApiKeySecret) -> Self {
        self.api_key = Some(secret.reveal().to_owned());
        self
    }
}

impl Resource for ApiKeyView {
    const COLLECTION: &'static str = "api_keys";

    fn id(&self) -> &str {
        &self.id
    }
}

/// The names of scopes, in order.
pub fn scope_names(scopes: &ScopeSet) -> Vec<String> {
    scopes.iter().map(|scope| scope.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_without_scopes_has_what_its_owner_has_by_default() {
        let new = CreateApiKey::default().command().unwrap();
        assert_eq!(new.scopes, None);
        assert_eq!(new.name.as_str(), DEFAULT_NAME);
        assert_eq!(new.expires_at, None);
    }

    #[test]
    fn scopes_are_known_words_and_at_least_one() {
        let with = |names: &[&str]| CreateApiKey {
            scopes: Some(
                names
                    .iter()
                    .map(|name| ScopeName((*name).to_owned()))
                    .collect(),
            ),
            ..CreateApiKey::default()
        };
        assert!(with(&["read:courses"]).command().is_ok());
        for wrong in [&[][..], &["read:minds"]] {
            assert_eq!(with(wrong).command().unwrap_err().field, "scopes");
        }
    }

    #[test]
    fn the_name_of_a_key_cannot_be_cleared() {
        let update: UpdateApiKey = serde_json::from_str(r#"{"name":null}"#).unwrap();
        assert_eq!(update.command().unwrap_err().field, "name");
    }

    #[test]
    fn the_schema_lists_every_scope() {
        let schema = serde_json::to_value(ScopeName::schema()).unwrap();
        assert_eq!(
            schema["enum"].as_array().map(Vec::len),
            Some(Scope::ALL.len())
        );
    }
}
