//! Background work, in a real browser: what waits and runs, what failed and is tried again, and how the node says it is.

use serde_json::{Value, json};
use support::binary::Launch;

use crate::console;
use crate::node::{self, Programs};
use crate::service::Service;

fn walked() -> Value {
    let port = console::port_of_the_model();
    let service = Service::start(
        Launch::new()
            .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
            .env("LYCEUM_AI_PROVIDER", "openai")
            .env("LYCEUM_AI_PROFILE", "generic")
            .env("LYCEUM_AI_MODEL", "small")
            .env("LYCEUM_AI_API_KEY", "none")
            .env("LYCEUM_AI_BASE_URL", format!("http://127.0.0.1:{port}/v1"))
            .env("LYCEUM_AI_PRICE_INPUT", "2.50")
            .env("LYCEUM_AI_PRICE_OUTPUT", "10"),
    );
    let inner = console::port_of_the_model();
    let mut command = Programs::of("console").command("background.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key)
            .env("MODEL_PORT", port.to_string())
            .env("INNER_PORT", inner.to_string()),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report = serde_json::from_slice(&looked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[test]
fn whoever_runs_a_workspace_sees_what_failed_and_has_it_tried_again() {
    let report = walked();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["desk", "arabic"] {
        let told = &report[look];
        one_is_tried_again(told, look);
        all_are_tried_again(told);
        what_else_failed_is_seen_to(told);
        the_node_says_how_it_is(told);
    }
    let desk = &report["desk"];
    assert_eq!(desk["empty"], 2, "{desk:#}");
    assert_eq!(desk["tables"], 0, "{desk:#}");
    // What the key may not read is not asked for.
    let unread = "Not shown, because your key may not read it: AI grading, Drafts by AI, SCORM packages, Media files, and Mails of invitations.";
    assert_eq!(desk["little"], json!([unread, false]), "{desk:#}");
}

fn one_is_tried_again(told: &Value, look: &str) {
    assert_eq!(told["failed"], 3, "{told:#}");
    assert_eq!(told["said"], true, "{told:#}");
    let running = json!([["grade_submission"], 1, 1]);
    assert_eq!(told["running"], running, "{told:#}");
    assert_eq!(told["ready"], "ready", "{told:#}");
    assert_eq!(told["idle"], 1, "{told:#}");
    assert_eq!(told["over"], true, "{told:#}");
    // Neither what was pressed nor what is asked for anew takes the focus away.
    let row = json!(["A", format!("Cook {look} 0")]);
    assert_eq!(told["focus"], row, "{told:#}");
    assert_eq!(told["focus_stays"], true, "{told:#}");
}

fn all_are_tried_again(told: &Value) {
    assert_eq!(told["all"], json!(["ready", "ready"]), "{told:#}");
    // What somebody else has seen to meanwhile is not paid for twice, and said to be so.
    assert_eq!(told["settled"], 1, "{told:#}");
    assert_eq!(told["grades"], 1, "{told:#}");
    assert_eq!(told["sums"], json!([1, 1, 0]), "{told:#}");
    assert_eq!(told["closed"], "H3", "{told:#}");
}

fn what_else_failed_is_seen_to(told: &Value) {
    assert_eq!(told["file"], json!([1, 0]), "{told:#}");
    assert_eq!(told["removed"], json!([1, 0]), "{told:#}");
    let missed = "#/webhooks/…?status=failed";
    assert_eq!(told["message"], missed, "{told:#}");
}

fn the_node_says_how_it_is(told: &Value) {
    let handbook = |place: &str| format!("/docs/guides/operations#{place}");
    let states = json!([
        ["tag good", null],
        ["tag wait", handbook("when-the-disk-is-full")],
        ["tag wait", handbook("when-a-disk-loses-a-byte")],
        ["tag bad", handbook("a-node-is-down")],
    ]);
    assert_eq!(told["node"], states, "{told:#}");
    // The handbook has each of these places.
    assert_eq!(told["places"], json!([true, true, true]), "{told:#}");
    assert_eq!(told["version"], true, "{told:#}");
}
