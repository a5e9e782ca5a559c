//! An endpoint of webhooks in a real browser: made, changed over somebody else's change, told again what it missed, taken away.

use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::service::Service;

fn walked() -> Value {
    let service = Service::start(Launch::new().env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8"));
    let mut command = Programs::of("console").command("endpoints.mjs", &service.traces);
    let walked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key),
    );
    let complaint = String::from_utf8_lossy(&walked.stderr);
    let report = serde_json::from_slice(&walked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[test]
fn admins_change_an_endpoint_send_again_what_it_missed_and_delete_it() {
    let report = walked();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let desk = &report["desk"];
    is_made(desk);
    is_changed(desk);
    is_told_again(desk);
    for look in ["desk", "arabic"] {
        assert_eq!(report[look]["gone"], json!(["#/webhooks", 0]), "{report:#}");
    }
    let asked = json!([
        "Delete “Records <b>”?",
        "It hears of nothing any more. Its secret and the list of what was sent to it go with it, and nobody can bring them back.",
        "Messages on their way that would be lost: 1."
    ]);
    assert_eq!(desk["asked_first"], asked, "{desk:#}");
    let gone = "“Records <b>” is deleted.";
    assert_eq!(desk["gone_said"], gone, "{desk:#}");
    assert_eq!(desk["reader"], 0, "{desk:#}");
}

fn is_made(desk: &Value) {
    let address = json!(["Give it an address that begins with https://.", "url"]);
    assert_eq!(desk["no_address"], address, "{desk:#}");
    assert_eq!(desk["no_event"], "Choose at least one event.", "{desk:#}");
    // Who has a family chosen chooses none of its kinds.
    assert_eq!(desk["in_family"], 6, "{desk:#}");
    let made = json!(["Records <b>", ["course.*", "unit.created"]]);
    assert_eq!(desk["made"], made, "{desk:#}");
}

fn is_changed(desk: &Value) {
    let stands = json!(["course all", "unit 1 of 4"]);
    assert_eq!(desk["stands"], stands, "{desk:#}");
    let overtaken = "Somebody has changed it meanwhile. There now: Records <b> /hooks; events: course.*, lesson.created. Save again to put yours over it.";
    assert_eq!(desk["overtaken"], overtaken, "{desk:#}");
    let said = "The endpoint is changed.";
    assert_eq!(desk["changed_said"], said, "{desk:#}");
    let changed = json!(["Archive", ["course.*", "unit.created"], "Archive"]);
    assert_eq!(desk["changed"], changed, "{desk:#}");
    assert_eq!(desk["hears_all"], json!(["*"]), "{desk:#}");
}

fn is_told_again(desk: &Value) {
    let of_type = json!([["course.created"], true]);
    assert_eq!(desk["of_type"], of_type, "{desk:#}");
    let too_early = json!(["Choose a moment of the last 30 days.", "since"]);
    assert_eq!(desk["too_early"], too_early, "{desk:#}");
    assert_eq!(desk["recovered"], true, "{desk:#}");
    let states = json!([
        ["Being sent again", "Sent again so far: 1,000."],
        ["Stopped", "Sent again so far: 2,000."],
        [
            "Not all is sent again",
            "Sent again so far: 2,000. The service cannot be reached. Is it running, and are you online?"
        ],
        ["All is sent again", "Sent again so far: 3,234."]
    ]);
    assert_eq!(desk["states"], states, "{desk:#}");
    // Four requests of one moment: what was stopped goes on where it was.
    assert_eq!(desk["asked"], json!([4, 1]), "{desk:#}");
}
