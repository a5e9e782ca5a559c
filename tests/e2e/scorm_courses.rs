//! Courses to be packed for LMSs of all sorts: short ones, a large one, one with every kind of answer.

use std::path::Path;

use lyceum_ports::exporting::scorm::{
    Completion, CourseSnapshot, PackageWriter, Reporting, ScormEdition, SnapshotActivity,
    SnapshotAssignment, SnapshotLesson, SnapshotUnit,
};
use lyceum_scorm::ScormWriter;
use serde_json::{Value, json};

/// Writes `<course>-<edition>.zip` for each of these courses, in both editions.
pub fn pack(courses: &[&str], folder: &Path) {
    for name in courses {
        for (edition, word) in [(ScormEdition::V1_2, "1.2"), (ScormEdition::V2004, "2004")] {
            let target = folder.join(format!("{name}-{word}.zip"));
            ScormWriter.write(&course(name, edition), &target).unwrap();
        }
    }
}

fn course(name: &str, edition: ScormEdition) -> CourseSnapshot {
    let (units, assignments) = match name {
        "short" => short(),
        "reading" => reading(),
        "large" => large(),
        "questions" => questions(),
        "arabic" => arabic(),
        _ => panic!("there is no course {name}"),
    };
    CourseSnapshot {
        cohort_id: format!("coh_{name}"),
        edition,
        service: None,
        accent_color: None,
        tutor: false,
        reporting: Reporting::default(),
        completion: Completion::default(),
        course_name: if name == "arabic" {
            "قراءة سماء الليل"
        } else {
            "Reading the night sky"
        }
        .to_owned(),
        cohort_name: "Spring".to_owned(),
        language: if name == "arabic" { "ar" } else { "en" }.to_owned(),
        description: "A course for everyone who has looked up.".to_owned(),
        units,
        assignments,
        media: Vec::new(),
        unavailable: Vec::new(),
    }
}

type Parts = (Vec<SnapshotUnit>, Vec<SnapshotAssignment>);

/// Seven steps: something to read, to answer, to turn over, to write and to hand in.
fn short() -> Parts {
    let first = quiz("act_02", &[true_false(), single_choice(3)]);
    let cards = json!({"cards": [{"id": "a", "front": "Zenith", "back": "Above you"}]});
    let prompt = json!({"prompt": "Where would you go?"});
    let second = quiz(
        "act_06",
        &[
            json!({"type": "numeric", "prompt": "How high?", "answer": 40.4, "tolerance": 1}),
            json!({"type": "short_text", "prompt": "What is above you?", "accepted_answers": ["zenith"]}),
        ],
    );
    let units = vec![
        unit(
            "unt_1",
            "Finding your way",
            vec![lesson(
                "les_01",
                "North",
                vec![first, activity("act_03", "flashcards", cards)],
            )],
        ),
        unit(
            "unt_2",
            "Going out",
            vec![lesson(
                "les_04",
                "A first evening",
                vec![activity("act_05", "reflection", prompt), second],
            )],
        ),
    ];
    let diary = SnapshotAssignment {
        id: "asg_07".to_owned(),
        unit_id: None,
        name: "A diary".to_owned(),
        instructions: "Write down what you saw.".to_owned(),
        max_attempts: None,
    };
    (units, vec![diary])
}

fn reading() -> Parts {
    let lessons = ["les_11", "les_12"];
    let lessons = lessons
        .iter()
        .map(|id| lesson(id, "To be read", Vec::new()));
    (
        vec![unit("unt_1", "Reading", lessons.collect())],
        Vec::new(),
    )
}

/// 300 lessons and 120 quizzes, with identifiers as long as the service's.
fn large() -> Parts {
    let units = (0..30).map(|number| {
        let lessons = (0..10).map(|place| {
            let at = number * 10 + place;
            let id = |kind: &str| format!("{kind}_01jabcdefghjkmnpqrst{:06}", at * 2);
            let with_quiz = at % 5 < 2;
            let quizzes = if with_quiz {
                vec![quiz(&id("act"), &[true_false()])]
            } else {
                Vec::new()
            };
            lesson(&id("les"), &format!("Lesson {at}"), quizzes)
        });
        unit(
            &format!("unt_{number:02}"),
            &format!("Unit {number}"),
            lessons.collect(),
        )
    });
    (units.collect(), Vec::new())
}

/// Every type of question, and of each what an LMS may stumble over.
fn questions() -> Parts {
    let options: Vec<Value> = ["one", "two", "three"]
        .iter()
        .map(|text| json!({"text": text, "correct": *text != "three"}))
        .collect();
    let items: Vec<Value> = (0..40)
        .map(|at| json!({"text": format!("item {at:02}")}))
        .collect();
    let pairs: Vec<Value> = (0..40)
        .map(|at| json!({"left": format!("left {at}"), "right": format!("right {at}")}))
        .collect();
    let asked = [
        true_false(),
        single_choice(3),
        single_choice(40),
        json!({"type": "multiple_choice", "prompt": "Which two? {lang=en}", "options": options}),
        json!({"type": "short_text", "prompt": "Write it.", "accepted_answers": ["{lang=de}é🙂", "[,]", "x".repeat(400)]}),
        json!({"type": "numeric", "prompt": "A mole?", "answer": 6.022e23, "tolerance": 1e20}),
        json!({"type": "numeric", "prompt": "Very little?", "answer": 0.000_000_1}),
        json!({"type": "numeric", "prompt": "Below zero?", "answer": -0.1, "tolerance": 0.2}),
        json!({"type": "cloze", "prompt": "Fill in.", "text": "The {{a}} and the {{b}}.", "blanks": [
            {"id": "a", "accepted_answers": ["sun"]}, {"id": "b", "accepted_answers": ["{moon}"]}]}),
        json!({"type": "ordering", "prompt": "In order?", "items": items[..3].to_vec()}),
        json!({"type": "ordering", "prompt": "Many in order?", "items": items}),
        json!({"type": "matching", "prompt": "Which to which?", "pairs": [
            {"left": "a", "right": "same"}, {"left": "b", "right": "same"}, {"left": "c", "right": "other"}]}),
        json!({"type": "matching", "prompt": "Many to many?", "pairs": pairs}),
        json!({"type": "open", "prompt": format!("{}😀 stands where the text is cut", "y".repeat(248))}),
    ];
    let lessons = vec![lesson("les_21", "Questions", vec![quiz("act_22", &asked)])];
    (vec![unit("unt_1", "Questions", lessons)], Vec::new())
}

fn arabic() -> Parts {
    let asked = [
        true_false(),
        json!({"type": "short_text", "prompt": "ما النقطة التي فوقك مباشرة؟", "accepted_answers": ["السمت"]}),
    ];
    let mut text = lesson("les_31", "الشمال بلا بوصلة", vec![quiz("act_32", &asked)]);
    "نجمتان من الدب الأكبر تشيران إلى نجم القطب.\n\n| المكان | الارتفاع | ملاحظة |\n|---|---|---|\n| مدريد | 40° | فوق الأفق بكثير في كل ليلة |"
        .clone_into(&mut text.content);
    (vec![unit("unt_1", "الاتجاهات", vec![text])], Vec::new())
}

fn unit(id: &str, name: &str, lessons: Vec<SnapshotLesson>) -> SnapshotUnit {
    SnapshotUnit {
        id: id.to_owned(),
        name: name.to_owned(),
        description: String::new(),
        lessons,
    }
}

fn lesson(id: &str, name: &str, activities: Vec<SnapshotActivity>) -> SnapshotLesson {
    SnapshotLesson {
        id: id.to_owned(),
        name: name.to_owned(),
        summary: String::new(),
        objectives: Vec::new(),
        content: "The whole sky *seems* to turn.".to_owned(),
        duration_minutes: 5,
        language: None,
        activities,
    }
}

fn activity(id: &str, kind: &str, content: Value) -> SnapshotActivity {
    SnapshotActivity {
        id: id.to_owned(),
        kind: kind.to_owned(),
        name: format!("A {kind}"),
        language: None,
        content,
    }
}

fn quiz(id: &str, questions: &[Value]) -> SnapshotActivity {
    let content = json!({"questions": questions, "passing_percent": 60});
    activity(id, "quiz", content)
}

fn true_false() -> Value {
    json!({"type": "true_false", "prompt": "The sky seems to turn.", "answer": true})
}

fn single_choice(count: usize) -> Value {
    let options: Vec<Value> = (0..count)
        .map(|at| json!({"text": format!("choice {at}"), "correct": at + 1 == count}))
        .collect();
    json!({"type": "single_choice", "prompt": "Which?", "options": options})
}
