//! Who acted, on the wire.

use lyceum_domain::identity::actors::{ActedBy, ActorKind};
use lyceum_domain::identity::users::{User, UserKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActorView {
    /// `person`, `service` for a program with an account of its own, `agent` for AI and the built-in engine, `system` for the service itself.
    #[serde(rename = "type")]
    #[schema(schema_with = shapes::word::<ActorKind>)]
    pub kind: String,
    /// The member (`usr_…`), where it was one; null for learners who ask, and of everybody else.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub id: Option<String>,
    /// What they are called now: of AI the model, of whoever was erased their pseudonym; null where nobody said, and of who is no member any more.
    #[schema(required)]
    pub name: Option<String>,
}

impl ActorView {
    /// Somebody whose name is still to be looked up, if they are a member.
    pub fn unnamed(by: &ActedBy) -> Self {
        let name = match by {
            ActedBy::Agent(model) => model.clone(),
            ActedBy::Person(_) | ActedBy::Service(_) | ActedBy::System => None,
        };
        Self {
            kind: by.kind().to_string(),
            id: by.user_id().map(|id| id.to_string()),
            name,
        }
    }

    /// Of which sort somebody is, and no more.
    pub(crate) fn anonymous(kind: ActorKind) -> Self {
        Self {
            kind: kind.to_string(),
            id: None,
            name: None,
        }
    }
}

/// What names somebody, once it is known what they are called.
pub trait Named {
    /// The member whose name is to be looked up.
    fn member(&self) -> Option<&str>;

    /// Takes the name.
    fn name(&mut self, user: &User);
}

impl Named for ActorView {
    fn member(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn name(&mut self, user: &User) {
        self.name = user.name.as_ref().map(ToString::to_string);
        // What stands for somebody who was erased is a person, whatever was erased.
        if !user.is_erased() {
            let kind = match user.kind {
                UserKind::Person => ActorKind::Person,
                UserKind::Service => ActorKind::Service,
            };
            self.kind = kind.to_string();
        }
    }
}
