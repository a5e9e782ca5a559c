//! The audit trail on the wire.

use lyceum_domain::identity::actors::ActorKind;
use lyceum_domain::identity::users::User;
use lyceum_domain::running::audit::{AuditAction, AuditActor, AuditEntry};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{FreeObject, Resource};
use crate::declared::view;
use crate::identity::actors::{ActorView, Named};
use crate::shapes;

view! {
    /// One change of a grade, a key, a membership or a setting. Entries carry ids and no text that a person wrote; they are
    /// kept for ever and never changed.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct AuditEntryView {
        /// `aud_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::AuditEntry>)]
        pub id: String = entry.id.to_string(),
        /// Always `audit_entry`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::AuditEntry>)]
        pub object: String = "audit_entry".to_owned(),
        /// What was done.
        #[schema(schema_with = shapes::word::<AuditAction>)]
        pub action: String = entry.action.to_string(),
        /// Who did it.
        pub actor: AuditActorView = entry.actor.into(),
        /// The request that did it; null for the service's own doing.
        #[schema(required)]
        pub request_id: Option<String> = entry.request_id.clone(),
        /// What it was done to.
        pub subject: AuditSubjectView = AuditSubjectView {
            object: entry.subject.object.clone(),
            id: entry.subject.id.clone(),
        },
        /// The members that changed, as they were; empty where something was made.
        pub old: FreeObject = FreeObject::from(&entry.change.old),
        /// The members that changed, as they are; empty where something is gone.
        pub new: FreeObject = FreeObject::from(&entry.change.new),
        /// When it happened.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = entry.created_at.to_string(),
        /// The same.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = entry.created_at.to_string(),
    }

    /// Of an entry.
    pub fn new(entry: &AuditEntry);
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditActorView {
    /// `user`, or `service` for a service account; `visitor` for who holds a one-time token or a launch key; `system` for the service itself.
    pub kind: String,
    /// The member, where it was one.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>)]
    pub user_id: Option<String>,
    /// The key they used.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::ApiKey>)]
    pub api_key_id: Option<String>,
    /// The same as everywhere who acts is named: `person`, `service` or `system`; a `visitor` is a person.
    #[serde(rename = "type")]
    #[schema(schema_with = shapes::word::<ActorKind>)]
    pub actor_type: String,
    /// The same as `user_id`.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub id: Option<String>,
    /// What they are called now: of whoever was erased their pseudonym; null where nobody said, and of who is no member any more.
    #[schema(required)]
    pub name: Option<String>,
}

impl Named for AuditActorView {
    fn member(&self) -> Option<&str> {
        self.user_id.as_deref()
    }

    fn name(&mut self, user: &User) {
        self.name = user.name.as_ref().map(ToString::to_string);
    }
}

/// What it was done to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditSubjectView {
    /// The kind of thing, such as `submission`.
    pub object: String,
    /// Its id; it may be gone.
    pub id: String,
}

impl From<AuditActor> for AuditActorView {
    fn from(actor: AuditActor) -> Self {
        let (user_id, api_key_id) = match actor {
            AuditActor::User {
                user_id,
                api_key_id,
            }
            | AuditActor::Service {
                user_id,
                api_key_id,
            } => (Some(user_id.to_string()), Some(api_key_id.to_string())),
            AuditActor::Visitor | AuditActor::System => (None, None),
        };
        let shown = ActorView::unnamed(&actor.acted());
        Self {
            kind: actor.word().to_owned(),
            user_id,
            api_key_id,
            actor_type: shown.kind,
            id: shown.id,
            name: shown.name,
        }
    }
}

impl Resource for AuditEntryView {
    const COLLECTION: &'static str = "audit";

    fn id(&self) -> &str {
        &self.id
    }
}
