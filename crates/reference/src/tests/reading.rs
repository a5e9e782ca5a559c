//! What a page says of an operation, a message, a schema.

use serde_json::{Value, json};

use super::*;

#[test]
fn an_operation_says_what_it_takes_and_answers() {
    let page = page("/docs/createCourse");
    for said in [
        "<h1>Create a course</h1>",
        "<b class=\"method post\">POST</b> <code>/v1/courses</code>",
        "A key or session with <code class=\"scope\">write:courses</code>, on a platform.",
        "<code class=\"name\">Idempotency-Key</code>",
        "<code class=\"name\">name</code> <span class=\"kind\">string</span> <span class=\"must\">required</span>",
        "1 to 255 characters",
        "<code class=\"name\">hours</code> <span class=\"kind\">integer or null</span>",
        "1 to 1000",
        "<b class=\"status\">201</b>",
        "<b class=\"status\">409</b>",
        "<summary>Answer 201</summary>",
        "data-write",
    ] {
        assert!(page.contains(said), "{said}");
    }
    // What must be there comes first.
    let place = |name: &str| page.find(&format!("<code class=\"name\">{name}</code>"));
    assert!(place("language") < place("ai"));
}

#[test]
fn every_error_of_an_operation_is_there_with_its_codes() {
    let page = page("/docs/retrieveCourse");
    assert!(page.contains("<code>resource_missing</code> There is no such course."));
}

#[test]
fn scopes_of_which_one_is_enough_are_said_so() {
    let page = page("/docs/listTrash");
    assert!(page.contains(
        "A key or session with <code class=\"scope\">read:courses</code> or <code class=\"scope\">read:students</code> or \
         <code class=\"scope\">read:submissions</code>, on a platform."
    ));
    assert!(super::page("/docs/healthz").contains("Nobody has to say who they are."));
}

#[test]
fn unions_say_by_which_word_they_are_told_apart() {
    let page = page("/docs/SubmissionContent");
    assert!(page.contains("One of these, told apart by <code>type</code>:"));
    for word in ["text", "url"] {
        assert!(
            page.contains(&format!(
                "<code class=\"name\">{word}</code> <span class=\"kind\">"
            )),
            "{word}"
        );
    }
}

#[test]
fn messages_are_there_by_their_type() {
    let list = page("/docs/webhooks");
    assert!(list.contains("<a href=\"/docs/onCourseCreated\">A course was made.</a>"));
    let message = page("/docs/onCourseCreated");
    for said in [
        "<code>course.created</code>",
        "webhook-signature",
        "What your endpoint answers",
    ] {
        assert!(message.contains(said), "{said}");
    }
    assert!(
        !message.contains("class=\"try\""),
        "nobody asks for a message"
    );
}

#[test]
fn the_contents_lead_to_every_group_and_operation() {
    let page = page("/docs");
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    for tag in document["tags"].as_array().unwrap() {
        let link = format!("href=\"/docs/{}\"", tag["name"].as_str().unwrap());
        assert!(page.contains(&link), "{link}");
    }
    let paths = document["paths"].as_object().unwrap();
    for operation in paths
        .values()
        .flat_map(|path| path.as_object().unwrap().values())
    {
        let link = format!(
            "href=\"/docs/{}\"",
            operation["operationId"].as_str().unwrap()
        );
        assert!(page.contains(&link), "{link}");
    }
}

#[test]
fn a_document_is_text_and_nothing_in_it_acts() {
    let evil = "<img src=x onerror=alert(1)>\"'";
    let reference = Reference::of(json!({
        "info": { "title": evil, "version": evil, "description": evil },
        "tags": [{ "name": "evil" }],
        "paths": { "/v1/<b>": { "post": {
            "operationId": "evil_one", "tags": ["evil"], "summary": evil, "description": evil, "security": [{ "apiKey": [evil] }],
            "parameters": [{ "name": evil, "in": "query", "description": evil, "example": evil, "schema": { "enum": [evil], "type": "string" } }],
            "requestBody": { "content": { "application/json": { "example": { evil: evil }, "schema": {
                "type": "object", "properties": { evil: { "type": "string", "description": evil, "pattern": evil, "example": evil } }
            } } } },
            "responses": { "200": { "description": evil, "headers": { evil: { "description": evil } }, "content": { "application/json": { "example": evil, "schema": { "$ref": "#/components/schemas/Evil" } } } } }
        } } },
        "components": { "schemas": { "Evil": { "description": evil, "type": evil } } }
    }));
    let request = TestRequest::get().to_http_request();
    let mut pages = vec![reference.start(&request)];
    pages.extend(["evil", "evil_one", "Evil"].map(|name| reference.page(&request, name).unwrap()));
    pages.push(
        reference.start(&TestRequest::with_uri("/docs?q=%3Cimg%20src%3Dx%3E").to_http_request()),
    );
    for page in pages {
        let html = rt::System::new().block_on(to_bytes(page.into_body()));
        let html = String::from_utf8(html.map_err(drop).unwrap().to_vec()).unwrap();
        assert!(
            !html.contains("<img") && !html.contains("/v1/<b>"),
            "{html}"
        );
    }
}

#[test]
fn a_schema_that_is_in_itself_ends() {
    let own = json!({ "type": "object", "properties": { "below": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } } } });
    let reference = Reference::of(json!({ "components": { "schemas": {
        "Tree": own, "Same": { "$ref": "#/components/schemas/Same" }
    } } }));
    let request = TestRequest::get().to_http_request();
    for name in ["Tree", "Same"] {
        assert!(reference.page(&request, name).is_some());
    }
}
