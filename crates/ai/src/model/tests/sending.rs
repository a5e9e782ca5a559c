//! What leaves is declared: no text comes into a prompt whose class is not in the books.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::drafts::{ActivitiesTask, DraftFrame, LessonTask, UnitTask};
use lyceum_domain::drafting::tutor::TutorTask;
use lyceum_domain::grading::explanations::ExplanationTask;
use lyceum_domain::grading::grades::Anchor;
use lyceum_domain::text::LanguageTag;
use lyceum_ports::drafting::ai::{AiProvider, QuizTask, SupportTask};
use lyceum_ports::drafting::ai_calls::{AiFeature, Meter};
use serde_json::json;
use wiremock::{MockServer, ResponseTemplate};

use super::{adapter, answering, brief, task};
use crate::model::LanguageModel;

/// Texts by which fields are known again, and the class of each.
const MARKS: &[(&str, &str)] = &[
    ("marked-assignment", "assignment"),
    ("marked-brief", "brief"),
    ("marked-guidance", "course_instructions"),
    ("marked-outline", "course_outline"),
    ("marked-grade", "grade"),
    ("marked-example", "graded_examples"),
    ("marked-lesson", "lesson_text"),
    ("marked-quiz", "quiz_questions"),
    ("marked-reference", "reference_answers"),
    ("marked-rubric", "rubric"),
    ("marked-source", "source_text"),
    ("marked-submission", "submission_text"),
    ("marked-talk", "tutor_messages"),
];

struct Sent {
    feature: AiFeature,
    classes: Vec<&'static str>,
}

/// What one call sent and said it sent.
async fn sent(server: &MockServer, meter: &Meter) -> Sent {
    let requests = server.received_requests().await.unwrap();
    let body = String::from_utf8(requests[0].body.clone()).unwrap();
    let call = meter.take().remove(0);
    for (mark, class) in MARKS {
        let declared = call.sent.contains(class);
        assert!(!body.contains(mark) || declared, "{mark} leaves undeclared");
    }
    Sent {
        feature: call.feature,
        classes: call.sent,
    }
}

/// A server that takes nothing, which is enough to see what it is given.
async fn unwilling() -> (MockServer, LanguageModel, Meter) {
    let server = answering(vec![ResponseTemplate::new(401)]).await;
    let adapter = adapter(&server);
    (server, adapter, Meter::default())
}

fn mark(name: &str) -> String {
    format!("marked-{name}")
}

fn rubric() -> Rubric {
    let rubric = json!({"criteria": [{"id": "c", "name": mark("rubric"), "max_points": 4,
        "reference_answers": [mark("reference")]}]});
    Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap()
}

fn frame() -> DraftFrame {
    DraftFrame {
        course_name: mark("outline"),
        course_description: mark("outline"),
        language: LanguageTag::english(),
        instructions: mark("guidance"),
        unit_name: mark("outline"),
        unit_description: mark("outline"),
        brief: mark("brief"),
        source_text: mark("source"),
        model: String::new(),
    }
}

#[tokio::test]
async fn grading_and_explaining_declare_what_they_send() {
    let (server, adapter, meter) = unwilling().await;
    let mut grading = task();
    grading.assignment_name = mark("assignment");
    grading.rubric = rubric();
    grading.submission = mark("submission");
    grading.course_instructions = mark("guidance");
    grading.anchors = vec![Anchor {
        grade_id: "grd_1".to_owned(),
        text: mark("example"),
        points: Vec::new(),
        reason: mark("example"),
    }];
    assert!(adapter.grade(grading.clone(), &meter).await.is_err());
    let all = [
        "assignment",
        "rubric",
        "reference_answers",
        "course_instructions",
        "graded_examples",
        "submission_text",
    ];
    let found = sent(&server, &meter).await;
    assert_eq!(found.feature, AiFeature::Grading);
    assert_eq!(found.classes, all);

    let (server, adapter, meter) = unwilling().await;
    let explaining = ExplanationTask {
        assignment_name: grading.assignment_name,
        instructions: mark("assignment"),
        rubric: grading.rubric,
        submission: grading.submission,
        score: lyceum_domain::points::Points::whole(1),
        max_score: lyceum_domain::points::Points::HUNDRED,
        results: Vec::new(),
        feedback: mark("grade"),
        course_instructions: String::new(),
        course_language: "en".to_owned(),
        private: Vec::new(),
        model: String::new(),
    };
    assert!(adapter.explain_grade(explaining, &meter).await.is_err());
    let found = sent(&server, &meter).await;
    assert_eq!(found.feature, AiFeature::Explaining);
    assert_eq!(
        found.classes,
        [
            "assignment",
            "rubric",
            "reference_answers",
            "grade",
            "submission_text"
        ]
    );
}

#[tokio::test]
async fn what_is_empty_is_not_declared() {
    let (server, adapter, meter) = unwilling().await;
    assert!(adapter.grade(task(), &meter).await.is_err());
    let found = sent(&server, &meter).await;
    assert_eq!(found.classes, ["assignment", "rubric", "submission_text"]);
}

#[tokio::test]
async fn drafting_declares_what_it_sends() {
    let around = [
        "course_outline",
        "course_instructions",
        "brief",
        "source_text",
    ];
    let (server, adapter, meter) = unwilling().await;
    let mut plan = brief();
    plan.course_name = mark("outline");
    plan.brief = mark("brief");
    plan.instructions = mark("guidance");
    plan.source_text = mark("source");
    assert!(adapter.draft_syllabus(plan, &meter).await.is_err());
    assert_eq!(sent(&server, &meter).await.classes, around);

    let (server, adapter, meter) = unwilling().await;
    let unit = UnitTask {
        frame: frame(),
        objectives: vec![mark("outline")],
        lesson_names: vec![mark("outline")],
        minutes: 60,
    };
    assert!(adapter.draft_unit(unit, &meter).await.is_err());
    assert_eq!(sent(&server, &meter).await.classes, around);

    let (server, adapter, meter) = unwilling().await;
    let lesson = LessonTask {
        frame: frame(),
        name: mark("outline"),
        summary: mark("outline"),
        objectives: Vec::new(),
        siblings: Vec::new(),
        minutes: 0,
    };
    assert!(adapter.draft_lesson(lesson, &meter).await.is_err());
    assert_eq!(sent(&server, &meter).await.classes, around);

    let (server, adapter, meter) = unwilling().await;
    let cards = ActivitiesTask {
        frame: frame(),
        lesson_name: mark("outline"),
        objectives: Vec::new(),
        content: mark("lesson"),
        siblings: Vec::new(),
        kind: ActivityKind::Flashcards,
        count: 1,
        items: None,
        names: Vec::new(),
        unit_texts: Vec::new(),
    };
    assert!(adapter.draft_activities(cards, &meter).await.is_err());
    let found = sent(&server, &meter).await;
    assert_eq!(found.feature, AiFeature::Drafting);
    assert_eq!(found.classes[..4], around);
    assert_eq!(found.classes[4], "lesson_text");
}

#[tokio::test]
async fn the_tutor_and_checks_of_drafts_declare_what_they_send() {
    let (server, adapter, meter) = unwilling().await;
    let talk = TutorTask {
        others: Vec::new(),
        guarded: Vec::new(),
        hint_level: 1,
        course_name: mark("outline"),
        language: "en".to_owned(),
        course_instructions: mark("guidance"),
        tutor_instructions: mark("guidance"),
        lesson_name: mark("outline"),
        summary: mark("outline"),
        objectives: Vec::new(),
        content: mark("lesson"),
        earlier: vec![(mark("talk"), mark("talk"))],
        message: mark("talk"),
        private: Vec::new(),
        model: String::new(),
    };
    assert!(adapter.tutor(talk, &meter).await.is_err());
    let found = sent(&server, &meter).await;
    assert_eq!(found.feature, AiFeature::Tutoring);
    assert_eq!(
        found.classes,
        [
            "course_outline",
            "course_instructions",
            "lesson_text",
            "tutor_messages"
        ]
    );

    let (server, adapter, meter) = unwilling().await;
    let quiz = json!({"questions": [{"id": "q1", "type": "short_text", "prompt": mark("quiz")}]});
    let check = QuizTask {
        language: "en".to_owned(),
        lesson: mark("lesson"),
        quiz: quiz.as_object().unwrap().clone(),
        model: String::new(),
    };
    assert!(adapter.answer_quiz(check, &meter).await.is_err());
    let found = sent(&server, &meter).await;
    assert_eq!(found.feature, AiFeature::Checking);
    assert_eq!(found.classes, ["lesson_text", "quiz_questions"]);

    let (server, adapter, meter) = unwilling().await;
    let lesson = SupportTask {
        language: "en".to_owned(),
        sentences: vec![mark("lesson")],
        source_text: mark("source"),
        model: String::new(),
    };
    assert!(adapter.check_support(lesson, &meter).await.is_err());
    let found = sent(&server, &meter).await;
    assert_eq!(found.feature, AiFeature::Checking);
    assert_eq!(found.classes, ["source_text", "lesson_text"]);
}
