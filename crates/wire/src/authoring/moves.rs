//! Moving several things of a course together, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::id::{Id, Identified};
use lyceum_domain::ids::{Activity, ActivityId, CourseId, Lesson, LessonId, Unit, UnitId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::common_ids::reference;
use crate::place::position;
use crate::shapes;

/// What is moved, all of one kind, in the order in which it will stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// Units of the course.
    Units(Vec<UnitId>),
    /// Lessons, into a unit; the unit of the first where none is named.
    Lessons(Vec<LessonId>, Option<UnitId>),
    /// Activities, into a lesson; the lesson of the first where none is named.
    Activities(Vec<ActivityId>, Option<LessonId>),
}

/// What is moved, and where the first of it will stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// What.
    pub moved: Moved,
    /// 0-based place among those that stay there; the end if they are fewer.
    pub position: u32,
}

/// What is to be moved, and where to.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct MoveTogether {
    /// Units, lessons or activities of the course, all of one kind. They will stand side by side in this order, wherever they
    /// stood before; so all of a unit's lessons with position 0 put the unit in order.
    #[schema(min_items = 1, max_items = 100)]
    pub ids: Vec<String>,
    /// The unit that lessons are moved into, or the lesson for activities; where the first of them is, when absent. Units stay
    /// in their course and need none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// 0-based place of the first of them, among those that stay; the end when beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32, example = 0)]
    pub position: i64,
}

impl MoveTogether {
    /// The most that is moved at once.
    pub const MOST: usize = 100;
}

impl Command for MoveTogether {
    type Of = Moves;

    fn command(self) -> Result<Moves, Invalid> {
        let Self {
            ids,
            parent_id,
            position: wanted,
        } = self;
        let of = |prefix: &str| ids.first().is_some_and(|id| id.starts_with(prefix));
        let moved = if of(Lesson::PREFIX) {
            Moved::Lessons(all_of(&ids)?, parent_id.as_deref().map(reference))
        } else if of(Activity::PREFIX) {
            Moved::Activities(all_of(&ids)?, parent_id.as_deref().map(reference))
        } else {
            if parent_id.is_some() {
                return Err(Invalid::new("parent_id", "units stay in their course"));
            }
            Moved::Units(all_of::<Unit>(&ids)?)
        };
        Ok(Moves {
            moved,
            position: position(wanted)?,
        })
    }
}

/// Ids of one kind, each once.
fn all_of<K: Identified>(ids: &[String]) -> Result<Vec<Id<K>>, Invalid> {
    if ids.is_empty() || ids.len() > MoveTogether::MOST {
        let problem = format!("must name 1 to {} things", MoveTogether::MOST);
        return Err(Invalid::new("ids", problem));
    }
    let mut read = Vec::with_capacity(ids.len());
    for id in ids {
        let id = id.parse().map_err(|_| {
            Invalid::new(
                "ids",
                "must be units, lessons or activities, all of one kind",
            )
        })?;
        if read.contains(&id) {
            return Err(Invalid::new("ids", "must name each once"));
        }
        read.push(id);
    }
    Ok(read)
}

/// Where something stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedView {
    /// What was moved.
    pub id: String,
    /// The course, unit or lesson that it is in.
    pub parent_id: String,
    /// Its 0-based place there.
    pub position: u32,
}

/// What was moved, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovesView {
    /// Always `moves`.
    pub object: String,
    /// The course that it is in.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
    pub course_id: String,
    /// In the order in which it stands.
    pub moved: Vec<MovedView>,
}

impl MovesView {
    /// Of a course.
    pub fn new(course: CourseId, moved: Vec<MovedView>) -> Self {
        Self {
            object: "moves".to_owned(),
            course_id: course.to_string(),
            moved,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: serde_json::Value) -> Result<Moves, String> {
        let body: MoveTogether = serde_json::from_value(body).unwrap();
        body.command().map_err(|invalid| invalid.field.clone())
    }

    #[test]
    fn what_is_moved_is_of_one_kind_and_named_once() {
        let lesson = |n: u8| format!("les_0000000000000000000000000{n}");
        let unit = "unt_00000000000000000000000009";
        let moves = read(json!({"ids": [lesson(1), lesson(2)], "parent_id": unit, "position": 3}));
        let ids = [1, 2].map(|n| lesson(n).parse().unwrap());
        assert_eq!(
            moves,
            Ok(Moves {
                moved: Moved::Lessons(ids.to_vec(), Some(unit.parse().unwrap())),
                position: 3
            })
        );
        for wrong in [
            json!([]),
            json!([lesson(1), lesson(1)]),
            json!([lesson(1), unit]),
            json!(["crs_00000000000000000000000009"]),
            json!(["x"]),
            json!(vec![lesson(1); 101]),
        ] {
            assert_eq!(
                read(json!({"ids": wrong, "position": 0})),
                Err("ids".to_owned())
            );
        }
        let within = read(json!({"ids": [unit], "parent_id": unit, "position": 0}));
        assert_eq!(within, Err("parent_id".to_owned()));
        let nowhere = read(json!({"ids": [unit], "position": -1}));
        assert_eq!(nowhere, Err("position".to_owned()));
    }
}
