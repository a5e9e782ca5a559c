//! The walk through Studio: from an empty workspace to a course that was published and looked at, with what AI drafted and a rubric that was tried,
//! and with every action counted.

use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::service::Service;

/// Most actions of all of it, by whatever hand.
const MOST_ACTIONS: u64 = 90;
const OWNERS: [(&str, &str); 3] = [
    ("main", "owner@localhost.localdomain"),
    ("second", "second@school.example"),
    ("third", "third@school.example"),
];

/// What a command says in JSON.
fn told(service: &Service, command: &[&str]) -> Value {
    serde_json::from_slice(&service.process.run(command).stdout).unwrap()
}

/// The key of the owner of a workspace of its own.
fn key_of(service: &Service, (code, email): (&str, &str)) -> Value {
    if code == "main" {
        return json!(service.key);
    }
    let command = [
        "bootstrap",
        "--email",
        email,
        "--workspace",
        code,
        "--code",
        code,
        "--json",
    ];
    told(service, &command)["api_key"].clone()
}

/// What the link ends with that is printed for them.
fn link_of(service: &Service, (_, email): (&str, &str)) -> String {
    let printed = told(service, &["sign-in", "--email", email, "--json"]);
    let url = printed["url"].as_str().unwrap();
    url.split_once("/studio#/sign-in/").unwrap().1.to_owned()
}

fn walked() -> Value {
    let service = Service::start(Launch::new());
    let keys = OWNERS.map(|owner| key_of(&service, owner));
    let links = OWNERS.map(|owner| link_of(&service, owner));
    let codes = OWNERS.map(|(code, _)| code);
    let mut command = Programs::of("console").command("walk.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEYS", json!(keys).to_string())
            .env("LINKS", json!(links).to_string())
            .env("CODES", json!(codes).to_string()),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report = serde_json::from_slice(&looked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[test]
fn an_author_walks_from_nothing_to_a_package_in_few_actions() {
    let report = walked();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for hand in ["mouse", "keyboard", "arabic"] {
        let walk = &report[hand];
        let actions = walk["actions"].as_u64().unwrap();
        assert!(actions <= MOST_ACTIONS, "{walk:#}");
        assert_eq!(walk["previewed"], true, "{walk:#}");
        all_of_it_was_made(hand, &walk["made"]);
        one_draft_was_taken_and_one_not(&walk["made"]["by_ai"]);
        the_rubric_was_tried(&walk["tried"]);
    }
    // By the keyboard alone, and the others not.
    assert_eq!(report["keyboard"]["pointed"], 0, "{report:#}");
    assert!(report["mouse"]["pointed"].as_u64() > Some(0), "{report:#}");
}

fn all_of_it_was_made(hand: &str, made: &Value) {
    let kinds = json!([
        "single_choice",
        "true_false",
        "numeric",
        "short_text",
        "ordering"
    ]);
    assert_eq!(made["questions"], kinds, "{made:#}");
    assert_eq!(made["course"][1], "published", "{made:#}");
    assert_eq!(made["package"], "ready", "{made:#}");
    assert_eq!(made["word"], true, "{made:#}");
    let criteria = made["task"][1].as_array().map_or(0, Vec::len);
    assert_eq!(criteria, 3, "{made:#}");
    if hand == "arabic" {
        let units = json!(["النظافة: أيدٍ نظيفة, منطقة الخطر", "الحرارة: القياس"]);
        return assert_eq!(made["units"], units, "{made:#}");
    }
    let units = json!(["Hygiene: Clean hands, The danger zone", "Heat: Probing"]);
    assert_eq!(made["units"], units, "{made:#}");
    // The table, the formula and the picture stand below each other, and in none of them another.
    let lesson = "Bacteria multiply between 5 and 63 °C.\n\n| Food | Core |\n| --- | --- |\n| Chicken | 74 °C |\n| Fish | 63 °C |\n\n$$\nN = N_0\n$$\n\n![a thermometer](media:…)";
    assert_eq!(made["lesson"], lesson, "{made:#}");
}

/// Of what AI drafted for a lesson the one stands behind the quiz that a person wrote, and the other nowhere; of the try nothing was handed in.
fn one_draft_was_taken_and_one_not(by_ai: &Value) {
    let expected = json!({
        "pieces": [["accepted", 1], ["discarded", -1]],
        "activities": [["quiz", "human"], ["flashcards", "ai"]],
        "named": [true, false],
        "submissions": 0,
    });
    assert_eq!(*by_ai, expected);
}

/// Points for each criterion, by passages of the answer, and by what was saved.
fn the_rubric_was_tried(tried: &Value) {
    let answer = tried["answer"].as_str().unwrap();
    let criteria = tried["criteria"].as_array().unwrap();
    assert_eq!(criteria.len(), 3, "{tried:#}");
    for criterion in criteria {
        let points: f64 = criterion[0].as_str().unwrap().parse().unwrap();
        assert!(points > 0.0 && points <= 10.0, "{tried:#}");
        let quotes = criterion[1].as_array().unwrap();
        let is_said = |quote: &Value| answer.contains(quote.as_str().unwrap());
        assert!(
            !quotes.is_empty() && quotes.iter().all(is_said),
            "{tried:#}"
        );
    }
    assert!(
        tried["result"].as_str().unwrap().contains("100"),
        "{tried:#}"
    );
    assert_eq!(tried["unsaved"], 0, "{tried:#}");
}
