//! The browsable reference, as a person's browser shows it.

use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::service::Service;

#[test]
fn a_browser_shows_the_reference_and_tries_an_operation() {
    let service = Service::start(Launch::new());
    let browser = Programs::of("scorm_player");
    let looked = node::output(
        browser
            .command("reference.mjs", &service.traces)
            .args([&service.process.url(), &service.key]),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report: Value = serde_json::from_slice(&looked.stdout)
        .unwrap_or_else(|error| panic!("{error}: {complaint}"));

    for empty in ["errors", "outside", "refused", "violations", "complaints"] {
        assert_eq!(report[empty], json!([]), "{empty}: {report:#}");
    }
    assert_eq!(report["status"], 200, "{report:#}");
    let operations = lyceum_api::routes::all().len();
    let shown = report["operations"].as_u64().unwrap();
    assert!(shown >= u64::try_from(operations).unwrap(), "{report:#}");
    assert_eq!(
        report["schemes"],
        json!(["apiKey", "platformCode", "platformUuid"])
    );
    assert_eq!(report["tried_status"], "200", "{report:#}");
    assert_eq!(report["tried_body"]["object"], "identity", "{report:#}");
}
