//! A course is written.

use serde_json::{Value, json};

use super::Story;
use crate::direct_uploads;
use crate::media;

/// Its ids.
pub struct Course {
    pub id: String,
    pub unit: String,
    pub lesson: String,
    pub activity: String,
    pub assignment: String,
}

pub async fn tell(story: &mut Story) -> Course {
    let id = story.tell("createCourse", json!({}), course()).await.id();
    let of = |id: &str| json!({ "id": id });
    story
        .ask(
            "retrieveCourse",
            of(&id),
            json!({ "expand": "units.lessons" }),
        )
        .await;
    let query = json!({ "status": "draft", "language": "en", "q": "food", "limit": 20 });
    story.ask("listCourses", json!({}), query).await;
    let change = json!({ "hours": 12, "metadata": { "level": "starter" } });
    story.tell("updateCourse", of(&id), change).await;
    let course = content(story, id).await;
    let id = course.id.clone();
    story.tell("publishCourse", of(&id), Value::Null).await;
    let copy = json!({ "name": "Food safety, the next year", "metadata": { "year": 2027 } });
    let copy = story.tell("cloneCourse", of(&id), copy).await.id();
    story.app.delete(&format!("/v1/courses/{copy}")).await;
    waiting(story, &course).await;
    generations(story, &course).await;
    course
}

/// What waits for the published course, and goes live.
async fn waiting(story: &mut Story, course: &Course) {
    let of = || json!({ "id": course.id });
    let path = format!("/v1/lessons/{}?draft=true", course.lesson);
    let text = "Bacteria double every 20 minutes between 5 and 60 °C. Cool food from 60 to 5 °C within four hours.";
    let waits = story.app.patch(&path, json!({ "content": text })).await;
    assert_eq!(waits.status, 200, "{}", waits.body);
    story.ask("retrieveCourseDraft", of(), json!({})).await;
    let draft = format!("/v1/courses/{}/draft", course.id);
    let revision = story.app.get(&draft).await.body["revision"].clone();
    let seen = json!({ "revision": revision });
    story.tell("publishCourseDraft", of(), seen).await;
    let only = json!({ "object_id": course.lesson });
    let waits = story.app.patch(&path, json!({ "summary": "Soon." })).await;
    assert_eq!(waits.status, 200, "{}", waits.body);
    story.ask("discardCourseDraft", of(), only).await;
}

fn course() -> Value {
    json!({
        "name": "Food safety in restaurant kitchens",
        "language": "en",
        "description": "Keep guests safe: temperatures, cleaning, allergens.",
        "hours": 8,
        "ai": {
            "instructions": "Write for kitchen staff. Short sentences.",
            "evaluator": { "model": "builtin" },
        },
        "tutor": { "greeting": "Ask me about the lesson." },
        "metadata": { "department": "kitchen" },
    })
}

/// A picture comes, is looked at, described, and taken out again.
pub async fn library(story: &mut Story) {
    let of = |id: &str| json!({ "id": id });
    let texts = [("title", "A pot, cut open"), ("license", "CC BY 4.0")];
    let media = story
        .tell_form("createMedia", &media::picture(""), &texts)
        .await
        .id();
    story.app.work().await;
    story.ask("retrieveMedia", of(&media), json!({})).await;
    let query = json!({ "kind": "image", "status": "ready" });
    story.ask("listMedia", json!({}), query).await;
    let described = json!({ "alt_text": "A pot of stew, 30 cm deep, cut open from the side" });
    story.tell("updateMedia", of(&media), described).await;
    story.tell("deleteMedia", of(&media), Value::Null).await;
    let film = json!({ "size_bytes": 419_430_400, "file_name": "cooling.mp4", "title": "A pot, cooling down" });
    let film = story.tell("createMediaUpload", json!({}), film).await.id();
    story.ask("retrieveMediaUpload", of(&film), json!({})).await;
    let pot = media::picture("straight to the bucket");
    let begun = json!({ "size_bytes": pot.len(), "file_name": "pot.png", "direct": true });
    let begun = story.app.post("/v1/media_uploads", begun).await.id();
    direct_uploads::put(&story.app, &begun, &pot);
    story
        .tell("completeMediaUpload", of(&begun), Value::Null)
        .await;
}

async fn content(story: &mut Story, course: String) -> Course {
    let of = |id: &str| json!({ "id": id });
    let unit = json!({
        "course_id": course, "name": "Cooling", "description": "From the stove to the fridge.",
        "objectives": ["Name the danger zone", "Cool a pot in time"],
    });
    let unit = story.tell("createUnit", json!({}), unit).await.id();
    story.ask("retrieveUnit", of(&unit), json!({})).await;
    story
        .ask("listUnits", json!({}), json!({ "course_id": course }))
        .await;
    story
        .tell(
            "updateUnit",
            of(&unit),
            json!({ "name": "Cooling food safely" }),
        )
        .await;
    story
        .tell("moveUnit", of(&unit), json!({ "position": 0 }))
        .await;

    let together = json!({ "ids": [unit], "position": 0 });
    story.tell("moveTogether", of(&course), together).await;

    let lesson = json!({
        "unit_id": unit, "name": "The danger zone", "duration_minutes": 20,
        "summary": "Why food must not stay between 5 and 60 degrees.",
        "content": "Bacteria double every 20 minutes between 5 and 60 °C. Cool food from 60 to 5 °C within six hours.",
    });
    let lesson = story.tell("createLesson", json!({}), lesson).await.id();
    story
        .ask(
            "retrieveLesson",
            of(&lesson),
            json!({ "expand": "activities" }),
        )
        .await;
    story
        .ask("listLessons", json!({}), json!({ "unit_id": unit }))
        .await;
    story
        .tell(
            "updateLesson",
            of(&lesson),
            json!({ "duration_minutes": 25 }),
        )
        .await;
    story
        .tell(
            "moveLesson",
            of(&lesson),
            json!({ "position": 0, "unit_id": unit }),
        )
        .await;
    versions(story, &lesson).await;

    let activity =
        json!({ "lesson_id": lesson, "kind": "quiz", "name": "Check yourself", "content": quiz() });
    let activity = story.tell("createActivity", json!({}), activity).await.id();
    story
        .ask("retrieveActivity", of(&activity), json!({}))
        .await;
    story
        .ask(
            "listActivities",
            json!({}),
            json!({ "lesson_id": lesson, "kind": "quiz" }),
        )
        .await;
    story
        .tell(
            "updateActivity",
            of(&activity),
            json!({ "name": "Check what you know" }),
        )
        .await;
    story
        .tell(
            "moveActivity",
            of(&activity),
            json!({ "position": 0, "lesson_id": lesson }),
        )
        .await;
    story
        .ask("listActivityVersions", of(&activity), json!({}))
        .await;
    let assignment = assignment(story, &unit).await;
    Course {
        id: course,
        unit,
        lesson,
        activity,
        assignment,
    }
}

/// What the lesson was before it changed, and is again.
async fn versions(story: &mut Story, lesson: &str) {
    let path = format!("/v1/lessons/{lesson}/versions");
    let of = json!({ "id": lesson });
    story.ask("listLessonVersions", of, json!({})).await;
    let version = story.app.get(&path).await.body["data"][0]["id"].clone();
    let of = || json!({ "id": version });
    story.ask("retrieveVersion", of(), json!({})).await;
    story.tell("restoreVersion", of(), Value::Null).await;
}

async fn assignment(story: &mut Story, unit: &str) -> String {
    let of = |id: &str| json!({ "id": id });
    let assignment = json!({
        "unit_id": unit, "name": "Cooling plan", "max_score": 100, "max_attempts": 3,
        "instructions": "Describe how your kitchen cools a 20-litre pot of soup.",
        "due_at": "2026-12-24T18:00:00Z",
    });
    let assignment = story
        .tell("createAssignment", json!({}), assignment)
        .await
        .id();
    story
        .ask(
            "retrieveAssignment",
            of(&assignment),
            json!({ "expand": "unit" }),
        )
        .await;
    story
        .ask("listAssignments", json!({}), json!({ "unit_id": unit }))
        .await;
    story
        .tell(
            "updateAssignment",
            of(&assignment),
            json!({ "name": "Your cooling plan" }),
        )
        .await;
    story
        .ask("listAssignmentVersions", of(&assignment), json!({}))
        .await;
    let configuration = json!({
        "rubric": { "criteria": [{ "name": "Temperatures", "max_points": 60 }, { "name": "Time", "max_points": 40 }] },
        "ai_evaluator": { "enabled": true, "model": "builtin" },
        "human_review": "optional",
        "feedback": { "tone": "encouraging", "verbosity": "normal", "language": "en" },
    });
    story
        .tell("configureAssignment", of(&assignment), configuration)
        .await;
    story
        .tell("resetAssignmentConfiguration", of(&assignment), Value::Null)
        .await;
    let feedback = json!({ "tone": "encouraging", "verbosity": "brief" });
    story
        .tell("configureAssignmentFeedback", of(&assignment), feedback)
        .await;
    story
        .tell("configureAssignmentRubric", of(&assignment), rubric())
        .await;
    assignment
}

fn rubric() -> Value {
    json!({ "criteria": [
        {
            "id": "temperatures", "name": "Temperatures", "weight": 2,
            "description": "Names the temperatures between which food must not stay.",
            "levels": [
                { "id": "both", "label": "Both limits", "points": 60 },
                { "id": "one", "label": "One limit", "points": 30 },
                { "id": "none", "label": "None", "points": 0 },
            ],
        },
        { "id": "time", "name": "Time", "description": "Says within how many hours food is cold.", "max_points": 40 },
    ]})
}

fn quiz() -> Value {
    json!({
        "passing_percent": 60, "shuffle": false, "show_answers": "after_submit",
        "questions": [
            {
                "id": "q1", "type": "single_choice", "prompt": "Where does the danger zone end?",
                "options": [
                    { "id": "a", "text": "At 60 °C", "correct": true },
                    { "id": "b", "text": "At 90 °C", "correct": false },
                ],
                "explanation": "Above 60 °C bacteria stop growing.",
            },
        ],
    })
}

async fn generations(story: &mut Story, course: &Course) {
    let of = |id: &str| json!({ "id": id });
    let wanted =
        json!({ "brief": "Food safety for new kitchen staff", "hours": 2, "mode": "append" });
    let generation = story
        .tell("generateSyllabus", of(&course.id), wanted)
        .await
        .id();
    story.app.work().await;
    story
        .tell("retryGeneration", of(&generation), Value::Null)
        .await;
    story
        .tell("cancelGeneration", of(&generation), Value::Null)
        .await;
    story
        .ask("retrieveGeneration", of(&generation), json!({}))
        .await;
    story
        .ask(
            "listGenerations",
            json!({}),
            json!({ "status": "canceled" }),
        )
        .await;
    drafting(story, course).await;
}

/// What AI proposes for a person to decide about.
async fn proposals(story: &mut Story, lesson: &str) {
    let of = |id: &str| json!({ "id": id });
    let unwanted = proposal(story, lesson).await;
    let (_, unwanted) = first_piece(&unwanted);
    let listed = proposal(story, lesson).await;
    let (generation, piece) = first_piece(&listed);
    story
        .ask("listGenerationPieces", of(&generation), json!({}))
        .await;
    story
        .ask("retrieveGenerationPiece", of(&piece), json!({}))
        .await;
    let changed = json!({ "activity": { "name": "Why rice is cooled fast" } });
    story
        .tell("acceptGenerationPiece", of(&piece), changed)
        .await;
    story
        .tell("discardGenerationPiece", of(&unwanted), Value::Null)
        .await;
    story
        .tell("reopenGenerationPiece", of(&unwanted), Value::Null)
        .await;
}

/// What AI proposes when it is asked for something to read.
async fn proposal(story: &mut Story, lesson: &str) -> Value {
    let path = format!("/v1/lessons/{lesson}/activities/generate");
    let wanted = json!({ "kind": "explainer", "review": true });
    let generation = story.app.post(&path, wanted).await.id();
    story.app.work().await;
    let path = format!("/v1/generations/{generation}/pieces");
    story.app.get(&path).await.body
}

/// The generation of what is listed, and the first of it.
fn first_piece(listed: &Value) -> (String, String) {
    let first = &listed["data"][0];
    assert!(first["id"].is_string(), "{listed:#}");
    let text = |member: &str| first[member].as_str().unwrap().to_owned();
    (text("generation_id"), text("id"))
}

/// AI fills what a person has only named.
async fn drafting(story: &mut Story, course: &Course) {
    let of = |id: &str| json!({ "id": id });
    let brief = json!({ "brief": "How to cool rice and soup" });
    story
        .tell("generateUnit", of(&course.unit), brief.clone())
        .await;
    let lesson = json!({ "unit_id": course.unit, "name": "Cooling rice" });
    let lesson = story.app.post("/v1/lessons", lesson).await.id();
    story.tell("generateLesson", of(&lesson), brief).await;
    let cards = json!({ "lesson_id": lesson, "kind": "flashcards", "name": "Cards" });
    let cards = story.app.post("/v1/activities", cards).await.id();
    story
        .tell(
            "generateActivity",
            of(&cards),
            json!({ "brief": "Times and temperatures" }),
        )
        .await;
    story.app.work().await;
    let wanted = json!({ "kind": "quiz", "count": 2, "brief": "Times and temperatures" });
    story.tell("generateActivities", of(&lesson), wanted).await;
    story.app.work().await;
    proposals(story, &lesson).await;
    story.tell("deleteActivity", of(&cards), Value::Null).await;
    let query = json!({ "object_id": cards, "limit": 1 });
    let deleted = story.ask("listTrash", json!({}), query).await;
    let item = json!({ "id": deleted.body["data"][0]["id"] });
    story
        .ask("retrieveTrashItem", item.clone(), json!({}))
        .await;
    story.tell("restoreTrashItem", item, Value::Null).await;
    story.tell("deleteLesson", of(&lesson), Value::Null).await;
    let query = format!("/v1/trash?object_id={lesson}");
    let deleted = story.app.get(&query).await.body;
    let item = json!({ "id": deleted["data"][0]["id"] });
    story.tell("deleteTrashItem", item, Value::Null).await;
}

/// What was written goes again.
pub async fn end(story: &mut Story, course: &Course) {
    let of = |id: &str| json!({ "id": id });
    story
        .ask(
            "deleteAssignment",
            of(&course.assignment),
            json!({ "force": true }),
        )
        .await;
    story
        .ask("deleteUnit", of(&course.unit), json!({ "force": true }))
        .await;
    story
        .tell("archiveCourse", of(&course.id), Value::Null)
        .await;
    story
        .tell("unarchiveCourse", of(&course.id), Value::Null)
        .await;
    story
        .ask("deleteCourse", of(&course.id), json!({ "force": true }))
        .await;
}

/// Many by one request: some at once, and more that somebody asks after.
pub async fn many(story: &mut Story) {
    let named = |name: &str| json!({ "body": { "name": name, "language": "en" } });
    let rows = json!([named("Cooling"), { "body": { "name": "Reheating" } }]);
    let some = json!({ "operation": "createCourse", "rows": rows });
    story.tell("createBulkWrite", json!({}), some).await;
    let many = json!({
        "operation": "createCourse", "rows": vec![named("Cooling"); 51], "dry_run": true,
    });
    let many = story.app.post("/v1/batch", many).await.id();
    story
        .ask("retrieveBulkWrite", json!({ "id": many }), json!({}))
        .await;
    story
        .ask("stopBulkWrite", json!({ "id": many }), json!({}))
        .await;
}
