//! What a model answers: whatever it is, a grade that comes of it is within the rubric and adds up.

use std::sync::LazyLock;

use lyceum_ai::model::read_grade;
use lyceum_domain::authoring::assignments::FeedbackStyle;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{GradingTask, judge};
use lyceum_domain::points::Points;
use lyceum_domain::text::LanguageTag;
use serde_json::json;

static TASK: LazyLock<GradingTask> = LazyLock::new(|| {
    let rubric = json!({"criteria": [
        {"id": "accuracy", "name": "Accuracy", "max_points": 2.5, "weight": 3},
        {"id": "style", "name": "Style", "levels": [
            {"id": "poor", "label": "poor", "points": 0},
            {"id": "good", "label": "good", "points": 4},
        ]},
    ]});
    GradingTask {
        assignment_name: "Osmosis".to_owned(),
        instructions: "Explain osmosis.".to_owned(),
        rubric: Rubric::parse("rubric", rubric.as_object().unwrap()).unwrap(),
        submission:
            "Water moves through a membrane to where more is dissolved. It needs no energy."
                .to_owned(),
        course_instructions: String::new(),
        course_language: "en".to_owned(),
        feedback: FeedbackStyle::of_course(LanguageTag::english()),
        anchors: Vec::new(),
        private: Vec::new(),
        model: String::new(),
    }
});

pub fn fuzz(data: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(data);
    let Ok(proposal) = read_grade(&TASK, &answer) else {
        return false;
    };
    let task = &*TASK;
    let judged = judge(&task.rubric, &task.submission, &proposal, Points::HUNDRED);
    assert!((Points::ZERO..=Points::HUNDRED).contains(&judged.score));
    assert_eq!(judged.criteria.len(), task.rubric.criteria.len());
    for (given, criterion) in judged.criteria.iter().zip(&task.rubric.criteria) {
        assert_eq!(given.criterion_id, criterion.id);
        assert!((Points::ZERO..=criterion.max_points).contains(&given.score));
        for evidence in &given.evidence {
            assert!(
                task.submission.contains(evidence.quote.as_str()),
                "{evidence:?}"
            );
        }
    }
    true
}
