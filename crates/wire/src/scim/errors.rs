//! What SCIM says where it refuses.

use serde_json::{Value, json};

use super::attributes::set;

/// The schema of an error.
const SCHEMA: &str = "urn:ietf:params:scim:api:messages:2.0:Error";

/// Which kind of 400 or 409 it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScimType {
    /// The filter cannot be read, or asks for what is not answered.
    InvalidFilter,
    /// More would be answered than is.
    TooMany,
    /// Somebody has this already.
    Uniqueness,
    /// It is not for who asks to change.
    Mutability,
    /// The body is no such message.
    InvalidSyntax,
    /// The path of a change cannot be read.
    InvalidPath,
    /// The path of a change names nothing.
    NoTarget,
    /// A value is missing, or breaks a rule.
    InvalidValue,
}

impl ScimType {
    const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidFilter => "invalidFilter",
            Self::TooMany => "tooMany",
            Self::Uniqueness => "uniqueness",
            Self::Mutability => "mutability",
            Self::InvalidSyntax => "invalidSyntax",
            Self::InvalidPath => "invalidPath",
            Self::NoTarget => "noTarget",
            Self::InvalidValue => "invalidValue",
        }
    }
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScimError {
    /// HTTP status.
    pub status: u16,
    /// Which kind, where the RFC has a word for it.
    pub scim_type: Option<ScimType>,
    /// For a person.
    pub detail: String,
}

impl ScimError {
    /// A request that cannot be carried out as it is.
    pub fn bad(scim_type: ScimType, detail: impl Into<String>) -> Self {
        Self {
            status: 400,
            scim_type: Some(scim_type),
            detail: detail.into(),
        }
    }

    /// Any other.
    pub fn of(status: u16, detail: impl Into<String>) -> Self {
        Self {
            status,
            scim_type: None,
            detail: detail.into(),
        }
    }

    /// Its body.
    pub fn body(&self) -> Value {
        let mut body = json!({
            "schemas": [SCHEMA], "status": self.status.to_string(), "detail": self.detail,
        });
        if let Some(scim_type) = self.scim_type {
            set(&mut body, "scimType", scim_type.as_str());
        }
        body
    }
}
