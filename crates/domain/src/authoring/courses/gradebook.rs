//! How a course is weighed: which tasks are in which group, what a group weighs, and what of it counts.

mod reading;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Value, json};

use self::reading::{array, group_to_json, member, parse_group, word_at};
use crate::authoring::references::References;
use crate::ids::{ActivityId, AssignmentId};
use crate::json::JsonObject;
use crate::text::Name;
use crate::words::words;
use crate::{Invalid, InvalidValue};

words!(
    /// Which attempt of several counts.
    CountingAttempt {
        /// The one with the most points; the earlier one of equal ones.
        Best = "best",
        /// The one that was handed in last, of those that have a grade.
        Latest = "latest",
        /// The one that was handed in first; until it has a grade, none does.
        First = "first",
    }
);

words!(
    /// What becomes of a task that was due and was not handed in.
    MissingWork {
        /// It counts as little as what is not due yet.
        Ignored = "ignored",
        /// It counts as zero points of its best possible ones.
        Zero = "zero",
    }
);

/// What is graded and can be in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GradedItem {
    /// An assignment, graded by submissions.
    Assignment(AssignmentId),
    /// A scored quiz, graded by attempts.
    Activity(ActivityId),
}

impl GradedItem {
    /// Reads the id of an assignment or an activity.
    ///
    /// # Errors
    /// [`InvalidValue`] where it is neither.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let assignment = text.parse().map(Self::Assignment);
        assignment
            .or_else(|_| text.parse().map(Self::Activity))
            .map_err(|_| InvalidValue::new("must be the id of an assignment or an activity"))
    }
}

impl fmt::Display for GradedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assignment(id) => id.fmt(f),
            Self::Activity(id) => id.fmt(f),
        }
    }
}

/// Tasks that weigh something together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradeGroup {
    /// Unique within the scheme.
    pub id: String,
    /// What people call it, such as `Homework`.
    pub name: Name,
    /// What it weighs in the total, in percent: 0 to 100.
    pub weight: u8,
    /// How many of its tasks are dropped, those without which the percentage of the group is best: 0 to 20.
    pub drop_lowest: u8,
    /// Which attempt at its tasks counts.
    pub attempt: CountingAttempt,
    /// What is in it, in any order. One that is not there (any more) does no harm.
    pub items: Vec<GradedItem>,
}

/// How a course is weighed. Where nobody said anything there are no groups: all tasks are together and weigh 100, nothing is dropped,
/// the best attempt counts, and what is missing is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradebookScheme {
    groups: Vec<GradeGroup>,
    missing: MissingWork,
    /// Which group a task is in, by its place.
    places: BTreeMap<GradedItem, usize>,
}

impl Default for GradebookScheme {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            missing: MissingWork::Ignored,
            places: BTreeMap::new(),
        }
    }
}

impl GradebookScheme {
    /// Most groups.
    pub const MAX_GROUPS: usize = 20;
    /// Most tasks in all groups together.
    pub const MAX_ITEMS: usize = 1_000;
    /// Longest id of a group, in characters.
    pub const MAX_ID_CHARS: usize = 64;
    /// What all groups may weigh together, in percent.
    pub const MAX_WEIGHT: u8 = 100;
    /// Most tasks that a group drops.
    pub const MAX_DROPPED: u8 = 20;

    /// From its parts.
    ///
    /// # Errors
    /// [`Invalid`] naming the member behind `gradebook` that breaks a limit: too many groups or tasks, an id or a name that
    /// another group has, a task that is in two groups, weights of more than 100 together.
    pub fn new(groups: Vec<GradeGroup>, missing: MissingWork) -> Result<Self, Invalid> {
        if groups.len() > Self::MAX_GROUPS {
            return Err(wrong("groups", "must have at most 20 entries"));
        }
        let (mut ids, mut names) = (BTreeSet::new(), BTreeSet::new());
        for (place, group) in groups.iter().enumerate() {
            check_limits(place, group)?;
            if !ids.insert(&group.id) {
                return Err(wrong(&member_of(place, "id"), "is that of another group"));
            }
            if !names.insert(&group.name) {
                return Err(wrong(&member_of(place, "name"), "is that of another group"));
            }
        }
        let weights: u32 = groups.iter().map(|group| u32::from(group.weight)).sum();
        if weights > u32::from(Self::MAX_WEIGHT) {
            return Err(wrong("groups", "must not weigh more than 100 together"));
        }
        let places = places(&groups)?;
        Ok(Self {
            groups,
            missing,
            places,
        })
    }

    /// Reads `{groups: [{id, name, weight, drop_lowest, attempt, items}], missing}`. What is absent or `null` is as it is where nobody
    /// said anything; of a group, `id`, `name` and `weight` have to be there.
    ///
    /// # Errors
    /// [`Invalid`] naming the member behind `gradebook`, such as `gradebook.groups[0].weight`.
    pub fn parse(object: &JsonObject) -> Result<Self, Invalid> {
        let missing = match member(object, "missing") {
            None => MissingWork::Ignored,
            Some(word) => word_at(word, "missing", MissingWork::parse)?,
        };
        let entries = array(object, "groups", "groups")?;
        let groups = entries.iter().enumerate();
        let groups: Result<Vec<_>, _> = groups.map(|(at, entry)| parse_group(at, entry)).collect();
        Self::new(groups?, missing)
    }

    /// The same as an object, with every member of its groups.
    pub fn to_json(&self) -> JsonObject {
        let groups: Vec<Value> = self.groups.iter().map(group_to_json).collect();
        let members = [
            ("groups", json!(groups)),
            ("missing", json!(self.missing.as_str())),
        ];
        let members = members.into_iter();
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// The same of a copy of the course: each task is its copy, and one that has none is left out.
    #[must_use]
    pub fn of_copy(&self, copies: &References) -> Self {
        let copy = |item: &GradedItem| match *item {
            GradedItem::Assignment(id) => copies.copy_of(id).map(GradedItem::Assignment),
            GradedItem::Activity(id) => copies.copy_of(id).map(GradedItem::Activity),
        };
        let copy_all = |group: &GradeGroup| GradeGroup {
            items: group.items.iter().filter_map(copy).collect(),
            ..group.clone()
        };
        let places = self.places.iter();
        Self {
            groups: self.groups.iter().map(copy_all).collect(),
            missing: self.missing,
            places: places
                .filter_map(|(item, place)| Some((copy(item)?, *place)))
                .collect(),
        }
    }

    /// The groups, in their order.
    pub fn groups(&self) -> &[GradeGroup] {
        &self.groups
    }

    /// What becomes of what is missing.
    pub const fn missing(&self) -> MissingWork {
        self.missing
    }

    /// The group that a task is in; none where no group names it.
    pub fn group_of(&self, item: GradedItem) -> Option<&GradeGroup> {
        self.groups.get(*self.places.get(&item)?)
    }

    /// What tasks weigh together that are in no group: what is left to 100, in percent.
    pub fn left_over(&self) -> u8 {
        let weights = self.groups.iter().map(|group| group.weight);
        weights.fold(Self::MAX_WEIGHT, u8::saturating_sub)
    }
}

/// What a group by itself has to keep to.
fn check_limits(place: usize, group: &GradeGroup) -> Result<(), Invalid> {
    let id = group.id.trim();
    if id.is_empty() || group.id.chars().count() > GradebookScheme::MAX_ID_CHARS {
        return Err(wrong(
            &member_of(place, "id"),
            "must have 1 to 64 characters",
        ));
    }
    if group.weight > GradebookScheme::MAX_WEIGHT {
        let problem = "must be an integer between 0 and 100";
        return Err(wrong(&member_of(place, "weight"), problem));
    }
    if group.drop_lowest > GradebookScheme::MAX_DROPPED {
        let problem = "must be an integer between 0 and 20";
        return Err(wrong(&member_of(place, "drop_lowest"), problem));
    }
    Ok(())
}

fn places(groups: &[GradeGroup]) -> Result<BTreeMap<GradedItem, usize>, Invalid> {
    let mut places = BTreeMap::new();
    for (place, group) in groups.iter().enumerate() {
        for (at, item) in group.items.iter().enumerate() {
            let path = || member_of(place, &format!("items[{at}]"));
            if places.insert(*item, place).is_some() {
                return Err(wrong(&path(), "is in a group already"));
            }
            if places.len() > GradebookScheme::MAX_ITEMS {
                return Err(wrong(&path(), "is more than 1000 in all groups"));
            }
        }
    }
    Ok(places)
}

/// The path of a member of a group, behind `gradebook`.
fn member_of(place: usize, name: &str) -> String {
    format!("groups[{place}].{name}")
}

fn wrong(path: &str, problem: &str) -> Invalid {
    Invalid::new(format!("gradebook.{path}"), problem)
}

#[cfg(test)]
mod tests;
