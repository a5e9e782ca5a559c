//! The samples in Rust, compiled and called: each asks for the operation whose page it is on. What is compiled is what is shown, as a
//! test in `src/tests/samples.rs` sees to.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and samples show what was answered"
)]

mod written {
    //! All of them, as `UPDATE_SAMPLES=1` writes them.

    #![allow(
        unused_variables,
        clippy::let_unit_value,
        clippy::needless_raw_string_hashes,
        clippy::items_after_statements,
        clippy::unreadable_literal,
        reason = "whoever takes one goes on with what was answered"
    )]

    use std::error::Error;
    use std::future::Future;
    use std::pin::Pin;

    use lyceum_client::Client;

    pub type Asked = Pin<Box<dyn Future<Output = Result<(), Box<dyn Error>>>>>;

    pub type Ask = fn(Client) -> Asked;

    include!("rust_samples/written.in");
}

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lyceum_client::{Client, ClientSettings, Platform};
use serde_json::Value;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

const DOCUMENT: &str = include_str!("../../../docs/openapi.json");

/// Method and path of every operation, with what stands in braces as it is in the document.
fn documented() -> BTreeMap<String, (String, String)> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let mut documented = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            documented.insert(id, (method.to_uppercase(), path.clone()));
        }
    }
    documented
}

fn suits(path: &str, pattern: &str) -> bool {
    let (path, pattern): (Vec<_>, Vec<_>) =
        (path.split('/').collect(), pattern.split('/').collect());
    let alike = |(one, wanted): (&&str, &&str)| wanted.starts_with('{') || one == wanted;
    path.len() == pattern.len() && path.iter().zip(&pattern).all(alike)
}

#[tokio::test]
async fn each_asks_for_the_operation_whose_page_it_is_on() {
    // What samples send along.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for file in ["picture.png", "film.mp4"] {
        fs::write(folder.join(file), "bytes").unwrap();
    }
    std::env::set_current_dir(folder).unwrap();
    let server = MockServer::start().await;
    let documented = documented();
    for (operation, ask) in written::ALL {
        server.reset().await;
        let refusal = Mock::given(any()).respond_with(ResponseTemplate::new(404));
        refusal.mount(&server).await;
        let mut settings = ClientSettings::new(server.uri(), "lyc_kx");
        settings.platform = Platform::Code("main".to_owned());
        let refused = ask(Client::new(settings).unwrap()).await;
        let asked = server.received_requests().await.unwrap();
        let asked = asked
            .last()
            .unwrap_or_else(|| panic!("{operation}: {refused:?}"));
        let (method, path) = &documented[*operation];
        assert_eq!(asked.method.as_str(), method, "{operation}");
        assert!(suits(asked.url.path(), path), "{operation}: {}", asked.url);
        assert!(
            !asked.url.path().contains("%7B"),
            "{operation}: {}",
            asked.url
        );
    }
}
