//! Addresses, and what is said to browsers.

use actix_web::http::Method;
use actix_web::http::header;
use actix_web::{HttpResponse, web};

use super::*;
use crate::POLICY;
use crate::book::BOOK;
use crate::links::address;

#[test]
fn every_page_of_the_summary_is_there() {
    assert!(BOOK.pages.len() > 50, "{}", BOOK.pages.len());
    for text in &BOOK.pages {
        let response = get(&address(text.name));
        assert_eq!(response.status(), StatusCode::OK, "{}", text.name);
        let kind = value(&response, header::CONTENT_TYPE);
        assert_eq!(kind, "text/html; charset=utf-8");
    }
}

#[test]
fn the_contents_list_all_parts_and_pages_and_have_a_search_field() {
    let page = page("/docs/guides");
    for text in &BOOK.pages {
        let link = format!("<a href=\"{}\">", address(text.name));
        assert!(page.contains(&link), "{}", text.name);
    }
    for part in ["For teachers", "For operators", "Decisions"] {
        assert!(page.contains(&format!(">{part}<")), "{part}");
    }
    assert!(!page.contains(">Summary<"), "the summary's own heading");
    let form = "<form class=\"search\" role=\"search\" action=\"/docs/guides\">";
    assert!(page.contains(form));
    assert!(page.contains("name=\"q\" type=\"search\" maxlength=\"200\""));
}

#[test]
fn a_slash_at_the_end_leads_to_the_contents_with_what_is_looked_for() {
    for (from, to) in [
        ("/docs/guides/", "/docs/guides"),
        ("/docs/guides/?q=a%20key", "/docs/guides?q=a%20key"),
    ] {
        let led = get(from);
        assert_eq!(led.status(), StatusCode::PERMANENT_REDIRECT);
        assert_eq!(value(&led, header::LOCATION), to);
        assert_eq!(value(&led, header::CONTENT_SECURITY_POLICY), POLICY);
    }
}

#[test]
fn a_page_that_is_not_there_says_so_with_the_search_field() {
    for path in [
        "/docs/guides/nothing",
        "/docs/guides/api/more",
        "/docs/guides/..%2FCargo.toml",
        "/docs/guides/SUMMARY",
        "/docs/guides/%3Cscript%3E",
        "/docs/guides/api.md",
    ] {
        let response = get(path);
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(value(&response, header::CONTENT_SECURITY_POLICY), POLICY);
        let page = body(response);
        assert!(page.contains("<h1>There is no such page</h1>"), "{path}");
        assert!(page.contains("role=\"search\""), "{path}");
        assert!(!page.contains("script"), "{path}");
    }
    assert_eq!(get("/docs/guidesx").status(), StatusCode::NOT_FOUND);
}

#[test]
fn every_answer_says_what_browsers_may_do() {
    for path in [
        "/docs/guides",
        "/docs/guides/",
        "/docs/guides?q=key",
        "/docs/guides/api",
        "/docs/guides/guides.css",
        "/docs/guides/nothing",
    ] {
        let response = get(path);
        let policy = value(&response, header::CONTENT_SECURITY_POLICY);
        assert_eq!(
            policy,
            "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; \
             form-action 'self'; frame-ancestors 'none'"
        );
        assert_eq!(value(&response, header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(value(&response, header::REFERRER_POLICY), "no-referrer");
        assert_eq!(value(&response, header::CACHE_CONTROL), "no-cache");
    }
}

#[test]
fn who_has_a_page_is_told_so() {
    for path in [
        "/docs/guides",
        "/docs/guides/api",
        "/docs/guides?q=key",
        "/docs/guides/guides.css",
    ] {
        let tag = value(&get(path), header::ETAG);
        let again = |list: String| {
            let request = TestRequest::get().uri(path);
            asked(request.insert_header((header::IF_NONE_MATCH, list)))
        };
        for list in [tag.clone(), format!("\"other\", {tag}"), "*".to_owned()] {
            let response = again(list);
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{path}");
            assert_eq!(value(&response, header::ETAG), tag);
            assert_eq!(value(&response, header::CONTENT_SECURITY_POLICY), POLICY);
        }
        assert_eq!(again("\"other\"".to_owned()).status(), StatusCode::OK);
    }
    let tags = ["/docs/guides/api", "/docs/guides/ai"].map(|path| value(&get(path), header::ETAG));
    assert_ne!(tags[0], tags[1]);
}

#[test]
fn asking_for_the_head_is_asking_and_nothing_can_be_written() {
    for path in [
        "/docs/guides",
        "/docs/guides?q=key",
        "/docs/guides/api",
        "/docs/guides/guides.css",
    ] {
        let head = asked(TestRequest::default().method(Method::HEAD).uri(path));
        assert_eq!(head.status(), StatusCode::OK, "{path}");
        assert_eq!(
            value(&head, header::ETAG),
            value(&get(path), header::ETAG),
            "{path}"
        );
        let written = asked(TestRequest::post().uri(path));
        assert!(written.status().is_client_error(), "{path}");
    }
}

#[test]
fn the_reference_behind_it_keeps_its_own_files() {
    let reference = || async { HttpResponse::Ok().body("the reference") };
    let ask = |path: &str| {
        let request = TestRequest::get().uri(path).to_request();
        let response = rt::System::new().block_on(async {
            let app = App::new()
                .configure(configure)
                .route("/docs/{file}", web::get().to(reference));
            call_service(&init_service(app).await, request).await
        });
        body(response)
    };
    assert!(ask("/docs/guides").contains("<h1>The handbook</h1>"));
    assert_eq!(ask("/docs/reference.css"), "the reference");
}
