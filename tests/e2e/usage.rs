//! What AI cost, in a real browser: pictures, table and file as the service has them, calls for one purpose, and what is set beside the budget.

use serde_json::{Value, json};
use support::binary::Launch;

use crate::console;
use crate::node::{self, Programs};
use crate::service::Service;

fn walked() -> Value {
    let port = console::port_of_the_model();
    let service = Service::start(
        Launch::new()
            .env("LYCEUM_AI_PROVIDER", "openai")
            .env("LYCEUM_AI_PROFILE", "generic")
            .env("LYCEUM_AI_MODEL", "small")
            .env("LYCEUM_AI_API_KEY", "none")
            .env("LYCEUM_AI_BASE_URL", format!("http://127.0.0.1:{port}/v1"))
            .env("LYCEUM_AI_PRICE_INPUT", "2.50")
            .env("LYCEUM_AI_PRICE_OUTPUT", "10")
            .env("LYCEUM_AI_MONTHLY_TOKENS", "1000000"),
    );
    let mut command = Programs::of("console").command("usage.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key)
            .env("MODEL_PORT", port.to_string()),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report = serde_json::from_slice(&looked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[test]
fn whoever_pays_sees_what_ai_cost_and_sets_what_it_may() {
    let report = walked();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for (look, no_number) in [("desk", "That is no number."), ("arabic", "ليس هذا رقمًا.")]
    {
        let told = &report[look];
        all_say_the_same(told);
        calls_are_for_something(told);
        what_it_may_is_set(told);
        assert_eq!(told["no_number"], json!([no_number, 1]), "{told:#}");
    }
}

fn all_say_the_same(told: &Value) {
    assert_eq!(told["tokens"], json!([1, ["in", "out"], true]), "{told:#}");
    assert_eq!(told["money"], json!([1, ["in"], true, true]), "{told:#}");
    assert_eq!(told["kept"], "of=money", "{told:#}");
    // What an address has that is no choice is none.
    assert_eq!(told["again"], json!(["money", ""]), "{told:#}");
    let file = json!([true, true, true, ["small-2026-08-01"]]);
    assert_eq!(told["file"], file, "{told:#}");
}

fn calls_are_for_something(told: &Value) {
    let purposes = json!([true, true, 1, "feature=speaking"]);
    assert_eq!(told["purposes"], purposes, "{told:#}");
    assert_eq!(told["focus"], "feature", "{told:#}");
    assert_eq!(told["month"], "back=1&feature=tutoring", "{told:#}");
}

fn what_it_may_is_set(told: &Value) {
    assert_eq!(told["shares"], json!([80, 20]), "{told:#}");
    assert_eq!(told["shares_shown"], "80,20,20,600", "{told:#}");
    // What the service decided is said to be its own, and is not taken for what the workspace did.
    assert_eq!(told["hints"], json!([2, 1]), "{told:#}");
    assert_eq!(told["empty"], json!(["", ""]), "{told:#}");
    let negative = told["negative"].as_str().unwrap_or_default();
    assert!(negative.contains("at least 0"), "{told:#}");
    // What somebody else has set meanwhile stands, and of nothing all is used.
    assert_eq!(told["saved"], true, "{told:#}");
    let budget = json!({"tokens": null, "usd": 0});
    let ai = json!({"monthly_budget": budget, "on_provider_failure": "built_in"});
    assert_eq!(told["ai"], ai, "{told:#}");
    assert_eq!(told["used_up"], json!([[100, 100]]), "{told:#}");
}
