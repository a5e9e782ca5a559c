//! The console in a real browser, on a platform full of people: every view in every look, and what is done there.

use std::net::{Ipv4Addr, TcpListener};

use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::service::Service;

/// A port at which nobody listens yet: the program puts the model there that the service is told of.
pub fn port_of_the_model() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

fn seen() -> Value {
    let port = port_of_the_model();
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
    let friend = [
        "bootstrap",
        "--email",
        "friend@school.example",
        "--workspace",
        "Friends",
        "--code",
        "friends",
        "--json",
    ];
    let friend: Value = serde_json::from_slice(&service.process.run(&friend).stdout).unwrap();
    let mut command = Programs::of("console").command("check.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key)
            .env("FRIEND_KEY", friend["api_key"].as_str().unwrap())
            .env("MODEL_PORT", port.to_string()),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report = serde_json::from_slice(&looked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[test]
fn people_work_in_the_console() {
    let report = seen();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    // Twenty-eight views, the door and an error in five looks, five of the views in two more, seventeen others in two, and the dialogs.
    assert!(report["states"].as_u64() >= Some(183), "{report:#}");
    assert_eq!(
        report["door"],
        json!({"key_is_kept": false, "asks_again": true, "stays": true, "is_forgotten": true})
    );
    the_desk_keeps_its_promises(&report["desk"]);
    blind_is_blind(&report["blind"]);
    release_is_earned(&report["certificate"]);
    one_judgement_is_given_to_many(&report["groups"]);
    nothing_changes_before_it_is_applied(&report["batches"]);
    what_else_is_done_is_done(&report);
    assert_eq!(
        report["lists"],
        json!({"passed_over": true, "nothing_yet": 0, "goes_on": true})
    );
}

/// What the program that looks at texts has to say.
pub fn texts_seen(service: &Service, what: &[&str]) -> Value {
    let mut command = Programs::of("console").command("texts.mjs", &service.traces);
    let looked = node::output(
        command
            .args(what)
            .env("BASE", service.process.url())
            .env("KEY", &service.key),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report = serde_json::from_slice(&looked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[test]
fn teachers_see_the_texts_that_learners_see() {
    let report = texts_seen(&Service::start(Launch::new()), &[]);
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    for (look, picture) in [
        ("light", "picture at"),
        ("dark", "picture at"),
        ("phone", "picture at"),
        ("arabic", "صورة في"),
    ] {
        let shown = json!({
            "formula": true, "callout": true, "tasks": ["Done", "To do"], "code": true, "opens": true, "scrolls": "0",
            "picture": 1, "pictures": 1, "elsewhere": format!("Far away ({picture} pictures.example)"), "outside": true,
            "headings": ["h2", "h3"], "arabic": "rtl", "apart": true,
        });
        assert_eq!(report["looks"][look], shown, "{look}");
    }
    assert_eq!(report["prompt"], true);
    // There, back, and there again.
    let ways = json!(["li At 30 °C", "a doc-noteref", "li At 30 °C"]);
    assert_eq!(report["notes"], json!({"found": ways, "stays": true}));
    let (day, night) = ("rgb(138, 90, 0)", "rgb(232, 192, 106)");
    let colours = json!({
        "system": day, "dark": night, "light": day, "light_at_night": day, "auto": day, "auto_at_night": night,
    });
    assert_eq!(report["colours"], colours);
    assert_eq!(report["course"], "heat");
    // Below the heading of the submission, and none left out.
    let desk = json!({"headings": ["h3", "h4"], "dollars": false, "level": "Says all of it.", "stays": true, "said": 0});
    assert_eq!(report["desk"], desk);
    let unharmed = json!({"ran": null, "heading": "block", "is_red": false, "stays": true});
    assert_eq!(report["hostile"], json!([unharmed, unharmed]));
    let file = |number: u8| format!("/v1/media/med_1/file?number={number}&signature=0");
    let sizes = format!("{} 640w, {} 1280w", file(1), file(2));
    assert_eq!(report["addresses"], json!([file(0), sizes, file(0)]));
    assert_eq!(report["directions"], json!(["rtl", "rtl"]));
    let long = json!({"slow": [], "written": "[^1][^1]"});
    assert_eq!(report["long"], long);
}

fn the_desk_keeps_its_promises(desk: &Value) {
    assert_eq!(desk["accepted"]["status"], "graded", "{desk:#}");
    assert_eq!(desk["accepted"]["review"], "done", "{desk:#}");
    assert_eq!(desk["changed"]["by"], "human", "{desk:#}");
    assert_eq!(desk["changed"]["is_foretold"], true, "{desk:#}");
    // Letters in a field are letters.
    assert_eq!(desk["changed"]["comment"], "areja", "{desk:#}");
    let returned = json!({"status": "returned", "feedback": true});
    assert_eq!(desk["returned"], returned, "{desk:#}");
    assert_eq!(desk["overtaken"], "Graded", "{desk:#}");
    let faster = desk["faster"].as_str().unwrap_or_default();
    assert!(faster.starts_with("Somebody was faster: "), "{desk:#}");
    // Behind a character of two UTF-16 units.
    let evidence = desk["evidence"][0].as_str().unwrap_or_default();
    assert!(evidence.starts_with("between 5 and 63 degrees"), "{desk:#}");
    assert_eq!(desk["without_rubric"]["score"], 7.5, "{desk:#}");
    assert_eq!(desk["is_out"], json!(["graded", "open"]), "{desk:#}");
    assert_eq!(desk["stale"], json!(["Graded", "stale"]), "{desk:#}");
    assert_eq!(desk["kept_evidence"], true, "{desk:#}");
    // Of who changed nothing, and of who changed what the student reads.
    let stands = json!(["graded", "done", "ai", true]);
    assert_eq!(desk["saved_as_it_stood"], stands, "{desk:#}");
    assert_eq!(desk["rests_on"], true, "{desk:#}");
    assert_eq!(desk["comment_is_there"], "areja", "{desk:#}");
    let own = json!(["returned", "Read the lesson again.", "areja"]);
    assert_eq!(desk["comment_stays"], own, "{desk:#}");
    assert_eq!(desk["decided"], true, "{desk:#}");
    assert_eq!(desk["named"], true, "{desk:#}");
    assert_eq!(desk["badge"], true, "{desk:#}");
    assert_eq!(desk["taken_back"], true, "{desk:#}");
    for kept in ["silent", "walks"] {
        assert_eq!(desk[kept], true, "{desk:#}");
    }
    assert_eq!(desk["seal"], 1, "{desk:#}");
}

fn blind_is_blind(blind: &Value) {
    // Four shares and the difference at least; kappa where the points vary.
    assert!(blind["figures"].as_u64() >= Some(5), "{blind:#}");
    assert_eq!(blind["exact"], true, "{blind:#}");
    assert_eq!(blind["waiting"], 1, "{blind:#}");
    let hidden = json!({
        "all": true, "line": "You grade this without knowing what AI says.",
        "reasons": 0, "marks": 0, "decisions": 1, "history": 0,
    });
    assert_eq!(blind["hidden"], hidden, "{blind:#}");
    assert_eq!(blind["stands"], "in_review", "{blind:#}");
    let graded = json!({"is_blind": true, "beside": true, "is_here": true, "is_said": true});
    assert_eq!(blind["graded"], graded, "{blind:#}");
    let shown = json!({"blind": false, "has_score": true, "never_again": true});
    assert_eq!(blind["shown"], shown, "{blind:#}");
    for held in ["hidden_first", "too_few", "drawn"] {
        assert_eq!(blind[held], true, "{blind:#}");
    }
}

fn release_is_earned(told: &Value) {
    let refused = told["refused"][0].as_str().unwrap_or_default();
    assert!(refused.starts_with("Say first"), "{told:#}");
    let wrong = json!([1, true, "Must be at most 30."]);
    assert_eq!(told["wrong"], wrong, "{told:#}");
    // What was left as it stood is the service's own, and doubtful grades wait from now on.
    let promise = json!([30, 25, "all", "optional"]);
    assert_eq!(told["promise"], promise, "{told:#}");
    // Who tricks a grader that nobody attacked would have it go out.
    let untried = told["untried"].as_str().unwrap_or_default();
    assert!(untried.starts_with("First a red team"), "{told:#}");
    let attacked = json!({"verdict": "Passes", "passes": true, "has_all": true});
    assert_eq!(told["red_team"], attacked, "{told:#}");
    // Ten tests would do for later answers alone; two more are for the ten at hand that nobody sees.
    assert_eq!(told["left"], json!([0, 12]), "{told:#}");
    assert_eq!(told["state"], json!(["valid", "Certified"]), "{told:#}");
    assert_eq!(told["statement"], true, "{told:#}");
    assert_eq!(told["released"], 10, "{told:#}");
    let states = json!({
        "paused": ["Try anew", true, 6],
        "refused": ["Draw further answers", true, 0],
        "ended": ["Try anew", true, 0],
    });
    assert_eq!(told["states"], states, "{told:#}");
}

fn nothing_changes_before_it_is_applied(told: &Value) {
    assert_eq!(told["is_marked"], "Grade again", "{told:#}");
    let preview = json!(["ready", false, 9, 3, 3, 2]);
    assert_eq!(told["preview"], preview, "{told:#}");
    let rows = told["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let counts: Vec<&str> = rows.iter().filter_map(|row| row[1].as_str()).collect();
    let from_half_lost_to_half_gained = "1 1 0 1 1 3 0 0 0 3 0 2";
    assert_eq!(counts.join(" "), from_half_lost_to_half_gained, "{told:#}");
    // Who crosses the mark comes first, and nobody's own decision is taken for granted.
    let first = "Would fail, and passed so far: 2";
    assert_eq!(told["first"], first, "{told:#}");
    assert_eq!(told["unticked"], 0, "{told:#}");
    let labels = json!(["Apply new grades: 13", "Apply new grades: 14"]);
    assert_eq!(told["labels"], labels, "{told:#}");
    // All, of these with other points, without any so far, up, down, in the place of a person's, as a person decided.
    assert_eq!(told["said"], json!([14, 8, 3, 3, 2, 1, 1]), "{told:#}");
    for kept in ["is_untouched", "applied", "undone"] {
        assert_eq!(told[kept], true, "{told:#}");
    }
    assert_eq!(told["replaced"], 1, "{told:#}");
    assert_eq!(told["thrown"], "stopped", "{told:#}");
    assert_eq!(told["listed"], json!(["Undone", "Stopped"]), "{told:#}");
    let hidden = json!(["Hidden until graded", "–", "–"]);
    assert_eq!(told["hidden"], hidden, "{told:#}");
    let away = json!(["The AI provider failed."]);
    assert_eq!(told["failed"], away, "{told:#}");
    assert_eq!(told["running"], "AI is done with 5 of 10.", "{told:#}");
    let cost = told["cost"].as_str().unwrap_or_default();
    assert!(cost.starts_with("All 3 would cost about $"), "{told:#}");
    assert_eq!(told["all"], json!([0, "done", 3]), "{told:#}");
    assert_eq!(told["nothing"], "No answer waits.", "{told:#}");
    for (at, start) in ["1 of ", "9 of "].iter().enumerate() {
        let said = told["verdicts"][at].as_str().unwrap_or_default();
        assert!(said.starts_with(start), "{told:#}");
    }
}

fn one_judgement_is_given_to_many(told: &Value) {
    assert_eq!(told["spared"], "3", "{told:#}");
    // Known on the desk, and from there and back by one step each.
    let says = json!([
        "One of 3 alike answers",
        "Alike answers (waiting: 5)",
        "Grade again"
    ]);
    assert_eq!(told["says"], says, "{told:#}");
    let group = json!(["Alike answers: 3", true, "Oil on fire"]);
    assert_eq!(told["group_back"], group, "{told:#}");
    assert_eq!(told["regrade_back"], true, "{told:#}");
    // Not before a person has judged one of them.
    assert_eq!(told["before"], 0, "{told:#}");
    // A preview grades nothing: only the first is decided.
    assert_eq!(told["preview"], json!([1, 2]), "{told:#}");
    // Of their own text, not of the one that was judged.
    let passages = told["passages"].as_array().map_or(0, Vec::len);
    assert_eq!(passages, 4, "{told:#}");
    let own = "I put the lid on the pan and turn the heat off";
    assert_eq!(told["passages"][2], own, "{told:#}");
    assert_eq!(told["feedback"], "", "{told:#}");
    // Who was taken out stays as they were.
    assert_eq!(told["given"], json!([2, 1, "submitted"]), "{told:#}");
}

fn what_else_is_done_is_done(report: &Value) {
    assert!(report["drafted_units"].as_u64() >= Some(2), "{report:#}");
    assert_eq!(report["streamed"], json!(["pending 1", "ready 2"]));
    assert_eq!(report["pages"], true, "{report:#}");
    assert_eq!(report["preview"], true, "{report:#}");
    let ping = report["ping"].as_str().unwrap_or_default();
    assert!(ping.contains("204"), "{report:#}");
    assert_eq!(report["payload"], "event", "{report:#}");
    assert_eq!(report["receivers_headers"], true, "{report:#}");
    assert_eq!(report["secret"], "whsec_", "{report:#}");
    assert_eq!(report["secret_is_gone"], true, "{report:#}");
    assert_eq!(report["new_key"], "lyc_k", "{report:#}");
    assert_eq!(report["revoked"], "Console test", "{report:#}");
    assert_eq!(report["invited"], "friends", "{report:#}");
    assert_eq!(report["invitation_is_gone"], true, "{report:#}");
    assert_eq!(report["choices"], json!(["friends", "main"]), "{report:#}");
}

/// What a link for the owner ends with, as the shell prints it.
fn link(service: &Service) -> String {
    let printed = service.process.run(&[
        "sign-in",
        "--email",
        "owner@localhost.localdomain",
        "--json",
    ]);
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let url = printed["url"].as_str().unwrap();
    let (place, token) = url.split_once("/studio#/sign-in/").unwrap();
    assert!(
        ["http://127.0.0.1:", "http://localhost"]
            .iter()
            .any(|here| place.starts_with(here)),
        "{url}"
    );
    token.to_owned()
}

#[test]
fn people_are_invited_come_in_and_are_named() {
    let service = Service::start(Launch::new());
    let links: Vec<String> = (0..6).map(|_| link(&service)).collect();
    let mut command = Programs::of("console").command("people.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("LINKS", json!(links).to_string()),
    );
    let report: Value = serde_json::from_slice(&looked.stdout).unwrap();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let names =
        ["light", "dark", "phone", "arabic", "german"].map(|look| format!("Ines of {look}"));
    assert_eq!(report["names"], json!(names), "{report:#}");
    // What lets in stands in no address that a browser keeps.
    assert_eq!(report["addresses"], json!(["", "", "", "", ""]));
    assert_eq!(report["signed_in"], json!(["Chrome on Linux"]));
    assert_eq!(report["still_signed_in"], 0, "{report:#}");
    assert_eq!(report["key"], "lyc_k", "{report:#}");
    assert_eq!(report["accepted"], 5, "{report:#}");
    assert_eq!(report["acted"], json!(["Ines of light"]), "{report:#}");
    assert_eq!(
        report["table"],
        json!({"name": "audit.csv", "lines": 6, "begins": "created_at,action,actor_"})
    );
    let withdrawn = report["withdrawn"].as_str().unwrap_or_default();
    assert!(withdrawn.contains("taken back"), "{report:#}");
}

/// What the page of an assignment's settings did, by hand and by keyboard, judged part by part.
#[test]
fn assignments_are_made_what_they_should_be() {
    let service = Service::start(Launch::new());
    let mut command = Programs::of("console").command("assignments.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report: Value = serde_json::from_slice(&looked.stdout)
        .unwrap_or_else(|error| panic!("{error}: {complaint}"));
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    settings_are_saved(&report);
    a_rubric_is_made_without_a_mouse(&report["keyboard"]);
    a_rubric_goes_to_a_table_and_back(&report["table"]);
    nobody_loses_what_they_typed(&report);
    more_time_gives_points_back(&report);
}

fn settings_are_saved(report: &Value) {
    let settings = json!({
        "name": "Why water boils", "instructions": "Explain it in *your own* words.", "max_score": 50, "max_attempts": 3,
        // Half past twelve in Madrid, in summer.
        "due_at": "2031-07-01T10:30:00.000Z",
        "late_policy": {"percent_per_day": 10, "floor_percent": 40, "grace_minutes": 15},
        "ai_evaluator": {"enabled": true, "model": "builtin"}, "human_review": "required",
        "feedback": {"tone": "encouraging", "verbosity": "brief", "language": "de"},
    });
    assert_eq!(report["settings"], settings, "{report:#}");
    let example = report["example"].as_str().unwrap_or_default();
    let two_days = "Two days late, work worth 40 of 50 counts 30.";
    assert!(example.starts_with(two_days), "{report:#}");
    assert_eq!(report["led_to"], "Best possible score", "{report:#}");
    // What the page does not know stays as it was.
    let kept = json!({
        "approved_by": "the staff", "id": "c1", "name": "Accuracy", "description": "", "max_points": 10, "weight": 1,
        "origin": "handbook", "reference_answers": ["It boils at 100 °C."],
        "key_points": [{"text": "at sea level", "weight": 2}],
    });
    assert_eq!(report["kept"], kept, "{report:#}");
}

fn a_rubric_is_made_without_a_mouse(keyboard: &Value) {
    let made = json!(["Courage", "Accuracy", "Wording"]);
    assert_eq!(keyboard["moved"], made, "{keyboard:#}");
    assert_eq!(keyboard["stays"], "Name", "{keyboard:#}");
    let levels = json!(["Partly reached", "Bold", "Not reached"]);
    assert_eq!(keyboard["levels"], levels, "{keyboard:#}");
    assert_eq!(keyboard["without"], json!(["Accuracy", "Wording"]));
    assert_eq!(keyboard["back"], made, "{keyboard:#}");
    let saved = json!([["Courage", 10, 3], ["Accuracy", 10, 0], ["Wording", 5, 2]]);
    assert_eq!(keyboard["saved"], saved, "{keyboard:#}");
}

fn a_rubric_goes_to_a_table_and_back(table: &Value) {
    for told in ["marked", "defused", "same", "untouched"] {
        assert_eq!(table[told], true, "{told}: {table:#}");
    }
    assert_eq!(table["quoted"], "He said \"no\",\nand left");
    let faults = json!([
        "Line 3: This is no number that can stand there: max_points.",
        "Line 4: This is no number that can stand there: level_points.",
    ]);
    assert_eq!(table["faults"], faults, "{table:#}");
    let kept = json!({
        "approved_by": "the staff", "name": "=1+1", "id": "c1", "points": [{"text": "at sea level", "weight": 2}],
        "answers": ["It boils at 100 °C."],
    });
    assert_eq!(table["kept"], kept, "{table:#}");
    let read = json!([["Depth", 12, 2, []], ["Tone", 2.5, 1, [2.5, 0]]]);
    assert_eq!(table["read"], read, "{table:#}");
}

fn nobody_loses_what_they_typed(report: &Value) {
    let leaving = json!({"stayed": true, "still": 1, "left": true});
    assert_eq!(report["leaving"], leaving, "{report:#}");
    let overtaken = &report["overtaken"];
    assert_eq!(overtaken["over"], json!(["Mine", 7]), "{report:#}");
    let theirs = json!(["Theirs again", "Theirs again"]);
    assert_eq!(overtaken["loaded"], theirs, "{report:#}");
    assert_eq!(report["template"]["points"], 3, "{report:#}");
}

fn more_time_gives_points_back(report: &Value) {
    let desk = json!({
        "before": "60 / 100 Graded A person's grade 60: 80 earned, 20 off for coming late",
        "starts_from": "80", "noted": "What the work is worth. 20 are taken off after that, for coming late.",
        "after": "80 / 100 Graded A person's grade",
    });
    assert_eq!(report["desk"], desk, "{report:#}");
    let given = json!({"row": ["Ada", "Learner", "Jul 1, 2031, 12:00 PM"], "left": 0});
    assert_eq!(report["more_time"], given, "{report:#}");
}

#[test]
fn authors_make_a_course_change_it_and_take_it_back() {
    let service = Service::start(Launch::new());
    let mut command = Programs::of("console").command("authoring.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key),
    );
    let report: Value = serde_json::from_slice(&looked.stdout).unwrap();
    // Nothing is changed or deleted without saying on which version it rests.
    for empty in ["findings", "faults", "policy", "untagged"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    assert_eq!(report["empty"], "No course yet", "{report:#}");
    let written = json!(["Hygiene: Hands, Boards", "Heat: Probing"]);
    assert_eq!(report["written"], written, "{report:#}");
    let by_keys = json!(["Hygiene: Boards", "Heat: Washing hands, Probing"]);
    assert_eq!(report["by_keys"], by_keys, "{report:#}");
    assert_eq!(report["focused"], "Washing hands", "{report:#}");
    let by_mouse = json!(["Hygiene: Boards, Washing hands", "Heat: Probing"]);
    assert_eq!(report["by_mouse"], by_mouse, "{report:#}");
    let deleted = json!(["In the trash: Lessons: 3", ["Hygiene: ", "Heat: "]]);
    assert_eq!(report["deleted"], deleted, "{report:#}");
    assert_eq!(report["restored_lessons"], by_mouse, "{report:#}");
    assert_eq!(report["undone"], written, "{report:#}");
    let theirs = json!([
        "Not taken back, because it was changed since: “Boards” is called “Clean boards” now.",
        "Hygiene: Hands, Chopping boards"
    ]);
    assert_eq!(report["overtaken"], theirs, "{report:#}");
    courses_come_and_go(&report);
}

fn courses_come_and_go(report: &Value) {
    // Where something was made that is written on a page of its own, one is there, at what comes next.
    let led = json!(["activities", "edit,text-editor", "edit,text-editor"]);
    assert_eq!(report["led"], led, "{report:#}");
    let used = "Learners have used it: 1 completion.";
    assert_eq!(report["used"], used, "{report:#}");
    let theirs = json!(["Planned hours: 12", "Guidance for AI: –"]);
    assert_eq!(report["theirs"], theirs, "{report:#}");
    assert_eq!(report["settings"], json!([12, "Be brief."]), "{report:#}");
    let counted = json!([
        "Units: 2",
        "Lessons: 3",
        "Activities: 1",
        "Assignments: 1",
        "Cohorts: 1"
    ]);
    assert_eq!(report["counted"], counted, "{report:#}");
    assert_eq!(report["asked_again"], used, "{report:#}");
    assert_eq!(report["is_gone"], true, "{report:#}");
    assert_eq!(report["back"], "“Food safety” is back.", "{report:#}");
    let as_it_was = json!(["Hygiene: Hands, Chopping boards, Probing", "Heat: "]);
    assert_eq!(report["as_it_was"], as_it_was, "{report:#}");
}

#[test]
fn people_sign_in_by_a_passkey_of_their_device() {
    // Browsers make passkeys for names alone.
    let service = Service::start(Launch::new().env("LYCEUM_PUBLIC_URL", "http://localhost"));
    let place = service.process.url().replace("127.0.0.1", "localhost");
    let links: Vec<String> = (0..3).map(|_| link(&service)).collect();
    let mut command = Programs::of("console").command("passkeys.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", &place)
            .env("LINKS", json!(links).to_string()),
    );
    let report: Value = serde_json::from_slice(&looked.stdout).unwrap();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    let held = json!([[true, "localhost"]]);
    assert_eq!(report["held"], json!([held, held, held]), "{report:#}");
    let owner = "owner@localhost.localdomain";
    assert_eq!(
        report["came_in"],
        json!([owner, owner, owner]),
        "{report:#}"
    );
    let removed = report["removed"].as_str().unwrap_or_default();
    assert!(removed.contains("not known here"), "{report:#}");
}

#[test]
fn people_sign_in_by_a_link() {
    let service = Service::start(Launch::new());
    let links: Vec<String> = (0..6).map(|_| link(&service)).collect();
    let mut command = Programs::of("console").command("sign_in.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("LINKS", json!(links).to_string()),
    );
    let report: Value = serde_json::from_slice(&looked.stdout).unwrap();
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    assert_eq!(
        report["session"],
        json!({
            "is_readable": false, "is_kept_from_scripts": [true], "same_site": ["Lax"], "stays": true,
            "listed": 6, "is_over": true,
            "said_of_a_used_link": "This link was used, or its time is over. Ask for another.",
        })
    );
    assert_eq!(
        report["account"],
        json!({ "is_in_tokyo": true, "language": "de", "led_to": "/studio" })
    );
    assert_eq!(
        report["by_mail"],
        json!({
            "asked": [{"email": "ada@example.org", "language": "en"}], "key_is_asked_for": true,
        })
    );
}

#[test]
fn people_sign_in_by_their_organisation() {
    let launch = Launch::new().env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8");
    let service = Service::start(launch);
    let given = ["domains", "assign", "school.example", "--workspace", "main"];
    assert!(service.process.run(&given).status.success());
    let mut command = Programs::of("console").command("sso.mjs", &service.traces);
    let looked = node::output(
        command
            .env("BASE", service.process.url())
            .env("KEY", &service.key),
    );
    let said = String::from_utf8_lossy(&looked.stderr);
    // The provider of these tests tells what it thinks of them on the same way.
    let told = String::from_utf8_lossy(&looked.stdout);
    let last = told.lines().last().unwrap_or_default();
    let report: Value = serde_json::from_str(last).expect(&said);
    for empty in ["findings", "faults", "policy"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    assert_eq!(
        report["member"],
        json!({ "role": "teacher", "name": "Ada Lovelace" })
    );
    let session = json!({ "name": "lyceum", "httpOnly": true, "sameSite": "Lax" });
    let cookies = report["cookies"].as_array().unwrap();
    assert!(cookies.contains(&session), "{report:#}");
    assert_eq!(report["stays"], true, "{report:#}");
    assert_eq!(report["is_over"], true, "{report:#}");
    // It says when it asked her only to who wants to know.
    for (when, said) in [
        ("without_being_asked", "recent_sign_in_required"),
        ("asked_anew", "key_bound_to_platform"),
    ] {
        assert_eq!(report[when], said, "{report:#}");
    }
    for (place, said) in [
        ("of_no_organisation", "No organisation signs in here"),
        ("said_of_a_wrong_secret", "does not know this client ID"),
        ("said_of_a_made_up_way_back", "began in another browser"),
    ] {
        let told = report[place].as_str().unwrap();
        assert!(told.contains(said), "{place}: {told}");
    }
}
