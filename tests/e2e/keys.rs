//! API keys in a real browser: one's own and those of a program, made, changed, rotated and revoked.

use serde_json::{Value, json};

use crate::node;

#[test]
fn admins_change_rotate_and_revoke_keys_of_their_own_and_of_programs() {
    let report = node::walked("keys.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let desk = &report["desk"];
    a_key_is_made(desk);
    a_key_is_changed(desk);
    a_key_is_rotated(desk);
    for look in ["desk", "arabic"] {
        those_of_a_program_are_in_its_place(&report[look]);
    }
    assert_eq!(desk["heading"], "Keys of Robot <b> of desk", "{desk:#}");
    // Of the owner nothing, of the program one way there; with a key that may write, a key is made there, and what is over stays so.
    assert_eq!(desk["less"], json!([[0, 1, 1], [0, 0, 0]]), "{desk:#}");
    let nobody = "It is not there, or no longer.";
    assert_eq!(desk["nobody"], nobody, "{desk:#}");
}

fn a_key_is_made(desk: &Value) {
    let no_address = json!([
        "“10.0.0.1/8” is no address, and not how a network begins, as 203.0.113.0/24 is.",
        "allowed_addresses"
    ]);
    assert_eq!(desk["no_address"], no_address, "{desk:#}");
    let past = json!(["Choose a moment that is still to come.", "expires_at"]);
    assert_eq!(desk["past"], past, "{desk:#}");
    let made = json!([true, ["127.0.0.1/32", "10.0.0.0/8"], true]);
    assert_eq!(desk["made"], made, "{desk:#}");
    // From where it may be used, and from where it was.
    assert_eq!(desk["seen"], json!([]), "{desk:#}");
}

fn a_key_is_changed(desk: &Value) {
    let said = "“Nightly” is changed.";
    assert_eq!(desk["changed_said"], said, "{desk:#}");
    assert_eq!(desk["changed"], json!([[], null]), "{desk:#}");
    assert_eq!(desk["focused"], "H1", "{desk:#}");
    assert_eq!(desk["ends"], true, "{desk:#}");
    let over = "It has ended meanwhile, or was revoked.";
    assert_eq!(desk["over"], over, "{desk:#}");
}

fn a_key_is_rotated(desk: &Value) {
    assert_eq!(desk["same_end"], 1, "{desk:#}");
    let lost = desk["lost"].as_str().unwrap_or_default();
    assert!(
        lost.starts_with("The service cannot be reached"),
        "{desk:#}"
    );
    // Although it was asked for twice there is one new key; the old one works for an hour.
    let rotated = json!([2, true, true, 200, 200]);
    assert_eq!(desk["rotated"], rotated, "{desk:#}");
    assert_eq!(desk["forgotten"], true, "{desk:#}");
    assert_eq!(desk["revoked"], 401, "{desk:#}");
    assert_eq!(desk["warned"], 1, "{desk:#}");
    assert_eq!(desk["own"], json!([401, 200]), "{desk:#}");
}

fn those_of_a_program_are_in_its_place(told: &Value) {
    assert_eq!(told["program"], json!([401, 200, 2]), "{told:#}");
    let from = ["127.0.0.0/8"];
    let all = json!([[true, from, true], [true, from, false]]);
    assert_eq!(told["program_all"], all, "{told:#}");
    assert_eq!(told["program_revoked"], 401, "{told:#}");
}
