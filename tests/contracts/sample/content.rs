//! Content, and what is handed in for it, with defaults for what a test is not about.
//!
//! Every builder takes the workspace first and hangs its thing on the parents that have the workspace's own
//! number: in workspace 1 on course 1, unit 1, lesson 1, assignment 1, student 1 and cohort 1. The functions
//! that take a transaction put exactly those parents into workspaces 1 and 2.

use std::time::Duration;

use lyceum_domain::Id;
use lyceum_domain::authoring::activities::{Activity, ActivityContent, ActivityKind, NewActivity};
use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentParent, AssignmentPlace, GradingChanges, NewAssignment,
};
use lyceum_domain::authoring::late_policy::{AskedLatePolicy, LatePolicy};
use lyceum_domain::authoring::lessons::{Lesson, Minutes, NewLesson};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::authoring::units::{NewUnit, Objectives, Unit};
use lyceum_domain::drafting::generations::{Generation, GenerationKind, GenerationState};
use lyceum_domain::exporting::scorm::{RuntimeBaseUrl, ScormPackage, ScormState, ScormVersion};
use lyceum_domain::exporting::scorm_policy::{LaunchPolicy, ReportingPolicy};
use lyceum_domain::grading::grades::{CriterionResult, Evidence, Grade, GradeStatus, Grader};
use lyceum_domain::grading::submissions::{
    NewSubmission, Submission, SubmissionContent, SubmissionFrame,
};
use lyceum_domain::ids::{AssignmentId, WorkspaceId};
use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_domain::text::{LanguageTag, LongText};
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::store::{StoreError, Tx};
use serde_json::{Value, json};

use crate::sample::id;
use crate::sample::people::{cohort, person, user};
use crate::sample::{self, name, now};

/// The parent that has the workspace's own number.
fn own<K>(workspace: WorkspaceId) -> Id<K> {
    Id::from_uuid(workspace.uuid())
}

/// A JSON object.
pub fn object(value: &Value) -> JsonObject {
    value.as_object().cloned().expect("an object")
}

/// Metadata.
pub fn metadata(value: &Value) -> Metadata {
    Metadata::parse(object(value)).unwrap()
}

/// A text with what databases have trouble with.
pub fn difficult_text() -> LongText {
    LongText::parse("Long, «quoted» \"and\" 漢字 😀\nin 'two' lines \\ 100%_").unwrap()
}

/// A moment after the one at which samples are made.
pub fn later() -> Timestamp {
    now().plus(Duration::from_millis(90_001))
}

/// The `n`-th unit, at place 0.
pub fn unit(workspace: WorkspaceId, n: u64) -> Unit {
    let new = NewUnit {
        course_id: own(workspace),
        name: name(&format!("Unit {n}")),
        description: LongText::default(),
        objectives: Objectives::default(),
        position: None,
        metadata: Metadata::default(),
    };
    Unit::new(workspace, id(n), new, 0, Provenance::human(), now())
}

/// The `n`-th lesson, at place 0.
pub fn lesson(workspace: WorkspaceId, n: u64) -> Lesson {
    let new = NewLesson {
        unit_id: own(workspace),
        name: name(&format!("Lesson {n}")),
        summary: LongText::default(),
        objectives: Objectives::default(),
        content: LongText::default(),
        duration: Minutes::default(),
        language: Some(LanguageTag::parse("ar").unwrap()),
        position: None,
        metadata: Metadata::default(),
    };
    let (course, human) = (own(workspace), Provenance::human());
    Lesson::new(workspace, id(n), course, new, 0, human, now())
}

/// The `n`-th activity, a reflection still to be written, at place 0.
pub fn activity(workspace: WorkspaceId, n: u64) -> Activity {
    let kind = ActivityKind::Reflection;
    let new = NewActivity {
        lesson_id: own(workspace),
        name: name(&format!("Activity {n}")),
        kind,
        content: ActivityContent::parse(kind, JsonObject::new()).unwrap(),
        language: None,
        position: None,
        metadata: Metadata::default(),
    };
    let (course, human) = (own(workspace), Provenance::human());
    Activity::new(workspace, id(n), course, new, 0, human, now())
}

/// The `n`-th assignment, of the course itself.
pub fn assignment(workspace: WorkspaceId, n: u64) -> Assignment {
    let place = AssignmentPlace {
        course_id: own(workspace),
        unit_id: None,
        lesson_id: None,
    };
    let new = NewAssignment {
        parent: AssignmentParent::Course(place.course_id),
        name: name(&format!("Assignment {n}")),
        instructions: LongText::default(),
        max_score: Points::HUNDRED,
        due_at: None,
        late_policy: None,
        max_attempts: None,
        grading: GradingChanges::default(),
        metadata: Metadata::default(),
    };
    Assignment::new(workspace, id(n), place, LanguageTag::english(), new, now()).unwrap()
}

/// A rubric with a level, a weight, and members that nobody but its author knows.
pub fn rubric() -> Rubric {
    let document = json!({"note": "kept", "criteria": [
        {"id": "accuracy", "name": "Accuracy", "max_points": 2.5, "weight": 3, "key_points": ["a"]},
        {"id": "style", "name": "Style", "levels": [
            {"id": "poor", "label": "poor", "points": 0},
            {"id": "good", "label": "good", "points": 4, "description": "flows"},
        ]},
    ]});
    Rubric::parse("rubric", &object(&document)).unwrap()
}

/// Criteria as AI and as a person judge them: with and without level, evidence and confidence.
pub fn criteria() -> Vec<CriterionResult> {
    let accuracy = CriterionResult {
        criterion_id: "accuracy".to_owned(),
        name: "Accuracy".to_owned(),
        level_id: None,
        score: Points::from_hundredths(133),
        max_score: Points::from_hundredths(250),
        rationale: "mostly «right»".to_owned(),
        evidence: vec![
            Evidence {
                start: 0,
                end: 4,
                quote: "Wash".to_owned(),
            },
            Evidence {
                start: 30,
                end: 32,
                quote: "漢字".to_owned(),
            },
        ],
        confidence: Some(87),
        missing: vec!["soap".to_owned()],
        not_judged: None,
    };
    let style = CriterionResult {
        criterion_id: "style".to_owned(),
        name: "Style".to_owned(),
        level_id: Some("good".to_owned()),
        score: Points::whole(4),
        max_score: Points::whole(4),
        rationale: String::new(),
        evidence: Vec::new(),
        confidence: None,
        missing: Vec::new(),
        not_judged: Some("needs_person_or_provider".to_owned()),
    };
    vec![accuracy, style]
}

/// A text to be handed in.
pub fn new_submission(assignment: AssignmentId) -> NewSubmission {
    NewSubmission {
        assignment_id: assignment,
        cohort_id: None,
        content: SubmissionContent::Text(LongText::parse("Wash your hands.").unwrap()),
        draft: false,
        metadata: Metadata::default(),
    }
}

/// Ten percent off for each day, after a quarter of an hour, down to two fifths.
pub fn late_policy() -> LatePolicy {
    let asked = AskedLatePolicy {
        percent_per_day: 10,
        floor_percent: Some(40),
        grace_minutes: Some(15),
    };
    LatePolicy::parse(asked, "").unwrap()
}

/// The `n`-th submission, first attempt of the student.
pub fn submission(workspace: WorkspaceId, n: u64) -> Submission {
    let frame = SubmissionFrame {
        workspace_id: workspace,
        id: id(n),
        course_id: own(workspace),
        user_id: own(workspace),
        attempt: 1,
        max_score: Points::HUNDRED,
        assignment_version: 1,
        due: None,
    };
    let new = new_submission(own(workspace));
    Submission::new(frame, new, now())
}

/// The `n`-th grade record, by AI in run `n`.
pub fn grade(workspace: WorkspaceId, n: u64) -> Grade {
    Grade {
        workspace_id: workspace,
        id: id(n),
        submission_id: own(workspace),
        run: u32::try_from(n).unwrap(),
        status: GradeStatus::Final,
        score: Points::whole(70),
        max_score: Points::HUNDRED,
        rubric_hash: Rubric::overall().hash(),
        criteria: Vec::new(),
        feedback: String::new(),
        review_reasons: vec!["uncalibrated".to_owned()],
        grader: Grader::Ai {
            model: "model".to_owned(),
            prompt_version: "1".to_owned(),
            tokens_in: 0,
            tokens_out: 0,
            model_asked: "model".to_owned(),
            cost: Some(MicroUsd::new(4_200)),
            latency_ms: 12,
            anchors: vec!["grd_a".to_owned()],
            reused_from: None,
        },
        reason: None,
        created_at: now(),
        receipt: None,
    }
}

/// The `n`-th package, being made.
pub fn scorm_package(workspace: WorkspaceId, n: u64) -> ScormPackage {
    ScormPackage {
        workspace_id: workspace,
        id: id(n),
        cohort_id: own(workspace),
        course_id: own(workspace),
        version: ScormVersion::V2004,
        runtime_base_url: RuntimeBaseUrl::parse("https://lyceum.example").unwrap(),
        launch: LaunchPolicy::default(),
        reporting: ReportingPolicy::default(),
        state: ScormState::Pending {
            estimated_ready_at: later(),
        },
        stamp: Stamp::new(now()),
    }
}

/// The `n`-th generation, called off, so that many fit on one target.
pub fn generation(workspace: WorkspaceId, n: u64) -> Generation {
    Generation {
        workspace_id: workspace,
        id: id(n),
        kind: GenerationKind::Syllabus,
        target_object: "course".to_owned(),
        target_id: "crs_target".to_owned(),
        request: json!({}),
        state: GenerationState::Canceled,
        completed: 0,
        total: 0,
        tokens_in: 0,
        tokens_out: 0,
        stamp: Stamp::new(now()),
    }
}

const BOTH: [u64; 2] = [1, 2];

/// Workspaces 1 and 2.
pub fn put_workspaces(tx: &mut dyn Tx) -> Result<(), StoreError> {
    BOTH.into_iter()
        .try_for_each(|n| tx.workspaces().insert(&sample::workspace(n)))
}

/// … and their courses.
pub fn put_courses(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_workspaces(tx)?;
    BOTH.into_iter()
        .try_for_each(|n| tx.courses().insert(&sample::course(id(n), n)))
}

/// … and their units.
pub fn put_units(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_courses(tx)?;
    BOTH.into_iter()
        .try_for_each(|n| tx.units().insert(&unit(id(n), n)))
}

/// … and their lessons.
pub fn put_lessons(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_units(tx)?;
    BOTH.into_iter()
        .try_for_each(|n| tx.lessons().insert(&lesson(id(n), n)))
}

/// Courses of workspaces 1 and 2 and their cohorts.
pub fn put_cohorts(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_courses(tx)?;
    BOTH.into_iter()
        .try_for_each(|n| tx.cohorts().insert(&cohort(id(n), id(n), n)))
}

/// Courses of workspaces 1 and 2 with cohorts, assignments and students.
pub fn put_students(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_cohorts(tx)?;
    BOTH.into_iter().try_for_each(|n| {
        tx.assignments().insert(&assignment(id(n), n))?;
        tx.users().insert_person(&person(n))?;
        tx.users().insert(&user(id(n), n))
    })
}

/// … and what they handed in.
pub fn put_submissions(tx: &mut dyn Tx) -> Result<(), StoreError> {
    put_students(tx)?;
    BOTH.into_iter()
        .try_for_each(|n| tx.submissions().insert(&submission(id(n), n)))
}
