//! Passkeys on the wire. What goes to a device and what comes from it has the JSON form of the standard
//! (<https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON>).

use lyceum_domain::identity::passkeys::Passkey;
use lyceum_domain::text::Name;
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource, not_cleared};
use crate::declared::view;
use crate::patch::Patch;
use crate::shapes;

/// What a passkey is called when nobody says.
const DEFAULT_NAME: &str = "Passkey";

view! {
    /// A passkey of the caller's.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct PasskeyView {
        /// `psk_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Passkey>)]
        pub id: String = passkey.id.to_string(),
        /// Always `passkey`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Passkey>)]
        pub object: String = "passkey".to_owned(),
        /// What you call it.
        pub name: String = passkey.name.to_string(),
        /// The one workspace that it opens, where it was made in a session that opens no more.
        #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Workspace>, required)]
        pub workspace_id: Option<String> = passkey.workspace_id.map(|id| id.to_string()),
        /// When somebody last signed in by it.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub last_used_at: Option<String> = passkey.last_used_at.as_ref().map(ToString::to_string),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = passkey.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = passkey.stamp.updated_at.to_string(),
    }

    /// Of a passkey.
    pub fn new(passkey: &Passkey);
}

impl Resource for PasskeyView {
    const COLLECTION: &'static str = "passkeys";

    fn id(&self) -> &str {
        &self.id
    }
}

view! {
    /// What a browser is to ask a device for.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct PasskeyQuestionView {
        /// Always `passkey_question`.
        pub object: String = "passkey_question".to_owned(),
        /// For `navigator.credentials.create` or `.get`, in the JSON form of the standard.
        pub options: FreeObject = FreeObject(options),
        /// When it is given up. The answer is taken from the browser alone that asked.
        #[schema(schema_with = shapes::moment)]
        pub expires_at: String = until.to_string(),
        /// On its way to the cookie; no answer has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(ignore)]
        pub cookie: Option<String> = Some(held.to_owned()),
    }

    /// Of these options, for the browser that holds this.
    pub fn new(options: Map<String, Value>, until: Timestamp, held: &str);
}

/// What a device made, for who signed in a short while ago.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreatePasskey {
    /// What you call it; `Passkey` when absent.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Ada's phone"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The answer of `navigator.credentials.create`, by its `toJSON()`.
    pub credential: FreeObject,
}

/// A passkey to be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct NewPasskey {
    /// What it is to be called.
    pub name: Name,
    /// What the device answered.
    pub answer: Value,
}

impl Command for CreatePasskey {
    type Of = NewPasskey;

    fn command(self) -> Result<NewPasskey, Invalid> {
        let name = self.name.unwrap_or_else(|| DEFAULT_NAME.to_owned());
        Ok(NewPasskey {
            name: Name::parse(name).at("name")?,
            answer: Value::Object(self.credential.0),
        })
    }
}

/// A change of a passkey.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdatePasskey {
    /// Another name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
}

/// What is to change of a passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyChanges {
    /// What it is to be called.
    pub name: Option<Name>,
}

impl Command for UpdatePasskey {
    type Of = PasskeyChanges;

    fn command(self) -> Result<PasskeyChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(PasskeyChanges {
            name: name.map(Name::parse).transpose().at("name")?,
        })
    }
}

/// The answer of a device by which somebody signs in. No `Debug`: it lets in.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct SignInByPasskey {
    /// The answer of `navigator.credentials.get`, by its `toJSON()`.
    pub credential: FreeObject,
}

/// What a device answered.
#[derive(Clone, PartialEq)]
pub struct PasskeyAnswer(pub Value);

impl Command for SignInByPasskey {
    type Of = PasskeyAnswer;

    fn command(self) -> Result<PasskeyAnswer, Invalid> {
        Ok(PasskeyAnswer(Value::Object(self.credential.0)))
    }
}
