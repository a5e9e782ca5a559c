//! What AI makes as proposals, in a real browser: asked for, decided piece by piece, beside the text, and where others were faster.

use serde_json::json;

use crate::node;

#[test]
fn what_ai_made_is_decided_about_piece_by_piece() {
    let report = node::walked("proposals.mjs");
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for look in ["light", "dark", "phone", "arabic", "spanish"] {
        let decided = &report["decided"][look];
        assert_eq!(decided["in_list"], true, "{look} {report:#}");
        // The second was discarded, and with what was changed first came what it is in.
        assert_eq!(decided["states"][1], "plain", "{look} {report:#}");
    }
    assert_eq!(report["rest"], json!(["good", "plain"]), "{report:#}");
    let units = report["units"].as_array().unwrap();
    assert_eq!(units[0], "Cooling", "{report:#}");
    assert!(units.contains(&report["unit"]), "{report:#}");
    assert_eq!(report["changed"], json!(["ai_edited"]), "{report:#}");
    let overtaken = json!({
        "untouched": true, "gone": true, "left": true, "replaced": true, "kept": true,
    });
    assert_eq!(report["overtaken"], overtaken, "{report:#}");
    let ends = json!({
        "failed": "The draft failed", "landed": "This draft is in the course already", "gone": "There are no proposals any more",
        "unseen": 0, "seen": "Learners see this course: what you accept they see at once.",
    });
    assert_eq!(report["ends"], ends, "{report:#}");
}
