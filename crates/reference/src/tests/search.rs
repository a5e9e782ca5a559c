//! Looking for something.

use super::*;

/// Names of the pages that are shown, in their order.
fn found(question: &str) -> Vec<String> {
    let found = REFERENCE.index.find(question);
    found.shown.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn operations_are_found_by_their_words_their_path_and_their_name() {
    for (question, wanted) in [
        ("create a course", "createCourse"),
        ("createCourse", "createCourse"),
        ("CREATE COURSE", "createCourse"),
        ("/v1/courses/{id}/syllabus", "generateSyllabus"),
        ("idempotency", "createCourse"),
        ("handling strict", "updateCourse"),
        ("course.created", "onCourseCreated"),
        ("CourseView", "CourseView"),
        ("api keys", "listApiKeys"),
    ] {
        let index = &REFERENCE.index;
        let found = index.find(question);
        assert!(found.total > 0, "{question}");
        let is_there = found.shown.contains(&wanted) || found.total > found.shown.len();
        assert!(is_there, "{question}: {:?}", found.shown);
    }
}

#[test]
fn what_is_named_so_comes_first() {
    assert_eq!(found("publish a draft")[0], "publishCourse");
    assert_eq!(found("withdrawStudent")[0], "withdrawStudent");
    let about = found("tutor");
    assert!(
        about[0] == "askTutor" || about[0] == "listTutorReplies",
        "{about:?}"
    );
}

#[test]
fn nothing_is_said_to_be_nothing_and_questions_have_an_end() {
    assert!(page("/docs?q=qwertz").contains("Nothing in the reference has all of “qwertz”."));
    assert!(page("/docs?q=").contains("All operations"));
    assert!(page("/docs?q=%2F%2F").contains("Nothing in the reference"));
    let long = format!("/docs?q={}", "a".repeat(201));
    assert_eq!(get(&long).status(), StatusCode::BAD_REQUEST);
}

#[test]
fn what_was_asked_is_text() {
    let page = page("/docs?q=%3Cb%3E%22");
    assert!(page.contains("“&lt;b&gt;&quot;”"));
    assert!(page.contains("value=\"&lt;b&gt;&quot;\""));
}
