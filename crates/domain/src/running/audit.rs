//! The audit trail: who changed a grade, a key, a membership or a setting, when, and from what to what.
//!
//! An entry names things and people by their ids alone and carries no text that a person wrote: so it can be kept
//! for ever, also after a person was erased, and needs never be changed.

use serde_json::Value;

use crate::id::Identified;
use crate::identity::actors::ActedBy;
use crate::ids::{ApiKeyId, AuditEntryId, UserId, WorkspaceId};
use crate::json::JsonObject;
use crate::words::words;
use crate::{Id, Timestamp};

words!(
    /// What is kept in the audit trail.
    AuditAction {
        /// A grade was proposed, given or confirmed.
        GradeChanged = "grade.changed",
        /// Somebody let a regrade land.
        BatchCommitted = "batch.committed",
        /// Somebody had what stood before a regrade put back.
        BatchUndone = "batch.undone",
        /// Something was deleted: it is in the trash, with all that hung on it.
        ObjectDeleted = "object.deleted",
        /// Something came back from the trash.
        ObjectRestored = "object.restored",
        /// Something in the trash was destroyed.
        ObjectDestroyed = "object.destroyed",
        /// What waited to go live of a course was thrown away.
        DraftDiscarded = "draft.discarded",
        /// How an assignment is graded changed.
        AssignmentUpdated = "assignment.updated",
        /// What AI may do in a course, and how, changed.
        AiSettingsUpdated = "ai_settings.updated",
        /// An API key was made.
        KeyCreated = "key.created",
        /// An API key was renamed.
        KeyUpdated = "key.updated",
        /// An API key was revoked.
        KeyRevoked = "key.revoked",
        /// An API key was deleted.
        KeyDeleted = "key.deleted",
        /// A session key was handed out, or a person signed in.
        SessionStarted = "session.started",
        /// A person's session in a browser was ended.
        SessionEnded = "session.ended",
        /// A person became a member.
        MemberAdded = "member.added",
        /// What is known of a member changed.
        MemberUpdated = "member.updated",
        /// A member got another role.
        MemberRoleChanged = "member.role_changed",
        /// A person has another passkey.
        PasskeyAdded = "passkey.added",
        /// A person removed a passkey.
        PasskeyRemoved = "passkey.removed",
        /// A member was sent an invitation, or it was shown to whoever invites.
        MemberInvited = "member.invited",
        /// A member accepted: their own keys open the workspace since.
        MemberAccepted = "member.accepted",
        /// A member left: their own keys open the workspace no more.
        MemberLeft = "member.left",
        /// A directory ended what a member may: their keys and sessions open nothing, and their work stays.
        MemberSuspended = "member.suspended",
        /// A directory let a member in again.
        MemberReinstated = "member.reinstated",
        /// Those who run the workspace ended a member's sessions.
        MemberSessionsEnded = "member.sessions_ended",
        /// A membership ended.
        MemberRemoved = "member.removed",
        /// The workspace was made.
        WorkspaceCreated = "workspace.created",
        /// The workspace changed.
        WorkspaceUpdated = "workspace.updated",
        /// A connection to an identity provider was made.
        SsoConnectionCreated = "sso_connection.created",
        /// A connection to an identity provider changed.
        SsoConnectionUpdated = "sso_connection.updated",
        /// A connection to an identity provider was deleted.
        SsoConnectionDeleted = "sso_connection.deleted",
        /// Somebody at the provider is this member since.
        SsoLinked = "sso_connection.linked",
        /// Somebody came back from the provider and was not let in.
        SsoRefused = "sso_connection.refused",
        /// A webhook endpoint was made.
        WebhookCreated = "webhook.created",
        /// A webhook endpoint changed.
        WebhookUpdated = "webhook.updated",
        /// A webhook endpoint was deleted.
        WebhookDeleted = "webhook.deleted",
        /// A webhook endpoint got another secret.
        WebhookSecretRotated = "webhook.secret_rotated",
        /// All that is kept of a person was handed out.
        UserExported = "user.exported",
        /// A person was erased.
        UserErased = "user.erased",
    }
);

/// Who did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditActor {
    /// A member, with a key.
    User {
        /// Who.
        user_id: UserId,
        /// With which key.
        api_key_id: ApiKeyId,
    },
    /// A service account, with a key.
    Service {
        /// Which.
        user_id: UserId,
        /// With which key.
        api_key_id: ApiKeyId,
    },
    /// Whoever holds a one-time token or a launch key: nobody was known yet.
    Visitor,
    /// The service itself, in the background or at its first start.
    System,
}

impl AuditActor {
    /// As who acts is named everywhere.
    pub const fn acted(self) -> ActedBy {
        match self {
            Self::User { user_id, .. } => ActedBy::Person(Some(user_id)),
            Self::Service { user_id, .. } => ActedBy::Service(user_id),
            Self::Visitor => ActedBy::Person(None),
            Self::System => ActedBy::System,
        }
    }

    /// The kind, in a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::User { .. } => "user",
            Self::Service { .. } => "service",
            Self::Visitor => "visitor",
            Self::System => "system",
        }
    }
}

/// What it was done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditSubject {
    /// The kind of thing, such as `submission`.
    pub object: String,
    /// Its id; it may be gone.
    pub id: String,
}

impl AuditSubject {
    /// A thing with an identifier.
    pub fn of<K: Identified>(id: Id<K>) -> Self {
        Self {
            object: K::OBJECT.to_owned(),
            id: id.to_string(),
        }
    }
}

/// What changed: the members that differ, as they were and as they are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditedChange {
    /// As they were; empty where something was made.
    pub old: JsonObject,
    /// As they are; empty where something is gone.
    pub new: JsonObject,
}

impl AuditedChange {
    /// Something that was not there before.
    pub fn made(new: Value) -> Self {
        Self::between(Value::Null, new)
    }

    /// Something that is no longer there.
    pub fn gone(old: Value) -> Self {
        Self::between(old, Value::Null)
    }

    /// The members in which two objects differ; what is no object has none.
    pub fn between(old: Value, new: Value) -> Self {
        let members = |value| {
            if let Value::Object(members) = value {
                members
            } else {
                JsonObject::new()
            }
        };
        let (mut old, mut new) = (members(old), members(new));
        let differs =
            |one: &JsonObject, other: &JsonObject, name: &str| one.get(name) != other.get(name);
        let same: Vec<String> = old
            .keys()
            .filter(|name| !differs(&old, &new, name))
            .cloned()
            .collect();
        for name in same {
            old.remove(&name);
            new.remove(&name);
        }
        Self { old, new }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }
}

/// One entry: never changed, never removed but with its whole workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: AuditEntryId,
    /// When it happened.
    pub created_at: Timestamp,
    /// Who did it.
    pub actor: AuditActor,
    /// In which request; none for the service's own doing.
    pub request_id: Option<String>,
    /// What was done.
    pub action: AuditAction,
    /// To what.
    pub subject: AuditSubject,
    /// From what to what.
    pub change: AuditedChange,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_kept() {
        let change = AuditedChange::between(
            json!({"role": "student", "name": "x", "gone": 1}),
            json!({"role": "teacher", "name": "x", "come": 2}),
        );
        assert_eq!(
            Value::Object(change.old.clone()),
            json!({"role": "student", "gone": 1})
        );
        assert_eq!(
            Value::Object(change.new.clone()),
            json!({"role": "teacher", "come": 2})
        );
        assert!(!change.is_empty());
        let same = AuditedChange::between(json!({"a": 1}), json!({"a": 1}));
        assert!(same.is_empty());
    }

    #[test]
    fn what_was_made_was_nothing_before() {
        let made = AuditedChange::made(json!({"a": 1}));
        assert!(made.old.is_empty());
        assert_eq!(Value::Object(made.new), json!({"a": 1}));
        let gone = AuditedChange::gone(json!({"a": 1}));
        assert!(gone.new.is_empty());
        assert_eq!(Value::Object(gone.old), json!({"a": 1}));
    }
}
