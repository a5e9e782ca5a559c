//! What must hold when everything has ended: the promises, held against what clients were told, what receivers saw,
//! and the tables.

use std::collections::{BTreeMap, BTreeSet};

use lyceum_application::PageRequest;
use lyceum_application::grading::submissions;
use serde_json::Value;

use crate::client::Wish;
use crate::rows::Rows;
use crate::template::now_or_never;
use crate::world::World;

/// Whether nothing is under way any more.
pub fn has_ended(rows: &Rows) -> bool {
    let open_jobs = "SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')";
    let pending = "SELECT count(*) FROM submissions WHERE ai_status = 'pending'";
    let scheduled = "SELECT count(*) FROM webhook_deliveries d JOIN webhook_endpoints e \
                     ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id \
                     WHERE d.status = 'pending' AND e.status = 'enabled'";
    [open_jobs, pending, scheduled]
        .iter()
        .all(|open| rows.count(open) == 0)
}

/// Every promise that was broken.
pub fn violations(world: &World, ended: bool) -> Vec<String> {
    let mut found = world.faults.violations();
    if !ended {
        found.push("not everything came to an end".to_owned());
    }
    keys_had_one_effect(world, &mut found);
    gradings_ended_once(world, &mut found);
    events_were_delivered(world, &mut found);
    receivers_saw_one_body_per_id(world, &mut found);
    histories_hold(world, &mut found);
    let broken = world
        .rows
        .all("SELECT json_array(integrity_check) AS row FROM pragma_integrity_check");
    let dangling = world
        .rows
        .count("SELECT count(*) FROM pragma_foreign_key_check");
    if broken.first().is_none_or(|row| row[0] != "ok") || dangling > 0 {
        found.push(format!(
            "the database is broken: {broken:?}, {dangling} dangling"
        ));
    }
    found
}

/// Each key has had its effect, once, and everybody was told of the same.
fn keys_had_one_effect(world: &World, found: &mut Vec<String>) {
    let wishes = world.journal.all();
    for (key, wish) in &wishes {
        let ids: BTreeSet<&String> = wish.told.iter().collect();
        if ids.len() != 1 {
            found.push(format!("{key} was told {:?}", wish.told));
            continue;
        }
        let (table, column) = match wish.verb.as_str() {
            "submit" => ("submissions", "content"),
            "course" => ("courses", "name"),
            _ => continue,
        };
        let argument = &wish.argument;
        let made = world.rows.all(&format!(
            "SELECT json_array(id) AS row FROM {table} WHERE {column} = '{argument}'"
        ));
        let made: Vec<&str> = made.iter().filter_map(|row| row[0].as_str()).collect();
        if made != [wish.told[0].as_str()] {
            found.push(format!("{key} was told {:?} and made {made:?}", wish.told));
        }
    }
    for (id, asked) in runs_wanted(&wishes) {
        let run = format!("SELECT run FROM submissions WHERE id = '{id}'");
        let exists = format!("SELECT count(*) FROM submissions WHERE id = '{id}'");
        if world.rows.count(&exists) == 1 && world.rows.count(&run) != asked {
            found.push(format!(
                "{id} was to be graded {asked} times and was {}",
                world.rows.count(&run)
            ));
        }
    }
}

/// How many runs clients asked for, by submission: one by handing in, one by each further key.
fn runs_wanted(wishes: &BTreeMap<String, Wish>) -> BTreeMap<String, u64> {
    let mut wanted = BTreeMap::new();
    for wish in wishes.values() {
        if let ("submit" | "grade", Some(id)) = (wish.verb.as_str(), wish.told.first()) {
            *wanted.entry(id.clone()).or_default() += 1;
        }
    }
    wanted
}

/// Each submission ended, in a grade or an error; of each run that landed there is one record and one event.
fn gradings_ended_once(world: &World, found: &mut Vec<String>) {
    let submissions = world.rows.all(
        "SELECT json_array(s.id, s.ai_status, s.run, \
            (SELECT count(*) FROM grades g WHERE g.submission_id = s.id), \
            (SELECT count(*) FROM grades g WHERE g.submission_id = s.id AND g.run = s.run), \
            (SELECT count(*) FROM events e WHERE e.object_id = s.id AND e.kind = 'submission.graded'), \
            (SELECT count(*) FROM events e WHERE e.object_id = s.id AND e.kind = 'submission.grading_failed'), \
            (SELECT count(DISTINCT g.run) FROM grades g WHERE g.submission_id = s.id)) AS row \
         FROM submissions s",
    );
    for row in &submissions {
        let number = |n: usize| row[n].as_u64().unwrap();
        let (runs, records, newest, landed, failed, distinct) = (
            number(2),
            number(3),
            number(4),
            number(5),
            number(6),
            number(7),
        );
        let ended_well = match row[1].as_str() {
            Some("ready") => newest == 1 && landed > 0,
            Some("error") => newest == 0 && failed > 0,
            _ => false,
        };
        if !ended_well || records != distinct || records != landed || landed + failed > runs {
            found.push(format!("a grading did not end once: {row}"));
        }
    }
    let unfinished = "SELECT count(*) FROM jobs WHERE state NOT IN ('done', 'dead')";
    if world.rows.count(unfinished) > 0 {
        found.push("a job is not finished".to_owned());
    }
}

/// Each event that somebody wants to hear has a delivery to each endpoint; what is called delivered was seen.
fn events_were_delivered(world: &World, found: &mut Vec<String>) {
    let seen: BTreeSet<(usize, String)> = world
        .seen
        .all()
        .into_iter()
        .map(|(n, id, _)| (n, id))
        .collect();
    // The endpoints were made last in the template: what was before is nothing to them.
    let missing = world.rows.all(
        "SELECT json_array(e.id, e.kind, w.url) AS row FROM events e JOIN webhook_endpoints w \
         WHERE w.status = 'enabled' AND e.id >= (SELECT max(id) FROM events WHERE kind = 'assignment.created') \
         AND e.kind <> 'assignment.created' AND NOT EXISTS \
            (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id AND d.endpoint_id = w.id)",
    );
    for row in &missing {
        found.push(format!("nobody is told of {row}"));
    }
    let deliveries = world.rows.all(
        "SELECT json_array(d.event_id, w.url, d.status, w.status) AS row FROM webhook_deliveries d \
         JOIN webhook_endpoints w ON w.id = d.endpoint_id",
    );
    for row in &deliveries {
        let n = usize::from(row[1].as_str().unwrap().contains("receiver-1"));
        let was_seen = seen.contains(&(n, row[0].as_str().unwrap().to_owned()));
        let well = match row[2].as_str() {
            Some("delivered") => was_seen,
            Some("pending") => row[3] == "disabled",
            Some("failed") => true,
            _ => false,
        };
        if !well {
            found.push(format!(
                "a delivery did not end well: {row}, seen: {was_seen}"
            ));
        }
    }
}

/// The same bytes under one id, whoever was told and however often: those of the event, and who acted, who is named when it is told.
fn receivers_saw_one_body_per_id(world: &World, found: &mut Vec<String>) {
    let events: BTreeMap<String, Value> = world
        .rows
        .all("SELECT json_array(id, body) AS row FROM events")
        .into_iter()
        .map(|row| (row[0].as_str().unwrap().to_owned(), row[1].clone()))
        .collect();
    let without_actor = |text: &str| {
        let mut told: Value = serde_json::from_str(text).unwrap_or_default();
        let actor = told.as_object_mut().and_then(|told| told.remove("actor"));
        (actor, told)
    };
    for (n, id, body) in world.seen.all() {
        let (actor, told) = without_actor(&body);
        let stored = events.get(&id).and_then(Value::as_str);
        let stored = stored.map(|text| without_actor(text).1);
        if actor.is_none() || stored != Some(told) {
            found.push(format!(
                "receiver {n} was told under {id} what is no event: {body}"
            ));
        }
    }
}

/// The receipts of every grade history hold.
fn histories_hold(world: &World, found: &mut Vec<String>) {
    let app = world.observer();
    for row in world
        .rows
        .all("SELECT json_array(id) AS row FROM submissions")
    {
        let id = row[0].as_str().unwrap().parse().unwrap();
        let ctx = app.service_context(world.school.workspace.clone());
        let read =
            app.read(move |tx| submissions::grades(tx, &ctx, id, true, &PageRequest::first(1)));
        match now_or_never(read) {
            Ok((_, Some(verified))) if verified.holds => {}
            other => found.push(format!("the history of {row} does not hold: {other:?}")),
        }
    }
}
