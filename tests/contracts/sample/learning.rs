//! What students do, with defaults for what a test is not about.

use lyceum_domain::Id;
use lyceum_domain::ids::{UserId, WorkspaceId};
use lyceum_domain::learning::attempts::{Attempt, AttemptResult, QuestionResult};
use lyceum_domain::learning::progress::LessonCompletion;
use lyceum_domain::points::Points;
use lyceum_ports::store::{StoreError, Tx};
use serde_json::{Value, json};

use crate::sample::content::{self, activity, lesson};
use crate::sample::id;
use crate::sample::now;
use crate::sample::people::{person, user};

/// The `n`-th attempt, the first of this user at activity 1 of the workspace's first course.
pub fn attempt(workspace: WorkspaceId, user: UserId, n: u64) -> Attempt {
    Attempt {
        workspace_id: workspace,
        id: id(n),
        activity_id: id(1),
        course_id: Id::from_uuid(workspace.uuid()),
        user_id: user,
        number: 1,
        answers: content::object(&json!({"q1": "«a»", "q2": [1.5, null]})),
        result: AttemptResult {
            score: Points::from_hundredths(133),
            max_score: Points::whole(2),
            percent: Some(67),
            passed: Some(false),
            questions: vec![
                question("q1", Some(true), json!({"1": "漢字"})),
                question("q2", None, Value::Null),
            ],
            shows_answers: true,
        },
        created_at: now(),
    }
}

fn question(id: &str, correct: Option<bool>, right_answer: Value) -> QuestionResult {
    QuestionResult {
        question_id: id.to_owned(),
        correct,
        score: Points::from_hundredths(133),
        max_score: Points::whole(2),
        feedback: "«Yes.»\nNo.".to_owned(),
        explanation: String::new(),
        right_answer,
    }
}

/// The `n`-th completion, of a lesson of the workspace's first course.
pub fn completion(workspace: WorkspaceId, user: UserId, lesson: u64, n: u64) -> LessonCompletion {
    LessonCompletion {
        workspace_id: workspace,
        id: id(n),
        user_id: user,
        lesson_id: id(lesson),
        course_id: Id::from_uuid(workspace.uuid()),
        created_at: now(),
    }
}

/// Courses of workspaces 1 and 2; in the first the lessons and activities 1 to 3 and the students 1 to 3.
pub fn put_learners(tx: &mut dyn Tx) -> Result<(), StoreError> {
    content::put_lessons(tx)?;
    for n in 2..=3 {
        // Lesson 2 of the samples is of workspace 2, whose ids are its own.
        tx.lessons().insert(&lesson(id(1), n))?;
    }
    for n in 1..=3 {
        tx.activities().insert(&activity(id(1), n))?;
        tx.users().insert_person(&person(n))?;
        tx.users().insert(&user(id(1), n))?;
    }
    Ok(())
}
