//! Steps of generations: asked for once, whatever happens on the way, and nothing shows before the end.

use std::pin::{Pin, pin};
use std::sync::Arc;

use futures_util::future::{Either, select};
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::school::{assert_refused, events, list, made};

/// It says enough of each topic for a quiz: of a mere list of topics none is made.
pub const BRIEF: &str = "Food safety for kitchen staff.

## Cooling

An ice bath is a sink full of ice and cold water. Cooked food is cooled below 8 °C within 90 minutes. Cooks write every \
temperature into the log.

## Storing

Cross-contamination is the transfer of germs from raw food to food that is ready to eat. Raw meat is stored below cooked \
food. A cold store is kept at 4 °C.

## Reheating

Core temperature is the temperature in the middle of a piece of food. Sauces are reheated to 75 °C for 30 seconds. Food is \
reheated only once.

## Allergens

An allergen is a substance that makes the body of some people react. Kitchens declare fourteen allergens on the menu. Guests \
ask about allergens before they order.";
/// Longer than a lease lasts.
pub const LEASE_OVER: i64 = 61;

pub async fn with(ai: &Arc<ScriptedAi>, database: Database) -> TestApp {
    let provider: Arc<dyn AiProvider> = ai.clone();
    TestApp::on(database, provider).await
}

pub async fn course(app: &TestApp, hours: u32) -> String {
    let body = json!({"name": "Food", "language": "en", "hours": hours});
    made(app, &app.owner, "courses", body).await
}

/// Asks for all of a course; the generation's id.
pub async fn start(app: &TestApp, course: &str, more: Value) -> String {
    let mut body = json!({"brief": BRIEF, "content": "full"});
    let members = more.as_object().cloned().unwrap_or_default();
    body.as_object_mut().unwrap().extend(members);
    let path = format!("/v1/courses/{course}/syllabus");
    let asked = app.post(&path, body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    asked.id()
}

pub async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/generations/{id}")).await.body
}

/// What there is, without what differs from run to run.
async fn told(app: &TestApp, course: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for path in [
        format!("units?limit=100&course_id={course}"),
        format!("lessons?limit=100&course_id={course}"),
        format!("assignments?limit=100&course_id={course}"),
        "activities?limit=100".to_owned(),
    ] {
        for one in list(app, &path).await {
            all.push(json!([
                one["object"],
                one["name"],
                one["summary"],
                one["content"],
                one["duration_minutes"],
                one["position"],
                one["rubric"],
                one["provenance"]["model"],
            ]));
        }
    }
    all.sort_by_key(ToString::to_string);
    all
}

async fn is_empty(app: &TestApp, course: &str) -> bool {
    list(app, &format!("units?course_id={course}"))
        .await
        .is_empty()
}

/// Goes on with the work until somebody waits for AI; false if the work ended before.
async fn works_until_silent(ai: &ScriptedAi, work: Pin<&mut impl Future<Output = usize>>) -> bool {
    let silent = pin!(ai.fell_silent());
    matches!(select(silent, work).await, Either::Left(_))
}

/// Works until AI falls silent after so many answers, and leaves it at that, as a process does that is killed.
pub async fn work_and_die(app: &TestApp, ai: &ScriptedAi, calls: usize) {
    ai.fall_silent_after(Some(calls));
    let silent = works_until_silent(ai, pin!(app.work())).await;
    assert!(silent, "the work ended before");
    ai.fall_silent_after(None);
}

pub fn distinct(asked: &[String]) -> usize {
    let mut asked = asked.to_vec();
    asked.sort_unstable();
    asked.dedup();
    asked.len()
}

fn of_steps<'a>(generation: &'a Value, member: &str) -> Vec<&'a Value> {
    let steps = generation["steps"].as_array().unwrap();
    steps.iter().map(|step| &step[member]).collect()
}

/// A run without any trouble: what it was asked, and what came of it.
async fn in_peace(ai: &Arc<ScriptedAi>, more: &Value) -> (usize, Vec<Value>) {
    let app = with(ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, more.clone()).await;
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let asked = ai.asked();
    assert_eq!(distinct(&asked), asked.len());
    let progress = json!({"completed": asked.len(), "total": asked.len()});
    assert_eq!(ready["progress"], progress);
    (asked.len(), told(&app, &course).await)
}

#[actix_web::test]
async fn a_crash_after_any_step_asks_for_none_of_the_finished_ones_again() {
    // With a budget steps go one by one, so that it is known which are finished.
    let more = json!({"budget": {"tokens": 1_000_000}});
    let (calls, whole) = in_peace(&ScriptedAi::model([]), &more).await;
    assert!(calls >= 9, "{calls}");
    let runs = (0..calls).map(|calls| (Database::Sqlite, calls));
    for (database, k) in runs.chain([(Database::Postgres, 1), (Database::Postgres, calls - 1)]) {
        let ai = ScriptedAi::model([]);
        let app = with(&ai, database).await;
        let course = course(&app, 2).await;
        let id = start(&app, &course, more.clone()).await;
        work_and_die(&app, &ai, k).await;
        assert!(is_empty(&app, &course).await, "{k}");
        let between = read(&app, &id).await;
        assert_eq!(between["progress"]["completed"], json!(k));
        assert_eq!(app.work().await, 0, "its lease still stands");
        app.clock.advance(LEASE_OVER);
        app.work().await;
        let ready = read(&app, &id).await;
        assert_eq!(ready["status"], "ready", "{k} {ready}");
        let asked = ai.asked();
        // What was under way when it died is asked for again, and nothing else.
        assert_eq!((asked.len(), distinct(&asked)), (calls + 1, calls), "{k}");
        assert_eq!(told(&app, &course).await, whole, "{k}");
        assert_eq!(events(&app, "generation.ready").await.len(), 1);
    }
}

#[actix_web::test]
async fn the_built_in_engine_goes_on_where_it_was_too() {
    let (calls, whole) = in_peace(&ScriptedAi::new([]), &json!({})).await;
    for k in 0..calls {
        let ai = ScriptedAi::new([]);
        let app = with(&ai, Database::Sqlite).await;
        let course = course(&app, 2).await;
        start(&app, &course, json!({})).await;
        work_and_die(&app, &ai, k).await;
        app.clock.advance(LEASE_OVER);
        app.work().await;
        assert_eq!(distinct(&ai.asked()), calls, "{k}");
        assert_eq!(told(&app, &course).await, whole, "{k}");
    }
}

#[actix_web::test]
async fn progress_counts_steps_and_nothing_shows_before_the_end() {
    let ai = ScriptedAi::new([]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, json!({})).await;
    let before = read(&app, &id).await;
    assert_eq!(before["progress"], json!({"completed": 0, "total": 1}));
    assert_eq!(of_steps(&before, "key"), ["outline"]);
    assert_eq!(before["usage"], Value::Null);
    ai.fall_silent_after(Some(1));
    let mut work = pin!(app.work());
    let mut total = 0;
    for done in 1.. {
        if !works_until_silent(&ai, work.as_mut()).await {
            break;
        }
        let seen = read(&app, &id).await;
        assert_eq!(seen["progress"]["completed"], json!(done));
        let now = seen["progress"]["total"].as_u64().unwrap();
        assert!(total == 0 || now == total, "{total} {now}");
        total = now;
        assert_eq!(of_steps(&seen, "key").len(), usize::try_from(now).unwrap());
        assert!(is_empty(&app, &course).await);
        assert!(list(&app, "lessons").await.is_empty());
        ai.fall_silent_after(Some(done + 1));
        ai.wake_up();
    }
    let ready = read(&app, &id).await;
    assert_eq!(
        ready["progress"],
        json!({"completed": total, "total": total})
    );
    assert!(
        of_steps(&ready, "status")
            .iter()
            .all(|status| *status == "ready")
    );
    assert!(!is_empty(&app, &course).await);
}

#[actix_web::test]
async fn after_a_cancellation_nothing_is_asked_and_the_next_one_takes_over_what_was_paid() {
    for database in [Database::Sqlite, Database::Postgres] {
        let ai = ScriptedAi::model([]);
        let app = with(&ai, database).await;
        let course = course(&app, 2).await;
        let more = json!({"budget": {"usd": 5}});
        let id = start(&app, &course, more.clone()).await;
        ai.fall_silent_after(Some(3));
        let mut work = pin!(app.work());
        assert!(works_until_silent(&ai, work.as_mut()).await);
        let path = format!("/v1/generations/{id}/cancel");
        let canceled = app.post(&path, json!({})).await;
        assert_eq!(canceled.status, 200, "{}", canceled.body);
        ai.fall_silent_after(None);
        ai.wake_up();
        work.await;
        // The call that was under way is paid for and kept.
        assert_eq!(ai.asked().len(), 4);
        let off = read(&app, &id).await;
        assert_eq!(off["status"], "canceled");
        let ready = of_steps(&off, "status");
        assert_eq!(ready.iter().filter(|one| **one == "ready").count(), 4);
        assert_eq!(off["usage"]["tokens_in"], 44);
        assert!(is_empty(&app, &course).await);

        let next = start(&app, &course, more.clone()).await;
        app.work().await;
        let landed = read(&app, &next).await;
        assert_eq!(landed["status"], "ready", "{landed}");
        let asked = ai.asked();
        assert_eq!(distinct(&asked), asked.len(), "{database:?}");
        let attempts = of_steps(&landed, "attempts");
        assert_eq!(attempts[..4], [0, 0, 0, 0]);
        let paid = 11 * (asked.len() - 4);
        assert_eq!(landed["usage"]["tokens_in"], json!(paid));
        assert_eq!(landed["steps"][0]["model"], "scripted-1");
        assert_eq!(landed["steps"][0]["cost_usd"], Value::Null);

        // What has landed is nobody's any more: the same once more is made anew.
        start(
            &app,
            &course,
            json!({"mode": "replace", "budget": {"usd": 5}}),
        )
        .await;
        app.work().await;
        assert_eq!(ai.asked().len(), 2 * asked.len());
    }
}

#[actix_web::test]
async fn something_else_takes_nothing_over() {
    let ai = ScriptedAi::model([Scripted::Itself, Scripted::Refused]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    start(&app, &course, json!({"budget": {"usd": 5}})).await;
    app.work().await;
    let other = json!({"brief": "Knife skills for beginners", "budget": {"usd": 5}});
    let id = start(&app, &course, other).await;
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    assert!(of_steps(&ready, "attempts").iter().all(|one| **one == 1));
}

#[actix_web::test]
async fn a_step_that_is_refused_is_named_and_a_retry_goes_on_from_there() {
    let ai = ScriptedAi::new([Scripted::Itself, Scripted::Itself, Scripted::Refused]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, json!({})).await;
    app.work().await;
    let failed = read(&app, &id).await;
    assert_eq!(failed["error"]["code"], "provider_refused");
    let message = failed["error"]["message"].as_str().unwrap();
    assert!(message.contains("step lesson/1.2"), "{message}");
    assert_eq!(failed["steps"][2]["status"], "error");
    assert_eq!(failed["progress"]["completed"], 2);
    assert!(is_empty(&app, &course).await);
    let retry = format!("/v1/generations/{id}/retry");
    let again = app.post(&retry, json!({})).await;
    assert_eq!(again.status, 202, "{}", again.body);
    assert_eq!(again.body["steps"][2]["status"], "pending");
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    assert_eq!(ready["steps"][2]["attempts"], 2);
    let asked = ai.asked();
    assert_eq!(asked.len(), distinct(&asked) + 1);
}

#[actix_web::test]
async fn an_outage_in_the_middle_keeps_what_is_finished() {
    let script = [
        Scripted::Itself,
        Scripted::Itself,
        Scripted::Unavailable(None),
    ];
    let ai = ScriptedAi::new(script);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, json!({})).await;
    app.work().await;
    let waiting = read(&app, &id).await;
    assert_eq!(waiting["status"], "pending");
    let step = &waiting["steps"][2];
    assert_eq!(
        (&step["status"], &step["attempts"]),
        (&json!("pending"), &json!(1))
    );
    app.clock.advance(200);
    app.work().await;
    assert_eq!(read(&app, &id).await["status"], "ready");
    let asked = ai.asked();
    assert_eq!(asked.len(), distinct(&asked) + 1);
}

#[actix_web::test]
async fn a_failure_waits_for_what_is_under_way_beside_it() {
    // Without a budget, lessons are written side by side: the first is refused, two more are under way.
    let ai = ScriptedAi::model([Scripted::Itself, Scripted::Refused]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, json!({})).await;
    app.work().await;
    let failed = read(&app, &id).await;
    assert_eq!(failed["error"]["code"], "provider_refused");
    let ready = of_steps(&failed, "status");
    let kept = ready.iter().filter(|one| **one == "ready").count();
    assert_eq!(kept, ai.asked().len() - 1, "every answer is kept");
    app.post(&format!("/v1/generations/{id}/retry"), json!({}))
        .await;
    app.work().await;
    assert_eq!(read(&app, &id).await["status"], "ready");
    let asked = ai.asked();
    assert_eq!(asked.len(), distinct(&asked) + 1);
}

#[actix_web::test]
async fn a_budget_holds_over_all_steps_and_attempts() {
    for (budget, more) in [
        (json!({"tokens": 18 * 4 + 17}), json!({"tokens": 1_000_000})),
        (json!({"usd": 0.001}), json!({"usd": 1})),
    ] {
        let ai = ScriptedAi::model([]);
        let app = with(&ai, Database::Sqlite).await;
        let course = course(&app, 2).await;
        let id = start(&app, &course, json!({"budget": budget})).await;
        app.work().await;
        let failed = read(&app, &id).await;
        assert_eq!(failed["error"]["code"], "ai_budget_exceeded", "{failed}");
        assert_eq!(
            (ai.asked().len(), &failed["progress"]["completed"]),
            (4, &json!(4))
        );
        assert_eq!(
            failed["usage"],
            json!({"tokens_in": 44, "tokens_out": 28, "cost_usd": 0.001})
        );
        let retry = format!("/v1/generations/{id}/retry");
        app.post(&retry, json!({})).await;
        app.work().await;
        let still = read(&app, &id).await;
        assert_eq!(still["error"]["code"], "ai_budget_exceeded");
        assert_eq!(ai.asked().len(), 4);
        let again = app.post(&retry, json!({"budget": more})).await;
        assert_eq!(again.status, 202, "{}", again.body);
        app.work().await;
        let ready = read(&app, &id).await;
        assert_eq!(ready["status"], "ready", "{ready}");
        let asked = ai.asked();
        assert_eq!(distinct(&asked), asked.len());
        assert_eq!(ready["usage"]["tokens_in"], json!(11 * asked.len()));
    }
}

#[actix_web::test]
async fn of_two_workers_only_the_newer_one_stores_anything() {
    for database in [Database::Sqlite, Database::Postgres] {
        let ai = ScriptedAi::model([]);
        let app = with(&ai, database).await;
        let course = course(&app, 2).await;
        let id = start(&app, &course, json!({"budget": {"usd": 5}})).await;
        ai.fall_silent_after(Some(3));
        let mut late = pin!(app.work());
        assert!(works_until_silent(&ai, late.as_mut()).await);
        ai.fall_silent_after(None);
        app.clock.advance(LEASE_OVER);
        app.work().await;
        let ready = read(&app, &id).await;
        assert_eq!(ready["status"], "ready", "{ready}");
        let (calls, whole) = (ai.asked().len(), told(&app, &course).await);
        ai.wake_up();
        late.await;
        assert_eq!(ai.asked().len(), calls);
        assert_eq!(read(&app, &id).await, ready);
        assert_eq!(told(&app, &course).await, whole);
        assert_eq!(events(&app, "generation.ready").await.len(), 1);
    }
}

#[actix_web::test]
async fn a_target_deleted_in_the_middle_ends_it() {
    let ai = ScriptedAi::new([]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, json!({})).await;
    ai.fall_silent_after(Some(2));
    let mut work = pin!(app.work());
    assert!(works_until_silent(&ai, work.as_mut()).await);
    let gone = app.delete(&format!("/v1/courses/{course}")).await;
    assert_eq!(gone.status, 200);
    ai.fall_silent_after(None);
    ai.wake_up();
    work.await;
    assert_eq!(read(&app, &id).await["status"], "canceled");
    assert_eq!(ai.asked().len(), 3);
}

#[actix_web::test]
async fn what_a_generation_is_asked_with_is_checked() {
    let ai = ScriptedAi::model([]);
    let app = with(&ai, Database::Sqlite).await;
    let school = crate::school::School::open(&app).await;
    let empty = json!({"unit_id": school.unit, "name": "Trays"});
    let lesson = made(&app, &app.owner, "lessons", empty).await;
    let empty = json!({"lesson_id": school.lesson, "kind": "reflection", "name": "R"});
    let activity = made(&app, &app.owner, "activities", empty).await;
    for path in [
        format!("courses/{}/syllabus", school.course),
        format!("units/{}/generate", school.unit),
        format!("lessons/{lesson}/generate"),
        format!("lessons/{lesson}/activities/generate"),
        format!("activities/{activity}/generate"),
    ] {
        for (more, field) in [
            (json!({"model": "unheard-of"}), "model"),
            (json!({"source_text": "x".repeat(100_001)}), "source_text"),
            (json!({"source_text": 7}), "source_text"),
            (json!({"budget": {"tokens": 0}}), "budget.tokens"),
            (json!({"budget": {"usd": -1}}), "budget.usd"),
            (json!({"budget": 5}), "budget"),
        ] {
            let mut body = json!({"brief": BRIEF, "kind": "quiz"});
            let members = more.as_object().cloned().unwrap();
            body.as_object_mut().unwrap().extend(members);
            let refused = app.post(&format!("/v1/{path}"), body).await;
            assert_refused(&refused, 400, "invalid_field", field);
        }
    }
    let path = format!("/v1/courses/{}/syllabus", school.course);
    let body = json!({"brief": BRIEF, "content": "half"});
    assert_refused(
        &app.post(&path, body).await,
        400,
        "invalid_field",
        "content",
    );
    assert!(list(&app, "generations").await.is_empty());
}
