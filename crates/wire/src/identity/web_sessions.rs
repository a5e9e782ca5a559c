//! Sessions of people in browsers, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::identity::keys::ApiKey;
use lyceum_domain::ids::WebSessionId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::declared::view;
use crate::shapes;

view! {
    /// A person's session in a browser. It ends when nobody uses it for half a day, and after a week however much it is used.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct WebSessionView {
        /// `ses_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::WebSession>)]
        pub id: String = key.session_id().to_string(),
        /// Always `session`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::WebSession>)]
        pub object: String = "session".to_owned(),
        /// Browser and system, as the browser says.
        #[schema(example = "Firefox on Linux")]
        pub device: String = key.name.to_string(),
        /// By which way its person signed in.
        #[schema(required)]
        pub signed_in_by: Option<String> = key.signed_in.map(|signed_in| signed_in.method.to_string()),
        /// When they did: by a provider, when they did there, and ten minutes before the session began where it does not say.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub signed_in_at: Option<String> = key.signed_in.map(|signed_in| signed_in.at.to_string()),
        /// Whether it is the one that this was asked with.
        pub current: bool = current,
        /// When it ends if nobody uses it any more.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub expires_at: Option<String> = key.expires_at.as_ref().map(ToString::to_string),
        /// When it was last used, to the minute.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub last_used_at: Option<String> = key.last_used_at.as_ref().map(ToString::to_string),
        /// When it began.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = key.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = key.stamp.updated_at.to_string(),
    }

    /// Of the key that it is.
    pub fn new(key: &ApiKey, current: bool);
}

impl Resource for WebSessionView {
    const COLLECTION: &'static str = "sessions";

    fn id(&self) -> &str {
        &self.id
    }
}

/// Which of a member's sessions are to end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndSessions {
    /// `ses_…`: this one; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

impl Command for EndSessions {
    type Of = Option<WebSessionId>;

    fn command(self) -> Result<Self::Of, Invalid> {
        Ok(self.session_id.map(|id| reference(&id)))
    }
}

view! {
    /// How many sessions were ended.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct EndedSessionsView {
        /// Always `ended_sessions`.
        pub object: String = "ended_sessions".to_owned(),
        /// How many.
        pub ended: u64 = ended,
    }

    /// So many.
    pub fn new(ended: u64);
}
