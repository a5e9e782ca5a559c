//! Headers that requests and answers may carry, said once and referred to.

use serde_json::{Value, json};

fn header(description: &str, schema: &Value) -> Value {
    json!({ "description": description, "schema": schema })
}

/// Every header of an answer.
pub fn components() -> Value {
    let text = json!({ "type": "string" });
    let yes = json!({ "type": "string", "enum": ["true"] });
    let count = json!({ "type": "integer", "format": "int64", "minimum": 0 });
    let seconds = json!({ "type": "integer", "minimum": 0 });
    json!({
        "Request-Id": header("Identifies the request; the same as `error.request_id`.", &json!({ "type": "string", "pattern": "^req_[0-9a-hjkmnp-tv-z]{26}$" })),
        "ETag": header("Strong entity tag of the answer, for `If-Match` and `If-None-Match`.", &text),
        "Location": header("Where the thing is.", &json!({ "type": "string", "format": "uri-reference" })),
        "Retry-After": header("Seconds to wait before asking again.", &seconds),
        "Idempotent-Replayed": header("The answer was given before, to the same idempotency key.", &yes),
        "X-Ignored-Fields": header("Members of the body that were not known, separated by commas.", &text),
        "X-Notice": header("What to know of what was just set, in a word: with `unmeasured_grades_go_out`, grades of AI go out that nobody has held against a person's.", &text),
        "WWW-Authenticate": header("How to authenticate.", &text),
        "Tus-Resumable": header("The version of tus that is spoken.", &json!({ "type": "string", "enum": ["1.0.0"] })),
        "Upload-Offset": header("How many bytes of the upload came: where the next belongs.", &count),
        "Upload-Length": header("How many bytes the file has.", &count),
        "Upload-Expires": header("When what came of the upload is forgotten.", &text),
        "Content-Location": header("The file of the media library that it has become, once all of it came.", &json!({ "type": "string", "format": "uri-reference" })),
        "RateLimit": header("What is left of the limit that is nearest, as a structured field.", &text),
        "RateLimit-Policy": header("The limits that count, as a structured field.", &text),
    })
}

/// Every header of a request that is not about who is asking.
pub fn parameters() -> Value {
    let optional = |name: &str, description: &str, schema: Value| json!({ "name": name, "in": "header", "required": false, "description": description, "schema": schema });
    json!({
        "IdempotencyKey": optional(
            "Idempotency-Key",
            "The same key with the same request gives the first answer again and no second effect, for 24 hours.",
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" }),
        ),
        "IfMatch": optional(
            "If-Match",
            "Entity tags; the request is refused with 412 when the thing has none of them any more.",
            json!({ "type": "string" }),
        ),
        "IfNoneMatch": optional(
            "If-None-Match",
            "Entity tags; the answer is 304 when the thing still has one of them.",
            json!({ "type": "string" }),
        ),
        "TusResumable": optional(
            "Tus-Resumable",
            "The version of tus that the caller speaks.",
            json!({ "type": "string", "enum": ["1.0.0"] }),
        ),
        "UploadLength": optional(
            "Upload-Length",
            "How many bytes the file has; the same as `size_bytes`.",
            json!({ "type": "integer", "format": "int64", "minimum": 1 }),
        ),
        "UploadMetadata": optional(
            "Upload-Metadata",
            "What is said of the file: pairs of a member's name and its text in Base64, separated by commas; `filename` is `file_name`.",
            json!({ "type": "string" }),
        ),
        "UploadOffset": json!({
            "name": "Upload-Offset", "in": "header", "required": true,
            "description": "Where the first byte belongs that is sent: how many came before it.",
            "schema": { "type": "integer", "format": "int64", "minimum": 0 },
        }),
        "Prefer": optional(
            "Prefer",
            "`handling=strict` refuses members of the body that are not known, instead of ignoring them.",
            json!({ "type": "string" }),
        ),
    })
}

/// A reference to a header of an answer.
pub fn of_answer(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// A reference to a header of a request.
pub fn of_request(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}
