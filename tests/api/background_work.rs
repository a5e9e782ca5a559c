//! What a workspace has under way in the background, and nobody else's.

use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on};

async fn under_way(app: &TestApp, caller: &Caller) -> Value {
    let told = app.call(caller, "GET", "/v1/background_work", None).await;
    assert_eq!(told.status, 200, "{}", told.body);
    told.body
}

#[actix_web::test]
async fn a_workspace_is_told_what_it_has_under_way_and_nobody_else_is() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let stranger = app.another_workspace("other").await;
        let nothing = json!({
            "object": "background_work", "waiting": 0, "waiting_since": null, "running": 0, "later": 0, "given_up": 0, "kinds": [],
        });
        assert_eq!(under_way(&app, &app.owner).await, nothing);
        for n in 1..=2 {
            let id = school.hand_in(&app, &format!("Text {n}.")).await;
            let asked = app
                .post(&format!("/v1/submissions/{id}/ai"), json!({}))
                .await;
            assert_eq!(asked.status, 202, "{}", asked.body);
        }
        let told = under_way(&app, &app.owner).await;
        assert_eq!((&told["waiting"], &told["running"]), (&json!(2), &json!(0)));
        let [kind] = told["kinds"].as_array().unwrap().as_slice() else {
            panic!("{told}")
        };
        assert_eq!(
            (&kind["kind"], &kind["lane"], &kind["waiting"]),
            (&json!("grade_submission"), &json!("ai"), &json!(2))
        );
        assert_eq!(told["waiting_since"], kind["waiting_since"]);
        assert!(told["waiting_since"].is_string(), "{told}");
        assert_eq!(under_way(&app, &stranger).await, nothing);
        app.work().await;
        assert_eq!(under_way(&app, &app.owner).await, nothing);
    }
}
