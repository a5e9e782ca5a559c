//! Lessons and activities that are tried before anybody gets them, on the wire.

use lyceum_domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::declared::view;
use crate::shapes;

view! {
    /// Where a lesson, or one of its activities, is played as it is saved.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct PreviewView {
        /// Always `preview`.
        pub object: String = "preview".to_owned(),
        /// The page, for a browser. It takes no key, and there is none in it.
        pub url: String = url,
        /// When it ends.
        #[schema(schema_with = shapes::moment)]
        pub expires_at: String = expires_at.to_string(),
    }

    /// At this address, until then.
    pub fn new(url: String, expires_at: Timestamp);
}
