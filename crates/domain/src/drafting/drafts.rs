//! What AI is told when it drafts parts of a course, and how its drafts are fitted to their place.

use crate::Timestamp;
use crate::authoring::activities::{Activity, ActivityContent, ActivityKind};
use crate::authoring::lessons::Lesson;
use crate::authoring::provenance::{Origin, Provenance};
use crate::drafting::syllabus::{LessonDraft, UnusableSyllabus, fitted_minutes};
use crate::text::LanguageTag;

/// Where something is drafted: the course and the unit around it, and what was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftFrame {
    /// Name of the course.
    pub course_name: String,
    /// Its description.
    pub course_description: String,
    /// Language to write in.
    pub language: LanguageTag,
    /// Guidance of the course.
    pub instructions: String,
    /// Name of the unit.
    pub unit_name: String,
    /// Its description.
    pub unit_description: String,
    /// What was asked for; may be empty.
    pub brief: String,
    /// A text whose facts alone may be used; empty where none was given.
    pub source_text: String,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

/// Lessons to be drafted for a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitTask {
    /// Where.
    pub frame: DraftFrame,
    /// What a learner will be able to do after the unit.
    pub objectives: Vec<String>,
    /// Names of the lessons that it has already.
    pub lesson_names: Vec<String>,
    /// Minutes that the new lessons are to take together.
    pub minutes: u32,
}

/// A lesson whose text is to be drafted.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonTask {
    /// Where.
    pub frame: DraftFrame,
    /// Name of the lesson.
    pub name: String,
    /// Its summary; may be empty.
    pub summary: String,
    /// What a learner will be able to do; may be empty.
    pub objectives: Vec<String>,
    /// Names of the unit's other lessons.
    pub siblings: Vec<String>,
    /// Planned minutes; 0 when nobody said.
    pub minutes: u32,
}

/// Activities to be drafted for a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivitiesTask {
    /// Where.
    pub frame: DraftFrame,
    /// Name of the lesson.
    pub lesson_name: String,
    /// What a learner will be able to do.
    pub objectives: Vec<String>,
    /// The lesson's text, Markdown; may be empty.
    pub content: String,
    /// Names of the unit's other lessons.
    pub siblings: Vec<String>,
    /// What kind of activity; never a video.
    pub kind: ActivityKind,
    /// How many, 1 to 10.
    pub count: u32,
    /// How many questions or cards each has; what suits the lesson when nobody said.
    pub items: Option<u32>,
    /// Names of the activities that the lesson has already.
    pub names: Vec<String>,
    /// Texts of the unit's other lessons, Markdown, for a quiz that closes the unit; empty for what is about the lesson alone.
    pub unit_texts: Vec<String>,
}

/// Fewest characters of a lesson that something can be made of, without white space.
const LEAST_TEXT: usize = 40;

impl ActivitiesTask {
    /// Whether the lesson has a text, but hardly any, and nothing else was given: whoever is asked would have to invent.
    /// Where nothing is written yet, the course around it says what is meant.
    pub fn is_too_thin(&self) -> bool {
        let needs_facts = match self.kind {
            ActivityKind::Quiz
            | ActivityKind::Flashcards
            | ActivityKind::Explainer
            | ActivityKind::Podcast => true,
            ActivityKind::Reflection | ActivityKind::Video => false,
        };
        let length = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let given = [&self.frame.brief, &self.frame.source_text];
        let said = length(&self.content);
        needs_facts && (1..LEAST_TEXT).contains(&said) && given.iter().all(|one| length(one) == 0)
    }
}

/// Whether AI can make activities of this kind.
pub const fn can_be_drafted(kind: ActivityKind) -> bool {
    match kind {
        ActivityKind::Quiz
        | ActivityKind::Flashcards
        | ActivityKind::Explainer
        | ActivityKind::Podcast
        | ActivityKind::Reflection => true,
        ActivityKind::Video => false,
    }
}

/// Whether AI may write here: nothing is there yet, or nothing but what AI wrote and nobody changed.
pub fn may_be_rewritten(is_empty: bool, provenance: &Provenance) -> bool {
    is_empty || provenance.origin == Origin::Ai
}

/// Fits lessons to a time: afterwards each one's minutes hold its activities', and all together are `minutes`.
///
/// # Errors
/// [`UnusableSyllabus`] if there are none, or no time is left for one of them.
pub fn fit_lessons(lessons: &mut [LessonDraft], minutes: u32) -> Result<(), UnusableSyllabus> {
    if lessons.is_empty() {
        return Err(UnusableSyllabus::NoLessons);
    }
    let planned = |lesson: &LessonDraft| {
        let activities = lesson.activities.iter().map(|one| u64::from(one.minutes));
        u64::from(lesson.minutes) + activities.sum::<u64>()
    };
    let shares: Vec<u64> = lessons.iter().map(planned).collect();
    let fitted = fitted_minutes(&shares, minutes)?;
    for (lesson, minutes) in lessons.iter_mut().zip(fitted) {
        lesson.minutes = minutes;
    }
    Ok(())
}

/// Minutes of a unit whose course has this many of them; never less than a lesson takes, nor more than a day.
pub fn share_of_unit(course_minutes: u32, units: u32) -> u32 {
    (course_minutes / units.max(1)).clamp(30, 480)
}

/// Whether AI may write a lesson's text.
pub fn lesson_is_open(lesson: &Lesson) -> bool {
    may_be_rewritten(lesson.content.is_blank(), &lesson.provenance)
}

/// Whether AI may write an activity's content.
pub fn activity_is_open(activity: &Activity) -> bool {
    may_be_rewritten(activity.content.as_map().is_empty(), &activity.provenance)
}

/// Puts what AI drafted into an activity; its name stays, whoever gave it.
pub fn rewrite_activity(
    activity: &mut Activity,
    content: ActivityContent,
    provenance: Provenance,
    now: Timestamp,
) {
    activity.content = content;
    activity.provenance = provenance;
    activity.stamp.touch(now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use rstest::rstest;
    use uuid::Uuid;

    fn lesson(minutes: u32) -> LessonDraft {
        LessonDraft {
            name: "L".into(),
            summary: String::new(),
            objectives: Vec::new(),
            content: String::new(),
            minutes,
            activities: Vec::new(),
        }
    }

    #[test]
    fn lessons_take_exactly_the_time_there_is() {
        let mut lessons = [lesson(10), lesson(20), lesson(10)];
        fit_lessons(&mut lessons, 121).unwrap();
        let minutes: Vec<u32> = lessons.iter().map(|lesson| lesson.minutes).collect();
        assert_eq!(minutes, [30, 61, 30]);
        assert_eq!(fit_lessons(&mut [], 5), Err(UnusableSyllabus::NoLessons));
        let mut many = [lesson(1), lesson(1), lesson(1)];
        assert_eq!(fit_lessons(&mut many, 2), Err(UnusableSyllabus::NoTime));
    }

    #[rstest]
    #[case(480, 4, 120)]
    #[case(480, 0, 480)]
    #[case(60, 9, 30)]
    #[case(60_000, 2, 480)]
    fn a_unit_gets_its_share_of_the_course(
        #[case] minutes: u32,
        #[case] units: u32,
        #[case] share: u32,
    ) {
        assert_eq!(share_of_unit(minutes, units), share);
    }

    #[test]
    fn what_a_person_wrote_stays() {
        let ai = Provenance::ai("m".to_owned(), Id::from_uuid(Uuid::nil()));
        let mut edited = ai.clone();
        edited.edited();
        assert!(may_be_rewritten(false, &ai));
        assert!(!may_be_rewritten(false, &edited));
        assert!(!may_be_rewritten(false, &Provenance::human()));
        assert!(may_be_rewritten(true, &Provenance::human()));
    }
}
