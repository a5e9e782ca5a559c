//! Media types of files.

use serde_json::{Value, json};

use crate::http::speech;

/// What is heard of work that goes on.
const PROGRESS: &str = "event: progress\ndata: {…}\n\nevent: done\ndata: {…}\n\n";

/// A file, as generators know one: text, or bytes.
pub fn of_file(media_type: &str) -> Value {
    if media_type == speech::MEDIA_TYPE {
        return speech::media(PROGRESS);
    }
    if media_type.starts_with("text/") {
        return json!({ "schema": { "type": "string" } });
    }
    json!({ "schema": { "type": "string", "format": "binary" } })
}
