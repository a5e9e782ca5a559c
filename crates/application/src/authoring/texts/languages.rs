//! The languages that the texts of answers are in: those say their own where they have one, and else that of what is above them.

use std::collections::{HashMap, HashSet};

use lyceum_domain::ids::{CourseId, LessonId};
use lyceum_markdown::{Labels, may_be_labelled, texts_of};
use serde_json::{Map, Value};

use crate::prelude::*;

/// How many are looked up at once.
const AT_ONCE: usize = 200;

/// What is looked up of what is above texts. Most texts have no words of ours in them, and nothing is looked up for those.
#[derive(Debug, Default)]
pub struct Languages {
    lessons: HashMap<LessonId, String>,
    courses: HashMap<CourseId, String>,
}

impl Languages {
    /// Looks up what these objects do not say themselves.
    ///
    /// # Errors
    /// Those of storage.
    pub fn load(
        tx: &mut dyn Tx,
        ctx: &Context,
        objects: &[&mut Map<String, Value>],
    ) -> Result<Self, Error> {
        let mut found = Self::default();
        let mut asking: Vec<&Map<String, Value>> = objects.iter().map(|object| &**object).collect();
        asking.retain(|object| own(object).is_none() && is_labelled(object));
        for ids in ids(&asking, lesson).chunks(AT_ONCE) {
            let lessons = tx.lessons().with_ids(ctx.workspace_id(), ids)?;
            let said = lessons
                .into_iter()
                .filter_map(|lesson| Some((lesson.id, lesson.language?.to_string())));
            found.lessons.extend(said);
        }
        asking.retain(|object| lesson(object).is_none_or(|id| !found.lessons.contains_key(&id)));
        for ids in ids(&asking, course).chunks(AT_ONCE) {
            let courses = tx.courses().with_ids(ctx.workspace_id(), ids)?;
            let said = courses
                .into_iter()
                .map(|course| (course.id, course.language.to_string()));
            found.courses.extend(said);
        }
        Ok(found)
    }

    /// The words that stand in the texts of this object.
    pub fn labels(&self, object: &Map<String, Value>) -> &'static Labels<'static> {
        let of_lesson = || lesson(object).and_then(|id| self.lessons.get(&id));
        let of_course = || course(object).and_then(|id| self.courses.get(&id));
        let above = || of_lesson().or_else(of_course).map(String::as_str);
        Labels::in_language(own(object).or_else(above).unwrap_or_default())
    }
}

fn own(object: &Map<String, Value>) -> Option<&str> {
    object.get("language").and_then(Value::as_str)
}

fn is_labelled(object: &Map<String, Value>) -> bool {
    texts_of(object)
        .iter()
        .any(|text| may_be_labelled(&text.raw))
}

fn id<T: std::str::FromStr>(object: &Map<String, Value>, member: &str) -> Option<T> {
    object.get(member)?.as_str()?.parse().ok()
}

/// The lesson whose language an object has that says none.
fn lesson(object: &Map<String, Value>) -> Option<LessonId> {
    id(object, "lesson_id")
}

fn course(object: &Map<String, Value>) -> Option<CourseId> {
    id(object, "course_id")
}

/// Each once.
fn ids<T: Eq + std::hash::Hash>(
    objects: &[&Map<String, Value>],
    of: impl Fn(&Map<String, Value>) -> Option<T>,
) -> Vec<T> {
    let ids: HashSet<T> = objects.iter().filter_map(|object| of(object)).collect();
    ids.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use lyceum_domain::authoring::lessons::{Lesson, Minutes, NewLesson};
    use lyceum_domain::authoring::provenance::Provenance;
    use lyceum_domain::authoring::units::Objectives;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::json::Metadata;
    use lyceum_domain::text::{LanguageTag, LongText, Name};
    use lyceum_ports::mocks::MockTx;
    use serde_json::json;

    use super::*;
    use crate::identity::visibility::tests::{context, course as course_of, id, now};

    /// A lesson of course 5; number 2 is in German.
    fn lesson_of(lesson: LessonId) -> Lesson {
        let is_german = lesson == id(2);
        let new = NewLesson {
            unit_id: id(1),
            name: Name::parse("Lesson").unwrap(),
            summary: LongText::default(),
            objectives: Objectives::default(),
            content: LongText::default(),
            duration: Minutes::default(),
            language: is_german.then(|| LanguageTag::parse("de-AT").unwrap()),
            position: None,
            metadata: Metadata::default(),
        };
        Lesson::new(id(1), lesson, id(5), new, 0, Provenance::human(), now())
    }

    /// The word above a note in an object with this text, in a French course 5.
    fn note(tx: &mut MockTx, mut object: Value, text: &str) -> &'static str {
        object["object"] = json!("lesson");
        object["content"] = json!(text);
        let course: CourseId = id(5);
        object["course_id"] = json!(course.to_string());
        let Value::Object(mut object) = object else {
            panic!("no object")
        };
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let languages = Languages::load(tx, &ctx, &[&mut object]).unwrap();
        languages.labels(&object).note
    }

    fn school() -> MockTx {
        let mut tx = MockTx::default();
        let lessons = |ids: &[LessonId]| ids.iter().map(|id| lesson_of(*id)).collect();
        tx.lessons
            .expect_with_ids()
            .returning(move |_, ids| Ok(lessons(ids)));
        tx.courses.expect_with_ids().returning(|_, _| {
            let mut french = course_of(5);
            french.language = LanguageTag::parse("fr").unwrap();
            Ok(vec![french])
        });
        tx
    }

    #[test]
    fn a_text_is_in_its_own_language_or_in_that_of_what_is_above_it() {
        let tx = &mut school();
        let text = "> [!NOTE]\n> x";
        let of_lesson = |number: u8| {
            let lesson: LessonId = id(number);
            json!({"lesson_id": lesson.to_string(), "language": null})
        };
        assert_eq!(note(tx, json!({"language": "es"}), text), "Nota");
        assert_eq!(note(tx, json!({"language": null}), text), "Remarque");
        assert_eq!(note(tx, of_lesson(2), text), "Hinweis");
        assert_eq!(note(tx, of_lesson(3), text), "Remarque");
        assert_eq!(note(tx, json!({"language": "nl"}), text), "Note");
    }

    #[test]
    fn for_a_text_without_words_of_ours_nothing_is_looked_up() {
        assert_eq!(
            note(&mut MockTx::default(), json!({}), "Cold *ice*."),
            "Note"
        );
    }
}
