//! A clock that was ahead and went back: what was put off while it was ahead waits as long as was meant.

use lyceum_application::running::node::{self, Introduction};
use lyceum_application::work;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::environment::Clock;
use serde_json::json;
use support::app::TestApp;
use support::receiver::Receiver;
use support::stores::Database;

use crate::school::{School, app_on};
use crate::scorm::ask;
use crate::webhooks::endpoint;

const DAY: i64 = 24 * 3_600;

/// What the process says every few seconds.
async fn beat(app: &TestApp) {
    let introduction = Introduction {
        name: None,
        host: "machine".to_owned(),
        process: None,
        version: "1".to_owned(),
        started_at: app.clock.now(),
        is_alone: false,
    };
    node::renew(&app.app, &introduction).await.unwrap();
}

/// How many deliveries and jobs can be taken up.
async fn taken_up(app: &TestApp) -> (usize, usize) {
    let deliveries = work::claim_deliveries(&app.app, 10).await.unwrap();
    let jobs = work::claim(&app.app, JobLane::Work, 10).await.unwrap();
    (deliveries.len(), jobs.len())
}

#[actix_web::test]
async fn what_was_queued_while_the_clock_was_ahead_is_done_when_it_is_right_again() {
    for database in [Database::Sqlite, Database::Postgres] {
        for is_restart in [false, true] {
            let app = app_on(database).await;
            let school = School::open(&app).await;
            let receiver = Receiver::answering([]).await;
            beat(&app).await;
            app.clock.advance(DAY);
            beat(&app).await;
            endpoint(&app, &receiver, json!(["course.created"])).await;
            app.post("/v1/courses", json!({"name": "Ahead", "language": "en"}))
                .await;
            ask(&app, json!({"cohort_id": school.cohort})).await;
            app.clock.advance(-DAY);
            assert_eq!(taken_up(&app).await, (0, 0), "it is not then yet");
            if is_restart {
                app.start_again().await;
            } else {
                beat(&app).await;
            }
            assert_eq!(taken_up(&app).await, (1, 1), "{database:?} {is_restart}");
        }
    }
}

#[actix_web::test]
async fn a_wait_that_was_meant_is_kept() {
    let app = TestApp::start().await;
    // It fails, and waits a second for its second attempt.
    let receiver = Receiver::answering([500]).await;
    endpoint(&app, &receiver, json!(["course.created"])).await;
    app.clock.advance(DAY);
    beat(&app).await;
    app.post("/v1/courses", json!({"name": "Ahead", "language": "en"}))
        .await;
    app.deliver().await;
    app.clock.advance(-DAY);
    beat(&app).await;
    assert_eq!(taken_up(&app).await.0, 0, "a second is not over yet");
    app.clock.advance(2);
    assert_eq!(taken_up(&app).await.0, 1);
}
