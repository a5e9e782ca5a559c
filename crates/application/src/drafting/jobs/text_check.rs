//! What drafted texts lose when they are shown: said with the draft, before anybody publishes it.

use lyceum_domain::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use serde_json::{Value, json};

use crate::authoring::texts;

/// Of units with all that is in them.
pub fn of_units(units: &[UnitDraft]) -> Vec<String> {
    let of_unit = |unit: &UnitDraft| {
        let lessons = unit.lessons.iter().flat_map(of_lesson);
        lessons
            .chain(unit.assignments.iter().flat_map(of_assignment))
            .collect::<Vec<_>>()
    };
    units.iter().flat_map(of_unit).collect()
}

/// Of a lesson and its activities.
pub fn of_lesson(lesson: &LessonDraft) -> Vec<String> {
    let own = told(
        &format!("the lesson \"{}\"", lesson.name),
        json!({"object": "lesson", "content": lesson.content}),
    );
    let below = lesson.activities.iter().flat_map(of_activity);
    own.into_iter().chain(below).collect()
}

/// Of an activity.
pub fn of_activity(activity: &ActivityDraft) -> Vec<String> {
    let shown = json!({"object": "activity", "kind": activity.kind.as_str(), "content": activity.content.as_map()});
    told(&format!("the activity \"{}\"", activity.name), shown)
}

/// Of an assignment.
pub fn of_assignment(assignment: &AssignmentDraft) -> Vec<String> {
    let shown = json!({
        "object": "assignment", "instructions": assignment.instructions, "rubric": assignment.rubric.to_json(),
    });
    told(&format!("the assignment \"{}\"", assignment.name), shown)
}

fn told(place: &str, shown: Value) -> Vec<String> {
    let Value::Object(shown) = shown else {
        return Vec::new();
    };
    let found = texts::warnings_of_draft(&shown).into_iter();
    found
        .map(|warning| {
            let line = warning
                .line
                .map(|line| format!(", line {line}"))
                .unwrap_or_default();
            format!("In {place}, {}{line}: {}.", warning.field, warning.message)
        })
        .collect()
}
