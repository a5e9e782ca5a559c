//! API keys on the wire.

use std::time::Duration;

use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, LONGEST_OVERLAP};
use lyceum_domain::identity::scopes::{Scope, ScopeSet};
use lyceum_domain::ids::UserId;
use lyceum_domain::text::Name;
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::common::{Command, Resource, not_cleared};
use crate::common_ids::reference;
use crate::declared::view;
use crate::patch::Patch;
use crate::shapes;

/// What a key is called when nobody says.
const DEFAULT_NAME: &str = "API key";

/// A key to be made, for the caller or for a member of the chosen platform.
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
    /// From where it may be used: addresses, and networks such as `10.0.0.0/8`; from anywhere when absent or empty.
    #[schema(max_items = 100, example = json!(["203.0.113.0/24", "2001:db8::/32"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_addresses: Option<Vec<String>>,
    /// The member of the chosen platform for whom it is: it acts as them, there and nowhere else. Only admins and owners
    /// may, and for nobody above themselves. The caller's own when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
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
    /// From where it may be used.
    pub allowed_addresses: AllowedAddresses,
    /// The member for whom it is, if not the caller.
    pub user_id: Option<UserId>,
}

/// Networks, as they are written.
fn allowed_addresses(given: &[String]) -> Result<AllowedAddresses, Invalid> {
    AllowedAddresses::parse("allowed_addresses", given.iter().map(String::as_str))
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
            allowed_addresses: allowed_addresses(&self.allowed_addresses.unwrap_or_default())?,
            user_id: self.user_id.map(|id| reference(&id)),
        })
    }
}

/// How a key is to be rotated.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RotateApiKey {
    /// After how many seconds the old key stops working, unless it ends sooner: at once when 0, after seven days at
    /// most; when it is revoked, when absent.
    #[schema(minimum = 0, maximum = 604_800, example = 3600)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_old_in: Option<u64>,
}

/// How long the old key goes on, if that is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyRotation {
    /// For how long.
    pub overlap: Option<Duration>,
}

impl Command for RotateApiKey {
    type Of = KeyRotation;

    fn command(self) -> Result<KeyRotation, Invalid> {
        let overlap = self.expires_old_in.map(Duration::from_secs);
        if overlap.is_some_and(|overlap| overlap > LONGEST_OVERLAP) {
            let problem = format!("must be at most {}", LONGEST_OVERLAP.as_secs());
            return Err(Invalid::new("expires_old_in", problem));
        }
        Ok(KeyRotation { overlap })
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
    /// When it stops working; `null` for never. Of a key that was made for a member only those who run the platform put
    /// the end off.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub expires_at: Patch<String>,
    /// From where it may be used: the whole list anew, from anywhere when empty; cannot be cleared. Of a key that was made
    /// for a member only those who run the platform change it.
    #[schema(value_type = Option<Vec<String>>, max_items = 100)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub allowed_addresses: Patch<Vec<String>>,
}

/// What is to change about a key; `None` keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApiKeyChanges {
    /// New name.
    pub name: Option<Name>,
    /// New end; `Some(None)` is none.
    pub expires_at: Option<Option<Timestamp>>,
    /// From where it may be used.
    pub allowed_addresses: Option<AllowedAddresses>,
}

impl Command for UpdateApiKey {
    type Of = ApiKeyChanges;

    fn command(self) -> Result<ApiKeyChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        let networks = not_cleared(self.allowed_addresses, "allowed_addresses")?;
        let expires_at = self.expires_at.try_map(|at| Timestamp::parse(&at));
        Ok(ApiKeyChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            expires_at: expires_at.at("expires_at")?.into_option(),
            allowed_addresses: networks.as_deref().map(allowed_addresses).transpose()?,
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
        /// The platform that it alone opens: of keys that were made for a member there, and of session keys.
        #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Workspace>, required)]
        pub workspace_id: Option<String> = key.workspace_id.as_ref().map(ToString::to_string),
        /// The member there as whom it acts, where it was made for one.
        #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
        pub user_id: Option<String> = key.user_id.as_ref().map(ToString::to_string),
        /// The member there who made it for them.
        #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
        pub made_by: Option<String> = key.made_by.as_ref().map(ToString::to_string),
        /// What its owner calls it.
        pub name: String = key.name.to_string(),
        /// The public first segment, to recognise it by.
        pub prefix: String = key.lookup.as_str().to_owned(),
        /// What it may do.
        pub scopes: Vec<String> = scope_names(&key.scopes),
        /// From where it may be used; from anywhere when empty.
        pub allowed_addresses: Vec<String> = key
            .allowed_addresses
            .iter()
            .map(|network| network.to_string())
            .collect(),
        /// When it stops working, if it does by itself.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub expires_at: Option<String> = key.expires_at.as_ref().map(ToString::to_string),
        /// When it was revoked, if it was.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub revoked_at: Option<String> = key.revoked_at.as_ref().map(ToString::to_string),
        /// When it was last used, to the minute.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub last_used_at: Option<String> = key.last_used_at.as_ref().map(ToString::to_string),
        /// From where it was last used: an IPv4 address, or the /64 of an IPv6 address. For who may see the key, and in no event.
        #[schema(required)]
        pub last_used_from: Option<String> = key.last_used_from.map(|from| from.as_place()),
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
    /// The same as others may hear of it: from where somebody works is not for everybody who reads events.
    #[must_use]
    pub fn told(mut self) -> Self {
        self.last_used_from = None;
        self
    }

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
    fn an_overlap_is_at_most_a_week() {
        let rotate = |json: &str| {
            serde_json::from_str::<RotateApiKey>(json)
                .unwrap()
                .command()
        };
        assert_eq!(rotate("{}").unwrap(), KeyRotation::default());
        let week = rotate(r#"{"expires_old_in":604800}"#).unwrap();
        assert_eq!(week.overlap, Some(LONGEST_OVERLAP));
        let longer = rotate(r#"{"expires_old_in":604801}"#).unwrap_err();
        assert_eq!(longer.field, "expires_old_in");
    }

    #[test]
    fn networks_are_a_list_of_networks() {
        let update = |json: &str| {
            serde_json::from_str::<UpdateApiKey>(json)
                .unwrap()
                .command()
        };
        let some = update(r#"{"allowed_addresses":["10.0.0.0/8","::1"]}"#).unwrap();
        let some = some.allowed_addresses.unwrap();
        let shown: Vec<String> = some.iter().map(|one| one.to_string()).collect();
        assert_eq!(shown, ["10.0.0.0/8", "::1/128"]);
        let none = update(r#"{"allowed_addresses":[]}"#).unwrap();
        assert_eq!(none.allowed_addresses, Some(AllowedAddresses::default()));
        assert_eq!(update("{}").unwrap().allowed_addresses, None);
        let wrong = update(r#"{"allowed_addresses":["10.0.0.1/8"]}"#).unwrap_err();
        assert_eq!(wrong.field, "allowed_addresses[0]");
        let cleared = update(r#"{"allowed_addresses":null}"#).unwrap_err();
        assert_eq!(cleared.field, "allowed_addresses");
    }

    #[test]
    fn an_end_is_set_taken_away_or_kept() {
        let update = |json: &str| {
            serde_json::from_str::<UpdateApiKey>(json)
                .unwrap()
                .command()
        };
        assert_eq!(update("{}").unwrap().expires_at, None);
        let none = update(r#"{"expires_at":null}"#).unwrap();
        assert_eq!(none.expires_at, Some(None));
        let at = "2027-11-21T06:55:00Z";
        let some = update(&format!("{{\"expires_at\":\"{at}\"}}")).unwrap();
        assert_eq!(some.expires_at, Some(Timestamp::parse(at).ok()));
        assert_eq!(
            update(r#"{"expires_at":"soon"}"#).unwrap_err().field,
            "expires_at"
        );
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
