//! The handbook in the binary, beside the reference and Studio.

use reqwest::StatusCode;
use support::binary::Launch;

use crate::service::Service;

async fn page(service: &Service, path: &str) -> (StatusCode, String) {
    let url = format!("{}{path}", service.process.url());
    let answer = reqwest::get(url).await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_runs_the_binary_reads_and_searches_its_handbook_without_a_key() {
    drop(rustls::crypto::ring::default_provider().install_default());
    let service = Service::start(Launch::new());
    for (path, words) in [
        ("/docs/guides", "The API"),
        ("/docs/guides/grades", "How grades are reckoned"),
        ("/docs/guides?q=time_to_feedback", "What a task tells"),
        // The reference and Studio are where they were.
        ("/docs", "/v1/openapi.json"),
        ("/docs", "<a href=\"/docs/guides\">Handbook</a>"),
        ("/docs/createCourse", "<h1>Create a course</h1>"),
        ("/studio", "<title>"),
    ] {
        let (status, text) = page(&service, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(text.contains(words), "{path}: {text}");
    }
    let (status, text) = page(&service, "/docs/guides/nothing").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{text}");
    assert!(service.process.stdout().contains("/docs/guides"));
}
