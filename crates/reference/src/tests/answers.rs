//! Addresses, and what is said to browsers.

use std::collections::BTreeSet;

use actix_web::http::header;

use super::*;

const SOME: [&str; 7] = [
    "/docs",
    "/docs?q=course",
    "/docs/courses",
    "/docs/createCourse",
    "/docs/webhooks",
    "/docs/CourseView",
    "/docs/reference.js",
];

#[test]
fn no_two_pages_have_one_name() {
    let pages = REFERENCE.pages();
    let names: BTreeSet<&str> = pages.iter().map(String::as_str).collect();
    assert_eq!(names.len(), pages.len());
    assert!(pages.len() > 700, "{}", pages.len());
    // What is mounted beside it, and its own files.
    for taken in ["guides", "reference.css", "reference.js"] {
        assert!(!names.contains(taken), "{taken}");
    }
}

#[test]
fn every_page_is_there_and_light() {
    for name in REFERENCE.pages() {
        let html = page(&format!("/docs/{name}"));
        assert!(html.len() < 200_000, "{name}: {}", html.len());
    }
    let contents = page("/docs");
    assert!(contents.len() < 100_000, "{}", contents.len());
    let script = page("/docs/reference.js");
    assert!(script.len() < 16_000, "{}", script.len());
    let sheet = page("/docs/reference.css");
    assert!(sheet.len() < 14_000, "{}", sheet.len());
}

#[test]
fn every_link_leads_somewhere() {
    let pages: BTreeSet<String> = REFERENCE.pages().into_iter().collect();
    let files = ["reference.css", "reference.js"];
    let mut looked_at = BTreeSet::new();
    for name in pages
        .iter()
        .map(|name| format!("/docs/{name}"))
        .chain(["/docs".to_owned()])
    {
        let html = page(&name);
        for attribute in [" href=\"", " src=\""] {
            looked_at.extend(between(&html, attribute, "\"").map(str::to_owned));
        }
    }
    for link in looked_at {
        let elsewhere = ["/docs", "/v1/openapi.json", "#text"];
        let name = link.strip_prefix("/docs/").unwrap_or_default();
        let is_there =
            elsewhere.contains(&link.as_str()) || pages.contains(name) || files.contains(&name);
        assert!(is_there, "{link}");
    }
}

#[test]
fn what_is_mounted_beside_it_is_linked_to() {
    let asked = |path: &'static str| {
        rt::System::new().block_on(async {
            let there = || async { HttpResponse::Ok().finish() };
            let app = App::new()
                .service(web::scope("/docs/guides").route("", web::get().to(there)))
                .service(web::scope("/studio").route("", web::get().to(there)))
                .service(
                    web::scope("/docs")
                        .route("", web::get().to(start))
                        .route("/{name}", web::get().to(named)),
                );
            let app = init_service(app).await;
            let response = call_service(&app, TestRequest::get().uri(path).to_request()).await;
            let body = to_bytes(response.into_body()).await;
            String::from_utf8(body.map_err(drop).unwrap().to_vec()).unwrap()
        })
    };
    for path in ["/docs", "/docs/courses"] {
        let html = asked(path);
        for link in [
            "<a href=\"/studio\">Studio</a>",
            "<a href=\"/docs/guides\">Handbook</a>",
        ] {
            assert!(html.contains(link), "{path}");
            assert!(!page(path).contains(link), "{path}");
        }
    }
}

#[test]
fn what_is_not_there_is_no_page() {
    for path in [
        "/docs/nothing",
        "/docs/%3Cscript%3E",
        "/docs/swagger-ui.css",
        "/docs/createCourse.md",
    ] {
        assert_eq!(get(path).status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[test]
fn every_answer_says_what_browsers_may_do() {
    for path in SOME {
        let response = get(path);
        assert_eq!(
            value(&response, header::CONTENT_SECURITY_POLICY),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        );
        assert_eq!(value(&response, header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(value(&response, header::CACHE_CONTROL), "no-cache");
    }
}

#[test]
fn who_has_a_page_is_told_so() {
    for path in SOME {
        let tag = value(&get(path), header::ETAG);
        let again = TestRequest::get()
            .uri(path)
            .insert_header((header::IF_NONE_MATCH, tag.clone()));
        let response = asked(again);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(value(&response, header::ETAG), tag);
    }
}

#[test]
fn nothing_is_inline_and_nothing_comes_from_outside() {
    for name in [
        "/docs",
        "/docs/createCourse",
        "/docs/onCourseCreated",
        "/docs/EventView",
        "/docs?q=a",
    ] {
        let html = page(name);
        for sign in [
            "<style",
            " style=\"",
            "javascript:",
            " onclick",
            " onload",
            "src=\"http",
            "href=\"http",
        ] {
            assert!(!html.contains(sign), "{name}: {sign}");
        }
        assert_eq!(html.matches("<script").count(), 1, "{name}");
        assert!(
            html.contains("<script src=\"/docs/reference.js\" defer></script>"),
            "{name}"
        );
    }
}
