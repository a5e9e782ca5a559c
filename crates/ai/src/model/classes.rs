//! Which classes of fields leave the service with a question: one place to read what is sent for what.
//!
//! A field that comes into a prompt comes in here, too. No class for names, addresses or ids of people exists,
//! because those do not leave.

use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::drafts::{ActivitiesTask, DraftFrame, LessonTask, UnitTask};
use lyceum_domain::drafting::syllabus::SyllabusBrief;
use lyceum_domain::drafting::tutor::TutorTask;
use lyceum_domain::grading::explanations::ExplanationTask;
use lyceum_domain::grading::grades::GradingTask;

type Classes = Vec<&'static str>;

/// Name, task and limits of an assignment.
const ASSIGNMENT: &str = "assignment";
/// What a brief asks for.
const BRIEF: &str = "brief";
/// Guidance that a course gives to AI.
const COURSE_INSTRUCTIONS: &str = "course_instructions";
/// Names, descriptions and objectives of a course and its parts.
const COURSE_OUTLINE: &str = "course_outline";
/// A grade that stands, with what was said about it.
const GRADE: &str = "grade";
/// Submissions that people graded, as examples.
const GRADED_EXAMPLES: &str = "graded_examples";
/// The text of a lesson.
const LESSON_TEXT: &str = "lesson_text";
/// Questions of a quiz, without their key.
const QUIZ_QUESTIONS: &str = "quiz_questions";
/// Model answers and key points in a rubric.
const REFERENCE_ANSWERS: &str = "reference_answers";
/// Criteria and levels.
const RUBRIC: &str = "rubric";
/// A text that a draft is to rest on.
const SOURCE_TEXT: &str = "source_text";
/// What a learner handed in.
const SUBMISSION_TEXT: &str = "submission_text";
/// What a learner and the tutor said.
const TUTOR_MESSAGES: &str = "tutor_messages";

/// Those of the fields that say something.
fn those(fields: &[(&'static str, bool)]) -> Classes {
    let said = fields.iter().filter(|(_, is_said)| *is_said);
    said.map(|(class, _)| *class).collect()
}

fn says(text: &str) -> bool {
    !text.trim().is_empty()
}

fn has_references(rubric: &Rubric) -> bool {
    let members = ["reference_answers", "key_points"];
    let mut criteria = rubric.criteria.iter();
    criteria.any(|criterion| {
        let texts = members.iter().map(|member| criterion.texts(member));
        texts.into_iter().any(|texts| !texts.is_empty())
    })
}

pub(super) fn of_grading(task: &GradingTask) -> Classes {
    those(&[
        (ASSIGNMENT, true),
        (RUBRIC, true),
        (REFERENCE_ANSWERS, has_references(&task.rubric)),
        (COURSE_INSTRUCTIONS, says(&task.course_instructions)),
        (GRADED_EXAMPLES, !task.anchors.is_empty()),
        (SUBMISSION_TEXT, true),
    ])
}

pub(super) fn of_explanation(task: &ExplanationTask) -> Classes {
    those(&[
        (ASSIGNMENT, true),
        (RUBRIC, true),
        (REFERENCE_ANSWERS, has_references(&task.rubric)),
        (COURSE_INSTRUCTIONS, says(&task.course_instructions)),
        (GRADE, true),
        (SUBMISSION_TEXT, true),
    ])
}

pub(super) fn of_brief(brief: &SyllabusBrief) -> Classes {
    those(&[
        (COURSE_OUTLINE, true),
        (COURSE_INSTRUCTIONS, says(&brief.instructions)),
        (BRIEF, true),
        (SOURCE_TEXT, says(&brief.source_text)),
    ])
}

fn of_frame(frame: &DraftFrame, lesson: &str) -> Classes {
    those(&[
        (COURSE_OUTLINE, true),
        (COURSE_INSTRUCTIONS, says(&frame.instructions)),
        (BRIEF, says(&frame.brief)),
        (SOURCE_TEXT, says(&frame.source_text)),
        (LESSON_TEXT, says(lesson)),
    ])
}

pub(super) fn of_unit(task: &UnitTask) -> Classes {
    of_frame(&task.frame, "")
}

pub(super) fn of_lesson(task: &LessonTask) -> Classes {
    of_frame(&task.frame, "")
}

pub(super) fn of_activities(task: &ActivitiesTask) -> Classes {
    of_frame(&task.frame, &task.content)
}

pub(super) fn of_tutoring(task: &TutorTask) -> Classes {
    let guidance = says(&task.course_instructions) || says(&task.tutor_instructions);
    those(&[
        (COURSE_OUTLINE, true),
        (COURSE_INSTRUCTIONS, guidance),
        (LESSON_TEXT, true),
        (TUTOR_MESSAGES, true),
    ])
}

pub(super) fn of_quiz() -> Classes {
    vec![LESSON_TEXT, QUIZ_QUESTIONS]
}

pub(super) fn of_support() -> Classes {
    vec![SOURCE_TEXT, LESSON_TEXT]
}
