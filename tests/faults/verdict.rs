//! Nothing lost, nothing doubled: what must hold after every fault, seen from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::api::Outcome;
use crate::journal::{Course, Known};
use crate::scene::Scene;

/// How long is waited before looking again; twice as long each time, because looking is work, too.
const LOOK_AGAIN: Duration = Duration::from_millis(300);
const LOOK_LATER: Duration = Duration::from_secs(4);
/// How many answers are asked for again.
const REPLAYS: usize = 50;
/// How much is told when it went wrong.
const TOLD: usize = 20;

/// What was found.
#[derive(Default)]
struct Findings {
    lost: Vec<String>,
    doubled: Vec<String>,
    wrong: Vec<String>,
}

impl Scene {
    /// Waits until all work has ended and holds everything to what the journal and the receiver know.
    pub async fn verdict(&mut self) {
        self.until_ready(0, Duration::from_secs(30)).await;
        let mut findings = Findings::default();
        self.settle(&mut findings).await;
        let known = std::mem::take(&mut *self.journal.known());
        self.courses(&known, &mut findings).await;
        let events = self.events(&mut findings).await;
        self.submissions(&known, &events, &mut findings).await;
        self.deliveries(&events, &mut findings).await;
        self.replays(&known, &mut findings).await;
        self.database(&mut findings);
        findings.wrong.extend(known.wrong.iter().cloned());
        self.tell(&known, &events, &findings);
        let Findings {
            lost,
            doubled,
            wrong,
        } = findings;
        let all: Vec<String> = [lost, doubled, wrong].concat();
        let told: Vec<&String> = all.iter().take(TOLD).collect();
        assert!(all.is_empty(), "{} findings: {told:#?}", all.len());
    }

    fn tell(&mut self, known: &Known, events: &BTreeMap<String, Value>, findings: &Findings) {
        let figures = &mut self.figures;
        figures.add("acked", known.counts.acked);
        figures.add("failed", known.counts.failed);
        figures.add("unknown", known.counts.unknown);
        figures.add("resolved", known.counts.resolved);
        figures.add("torn", known.counts.torn);
        figures.add("jobs", known.submissions.len());
        figures.add("events", events.len());
        let seen = self.inbox.seen();
        figures.add("deliveries", seen.events.len());
        let attempts = seen.events.values().map(|told| told.attempts);
        figures.add("attempts", attempts.sum());
        figures.add("ai_calls", self.ai.calls());
        figures.add("lost", findings.lost.len());
        figures.add("doubled", findings.doubled.len());
        figures.add("wrong", findings.wrong.len());
    }

    /// I5: all accepted work has ended, and so has every delivery.
    async fn settle(&self, findings: &mut Findings) {
        let start = Instant::now();
        let mut pause = LOOK_AGAIN;
        let deliveries = format!("/v1/webhook_endpoints/{}/deliveries", self.endpoint);
        loop {
            let grading = self.waiting_for_ai().await;
            let telling = self.api.walk(&deliveries).await;
            let telling = telling.iter().filter(|one| one["status"] == "pending");
            let telling = telling.count();
            if grading + telling == 0 {
                return;
            }
            if start.elapsed() > self.patience {
                let left = format!("{grading} gradings and {telling} deliveries have not ended");
                findings.lost.push(left);
                return;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LOOK_LATER);
        }
    }

    /// I1 to I4, I12: the list of courses is what the journal says, and each of them is there once.
    async fn courses(&self, known: &Known, findings: &mut Findings) {
        let mut ids = BTreeSet::new();
        let mut seen = BTreeMap::new();
        for course in self.api.walk("/v1/courses").await {
            let (id, name) = (text(&course["id"]), text(&course["name"]));
            if !ids.insert(id.clone()) {
                findings.doubled.push(format!("{id} is twice in the list"));
            }
            if !name.starts_with('w') {
                continue;
            }
            if let Some(other) = seen.insert(name.clone(), course) {
                findings
                    .doubled
                    .push(format!("{name} is {id} and {}", other["id"]));
            }
        }
        for (name, course) in &known.courses {
            match seen.remove(name) {
                Some(found) => course.compare(name, &found, findings),
                None if course.deletion_sent || course.id.is_empty() => {}
                None => findings.lost.push(format!("{name} {}", course.id)),
            }
        }
        let unexpected = seen
            .keys()
            .map(|name| format!("{name} was never asked for"));
        findings.doubled.extend(unexpected);
    }

    /// Every event by its id, and none twice.
    async fn events(&self, findings: &mut Findings) -> BTreeMap<String, Value> {
        let mut events = BTreeMap::new();
        for event in self.api.walk("/v1/events").await {
            let id = text(&event["id"]);
            if events.insert(id.clone(), event).is_some() {
                findings.doubled.push(format!("{id} is twice in the list"));
            }
        }
        events
    }

    /// I1, I7, I8: everything handed in is there once, and its run ended once, with one event.
    async fn submissions(
        &self,
        known: &Known,
        events: &BTreeMap<String, Value>,
        findings: &mut Findings,
    ) {
        let mut ended: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for event in events.values() {
            let kind = event["type"].as_str().unwrap();
            if ["submission.graded", "submission.grading_failed"].contains(&kind) {
                let id = text(&event["data"]["object"]["id"]);
                ended.entry(id).or_default().push(kind);
            }
        }
        let path = format!("/v1/submissions?assignment_id={}", self.assignment);
        let mut seen = BTreeMap::new();
        let mut texts = BTreeSet::new();
        for submission in self.api.walk(&path).await {
            if !texts.insert(text(&submission["content"]["text"])) {
                findings
                    .doubled
                    .push(format!("handed in twice: {submission}"));
            }
            seen.insert(text(&submission["id"]), submission);
        }
        for (id, (wording, graded)) in &known.submissions {
            let Some(submission) = seen.remove(id) else {
                findings.lost.push(format!("{id} {wording}"));
                continue;
            };
            if submission["content"]["text"] != wording.as_str() {
                findings
                    .wrong
                    .push(format!("{id} says something else: {submission}"));
            }
            if *graded {
                let events = ended.remove(id).unwrap_or_default();
                self.graded(id, &submission, &events, findings).await;
            }
        }
        let unexpected = seen.keys().map(|id| format!("{id} was never handed in"));
        findings.doubled.extend(unexpected);
    }

    async fn graded(&self, id: &str, submission: &Value, events: &[&str], to: &mut Findings) {
        let grades = self.api.walk(&format!("/v1/submissions/{id}/grades")).await;
        let status = submission["ai_status"].as_str().unwrap_or("nothing");
        let (wanted, event) = match status {
            "ready" => (1, "submission.graded"),
            "error" => (0, "submission.grading_failed"),
            _ => {
                return to
                    .lost
                    .push(format!("the grading of {id} ended as {status}"));
            }
        };
        if grades.len() > wanted || events.len() > 1 {
            to.doubled
                .push(format!("{id} {status}: {grades:?} {events:?}"));
        } else if grades.len() < wanted || events.is_empty() {
            to.lost
                .push(format!("{id} {status}: {grades:?} {events:?}"));
        } else if events != [event] {
            to.wrong
                .push(format!("{id} {status} was told as {events:?}"));
        }
    }

    /// I9: every event that the receiver listens to came, as it is listed; nothing else did.
    async fn deliveries(&self, events: &BTreeMap<String, Value>, findings: &mut Findings) {
        let path = format!("/v1/webhook_endpoints/{}/deliveries", self.endpoint);
        let mut deliveries: BTreeMap<String, String> = BTreeMap::new();
        for delivery in self.api.walk(&path).await {
            let event = text(&delivery["event_id"]);
            let status = text(&delivery["status"]);
            if let Some(other) = deliveries.insert(event.clone(), status) {
                findings
                    .doubled
                    .push(format!("{event} has two deliveries ({other})"));
            }
        }
        let seen = self.inbox.seen();
        findings.wrong.extend(seen.wrong.iter().cloned());
        for (id, event) in events {
            let kind = event["type"].as_str().unwrap();
            let listened_to = kind.starts_with("submission.") || kind.starts_with("course.");
            let came = seen.events.get(id);
            match (deliveries.get(id).map(String::as_str), came) {
                (Some("delivered"), Some(told)) if told.taken > 0 => {
                    if serde_json::from_slice::<Value>(&told.body).ok().as_ref() != Some(event) {
                        findings
                            .wrong
                            .push(format!("{id} was told otherwise than it is listed"));
                    }
                }
                (Some("failed"), _) => {}
                (None, None) if !listened_to => {}
                (status, came) => {
                    let came = came.map_or(0, |told| told.taken);
                    findings
                        .lost
                        .push(format!("{id} {kind}: {status:?}, taken {came} times"));
                }
            }
        }
        let unknown = seen.events.keys().filter(|id| !events.contains_key(*id));
        let unknown = unknown.map(|id| format!("{id} was told and is not listed"));
        findings.wrong.extend(unknown);
    }

    /// The same key gives the same answer, whatever happened in between.
    async fn replays(&self, known: &Known, findings: &mut Findings) {
        let newest_first = known.answers.iter().rev();
        for (write, first) in newest_first.take(REPLAYS) {
            match self.api.write(0, write).await {
                Outcome::Answered(again)
                    if again.replayed
                        && again.status == first.status
                        && again.text == first.text => {}
                other => {
                    let told = format!("{write:?} was answered {first:?} and then {other:?}");
                    findings.doubled.push(told);
                }
            }
        }
    }
}

impl Course {
    fn compare(&self, name: &str, found: &Value, findings: &mut Findings) {
        if self.deleted {
            findings.wrong.push(format!("{name} is back from the dead"));
        }
        if !self.id.is_empty() && found["id"] != self.id.as_str() {
            findings
                .doubled
                .push(format!("{name} is {} and {}", self.id, found["id"]));
        }
        let description = text(&found["description"]);
        let version = description.strip_prefix('v').and_then(|it| it.parse().ok());
        match version {
            Some(version) if (self.acked..=self.sent).contains(&version) => {}
            Some(version) if version < self.acked => {
                let undone = format!("{name} is at {version}, acknowledged was {}", self.acked);
                findings.lost.push(undone);
            }
            _ => findings.wrong.push(format!("{name} says {description}")),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl Scene {
    /// I13 and whatever else the service's own check knows.
    fn database(&self, findings: &mut Findings) {
        let report = tokio::task::block_in_place(|| self.nodes[0].run(&["fsck", "--json"]));
        if !report.status.success() {
            let said = [report.stdout, report.stderr].concat();
            findings
                .wrong
                .push(format!("fsck: {}", String::from_utf8_lossy(&said)));
        }
        if let Some(file) = self.database_url.strip_prefix("sqlite://") {
            let mut connection = crate::sqlite::open(file);
            findings
                .wrong
                .extend(crate::sqlite::damage(&mut connection));
        }
    }
}
