//! Changes that wait: what things of a published course will be once their changes go live together.
//!
//! A waiting change is kept as what a change of the live thing would have to say, member by member and beside what stood there
//! before. So what others change meanwhile in other members stays, and where they changed the same one it is known.

use serde_json::Value;

use crate::Stamp;
use crate::Timestamp;
use crate::ids::{ActivityId, AssignmentId, CourseId, LessonId, UnitId, UserId, WorkspaceId};
use crate::json::{JsonObject, difference};
use crate::words::words;

/// Members that a change takes by key: what it does not name stays as it is.
const BY_KEY: [&str; 5] = ["ai", "ai_evaluator", "feedback", "metadata", "tutor"];
/// Of those, the one whose objects a change goes into, however deep.
const DEEP: &str = "tutor";

/// What a change can wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeTarget {
    /// A course itself.
    Course(CourseId),
    /// A unit.
    Unit(UnitId),
    /// A lesson.
    Lesson(LessonId),
    /// An activity.
    Activity(ActivityId),
    /// An assignment.
    Assignment(AssignmentId),
}

impl ChangeTarget {
    /// The kind of thing.
    pub const fn object(self) -> &'static str {
        match self {
            Self::Course(_) => "course",
            Self::Unit(_) => "unit",
            Self::Lesson(_) => "lesson",
            Self::Activity(_) => "activity",
            Self::Assignment(_) => "assignment",
        }
    }

    /// Its id.
    pub fn id(self) -> String {
        match self {
            Self::Course(id) => id.to_string(),
            Self::Unit(id) => id.to_string(),
            Self::Lesson(id) => id.to_string(),
            Self::Activity(id) => id.to_string(),
            Self::Assignment(id) => id.to_string(),
        }
    }

    /// The thing with this id, if it is one of those that changes wait for.
    pub fn parse(id: &str) -> Option<Self> {
        let course = id.parse().map(Self::Course);
        let unit = || id.parse().map(Self::Unit);
        let lesson = || id.parse().map(Self::Lesson);
        let activity = || id.parse().map(Self::Activity);
        let assignment = || id.parse().map(Self::Assignment);
        let found = course.or_else(|_| unit()).or_else(|_| lesson());
        found.or_else(|_| activity()).or_else(|_| assignment()).ok()
    }
}

words!(
    /// What learners will notice when what waits goes live.
    DraftNoticeCode {
        /// Cohorts are under way, and all of them get it.
        CohortsUnderWay = "cohorts_under_way",
        /// Cohorts are under way that are updated by choice: they see nothing of it until they are.
        CohortsByChoice = "cohorts_by_choice",
        /// Lessons change that learners are done with; they stay done.
        CompletedLessons = "completed_lessons",
        /// Activities change that learners have tried; scores stay as they are.
        TriedActivities = "tried_activities",
        /// Work was handed in to assignments that change, and is not graded yet.
        UngradedWork = "ungraded_work",
        /// Work is graded: grades stay as they are.
        GradedWork = "graded_work",
    }
);

/// What waits for a thing; each has one at most.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingChange {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// What is to change.
    pub of: ChangeTarget,
    /// The course that it is part of, or is.
    pub course_id: CourseId,
    /// What is to change, as a change of the thing takes it.
    pub content: JsonObject,
    /// What stood there when it was first to change, by the same members and keys; `null` where there was no such key.
    pub base: JsonObject,
    /// Who said so last; none where it was no member.
    pub made_by: Option<UserId>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl WaitingChange {
    /// What is to wait for a thing that is `live` and is to be as `will` says, given what waits for it already; nothing where both
    /// are the same.
    pub fn between(live: &JsonObject, will: &JsonObject, before: Option<&Self>) -> Option<ToWait> {
        let (mut content, mut base) = (JsonObject::new(), JsonObject::new());
        for (name, new) in will {
            let old = live.get(name).unwrap_or(&Value::Null);
            let Some((new, stood)) = member(name, old, new) else {
                continue;
            };
            let first = before.and_then(|before| before.stood(name));
            base.insert(name.clone(), as_first_seen(name, stood, first));
            content.insert(name.clone(), new);
        }
        (!content.is_empty()).then_some(ToWait { content, base })
    }

    /// The names of what is to change.
    pub fn fields(&self) -> Vec<String> {
        let mut fields: Vec<String> = self.content.keys().cloned().collect();
        fields.sort_unstable();
        fields
    }

    /// Whether somebody has changed meanwhile what is to change, given what the thing is now.
    pub fn is_overtaken(&self, live: &JsonObject) -> bool {
        self.base.iter().any(|(name, stood)| {
            let now = live.get(name).unwrap_or(&Value::Null);
            let new = self.content.get(name).unwrap_or(&Value::Null);
            match (keys(name, stood), now.as_object()) {
                (Some(stood), Some(now)) => stood.iter().any(|(key, stood)| {
                    let now = now.get(key).unwrap_or(&Value::Null);
                    now != stood && Some(now) != new.get(key)
                }),
                _ => now != stood && now != new,
            }
        })
    }

    /// What waits from now on, in the place of this.
    pub fn replace(&mut self, with: ToWait, by: Option<UserId>, now: Timestamp) {
        self.content = with.content;
        self.base = with.base;
        self.made_by = by;
        self.stamp.touch(now);
    }

    fn stood(&self, name: &str) -> Option<&Value> {
        self.base.get(name)
    }
}

/// What is to change, and what stands there.
#[derive(Debug, Clone, PartialEq)]
pub struct ToWait {
    /// As a change takes it.
    pub content: JsonObject,
    /// What stands there, by the same members and keys.
    pub base: JsonObject,
}

/// What a change of a member says, and what stood there; nothing where both are the same.
fn member(name: &str, old: &Value, new: &Value) -> Option<(Value, Value)> {
    if old == new {
        return None;
    }
    let (Some(before), Some(after)) = (keys(name, old), new.as_object()) else {
        return Some((new.clone(), old.clone()));
    };
    let patch = difference(before, after, name == DEEP);
    let at = |key: &String| before.get(key).cloned().unwrap_or(Value::Null);
    let stood: JsonObject = patch.keys().map(|key| (key.clone(), at(key))).collect();
    (!patch.is_empty()).then_some((Value::Object(patch), Value::Object(stood)))
}

/// What stands in a member by key, if a change takes it so.
pub(super) fn keys<'a>(name: &str, value: &'a Value) -> Option<&'a JsonObject> {
    value.as_object().filter(|_| BY_KEY.contains(&name))
}

/// What stood there when it was first to change: what was noted then stays noted.
fn as_first_seen(name: &str, stood: Value, first: Option<&Value>) -> Value {
    let Some(first) = first else {
        return stood;
    };
    let (Value::Object(mut stood), Some(first)) = (stood, keys(name, first)) else {
        return first.clone();
    };
    for (key, value) in &mut stood {
        if let Some(first) = first.get(key) {
            *value = first.clone();
        }
    }
    Value::Object(stood)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use crate::json::merge;
    use serde_json::json;
    use uuid::Uuid;

    fn object(value: &Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_unix_millis(minute * 60_000)
    }

    fn waiting(to_wait: ToWait) -> WaitingChange {
        WaitingChange {
            workspace_id: Id::from_uuid(Uuid::nil()),
            of: ChangeTarget::Lesson(Id::from_uuid(Uuid::nil())),
            course_id: Id::from_uuid(Uuid::nil()),
            content: to_wait.content,
            base: to_wait.base,
            made_by: None,
            stamp: Stamp::new(at(0)),
        }
    }

    fn between(live: &Value, will: &Value, before: Option<&WaitingChange>) -> Option<ToWait> {
        WaitingChange::between(&object(live), &object(will), before)
    }

    #[test]
    fn only_what_differs_waits_and_nothing_where_nothing_does() {
        let live = json!({"name": "A", "content": "one", "due_at": null});
        let to_wait = between(
            &live,
            &json!({"name": "B", "content": "one", "due_at": null}),
            None,
        );
        let to_wait = to_wait.unwrap();
        assert_eq!(Value::Object(to_wait.content), json!({"name": "B"}));
        assert_eq!(Value::Object(to_wait.base), json!({"name": "A"}));
        assert_eq!(between(&live, &live, None), None);
    }

    #[test]
    fn what_is_taken_by_key_waits_by_key() {
        let live = json!({"metadata": {"a": 1, "b": {"x": 1}, "c": 3}});
        let will = json!({"metadata": {"b": {"y": 2}, "c": 3, "d": 4}});
        let to_wait = between(&live, &will, None).unwrap();
        assert_eq!(
            Value::Object(to_wait.content),
            json!({"metadata": {"a": null, "b": {"y": 2}, "d": 4}})
        );
        assert_eq!(
            Value::Object(to_wait.base),
            json!({"metadata": {"a": 1, "b": {"x": 1}, "d": null}})
        );
        // The rubric's objects are replaced whole.
        let rubrics = (json!({"rubric": {"a": 1}}), json!({"rubric": {"b": 1}}));
        let to_wait = between(&rubrics.0, &rubrics.1, None).unwrap();
        assert_eq!(Value::Object(to_wait.content), rubrics.1);
    }

    #[test]
    fn what_waits_for_a_tutor_makes_exactly_that_tutor() {
        let live = json!({"a": {"x": 1, "y": {"z": 1}}, "b": 1});
        let will = json!({"a": {"y": {"w": 2}}, "c": {"d": 1}});
        let to_wait = between(&json!({"tutor": live}), &json!({"tutor": will}), None).unwrap();
        let mut tutor = object(&live);
        merge(&mut tutor, object(&to_wait.content["tutor"]));
        assert_eq!(Value::Object(tutor), will);
    }

    #[test]
    fn a_change_is_overtaken_where_somebody_changed_the_same_to_something_else() {
        let live = json!({"name": "A", "content": "one", "metadata": {"k": 1}});
        let will = json!({"name": "B", "content": "one", "metadata": {"k": 2}});
        let waits = waiting(between(&live, &will, None).unwrap());
        assert!(!waits.is_overtaken(&object(&live)));
        let elsewhere = json!({"name": "A", "content": "two", "metadata": {"k": 1, "other": 5}});
        assert!(!waits.is_overtaken(&object(&elsewhere)));
        let alike = json!({"name": "B", "content": "one", "metadata": {"k": 2}});
        assert!(!waits.is_overtaken(&object(&alike)));
        for overtaken in [
            json!({"name": "C", "content": "one", "metadata": {"k": 1}}),
            json!({"name": "A", "content": "one", "metadata": {"k": 3}}),
            json!({"name": "A", "content": "one", "metadata": {}}),
        ] {
            assert!(waits.is_overtaken(&object(&overtaken)), "{overtaken}");
        }
    }

    #[test]
    fn what_stood_there_first_stays_known_however_often_the_change_is_changed() {
        let live = json!({"name": "A", "metadata": {"k": 1}});
        let will = json!({"name": "B", "metadata": {"k": 2}});
        let mut waits = waiting(between(&live, &will, None).unwrap());
        let meanwhile = json!({"name": "C", "metadata": {"k": 7, "l": 1}});
        let again = json!({"name": "D", "metadata": {"k": 2, "l": 2}});
        let to_wait = between(&meanwhile, &again, Some(&waits)).unwrap();
        waits.replace(to_wait, None, at(5));
        assert_eq!(
            Value::Object(waits.base.clone()),
            json!({"name": "A", "metadata": {"k": 1, "l": 1}})
        );
        assert!(waits.is_overtaken(&object(&meanwhile)));
        assert_eq!((waits.stamp.version, waits.stamp.updated_at), (2, at(5)));
    }

    #[test]
    fn what_can_wait_is_known_by_its_id() {
        let lesson = ChangeTarget::Lesson(Id::from_uuid(Uuid::from_u128(7)));
        assert_eq!(ChangeTarget::parse(&lesson.id()), Some(lesson));
        let cohort: crate::ids::CohortId = Id::from_uuid(Uuid::from_u128(7));
        assert_eq!(ChangeTarget::parse(&cohort.to_string()), None);
    }
}
