//! Rubrics: what is judged, and how much it counts.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::hex;
use crate::json::JsonObject;
use crate::points::Points;
use crate::{At, Invalid, InvalidValue};

/// Most criteria of a rubric.
pub const MAX_CRITERIA: usize = 50;

/// One level of a criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Unique within the criterion.
    pub id: String,
    /// Such as `good`.
    pub label: String,
    /// What reaching it gives.
    pub points: Points,
    /// What it takes.
    pub description: String,
}

/// One thing that is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// Unique within the rubric.
    pub id: String,
    /// Such as `Accuracy`.
    pub name: String,
    /// What it means.
    pub description: String,
    /// How much it counts against the others, in hundredths; 100 is weight 1.
    pub weight: i32,
    /// Best possible points; the best level's, where there are levels.
    pub max_points: Points,
    /// Levels in the order given, or none.
    pub levels: Vec<Level>,
    /// Members that we do not know, kept as they came (`reference_answers`, `key_points`, …).
    pub extra: JsonObject,
}

impl Criterion {
    /// The level with this id.
    pub fn level(&self, id: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.id == id)
    }

    /// The level whose points are nearest; the lower one on a tie.
    pub fn nearest_level(&self, points: Points) -> Option<&Level> {
        self.levels.iter().min_by_key(|level| {
            (
                level.points.hundredths().abs_diff(points.hundredths()),
                level.points,
            )
        })
    }

    /// What points are multiples of, where the rubric says so (`step`, more than 0).
    pub fn step(&self) -> Option<Points> {
        let step = Points::from_json(self.extra.get("step")?).ok()?;
        (step > Points::ZERO).then_some(step)
    }

    /// The nearest points that the criterion can give: those of a level, else a multiple of its step, never more than
    /// its maximum, which can always be given.
    pub fn nearest_points(&self, points: Points) -> Points {
        if let Some(level) = self.nearest_level(points) {
            return level.points;
        }
        let Some(step) = self.step().filter(|_| points < self.max_points) else {
            return points.at_most(self.max_points);
        };
        let (points, step) = (i64::from(points.hundredths()), i64::from(step.hundredths()));
        let steps = (2 * points + step) / (2 * step);
        Points::from_hundredths(steps * step).at_most(self.max_points)
    }

    /// The texts under `member` of the unknown members, such as `reference_answers`; strings, or objects with a `text`.
    pub fn texts(&self, member: &str) -> Vec<String> {
        let entries = self.extra.get(member).and_then(Value::as_array);
        entries
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.as_str().or_else(|| entry.get("text")?.as_str()))
            .map(str::to_owned)
            .collect()
    }
}

/// What a submission is judged by: 1 to 50 criteria.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubric {
    /// In the order given.
    pub criteria: Vec<Criterion>,
    /// Members beside `criteria`, kept as they came.
    pub extra: JsonObject,
}

impl Rubric {
    /// What is used when nobody gave a rubric: one criterion, `overall`, out of 100.
    pub fn overall() -> Self {
        let criterion = Criterion {
            id: "overall".to_owned(),
            name: "Overall".to_owned(),
            description: "How well the submission answers the task.".to_owned(),
            weight: 100,
            max_points: Points::HUNDRED,
            levels: Vec::new(),
            extra: JsonObject::new(),
        };
        Self {
            criteria: vec![criterion],
            extra: JsonObject::new(),
        }
    }

    /// Reads a rubric; missing ids of criteria and levels are minted (`c1`, `l1`, …), unknown members are kept.
    ///
    /// # Errors
    /// [`Invalid`] with a path below `path`, such as `rubric.criteria[0].name`.
    pub fn parse(path: &str, object: &JsonObject) -> Result<Self, Invalid> {
        let list_path = format!("{path}.criteria");
        let entries = match object.get("criteria") {
            None | Some(Value::Null) => return Err(Invalid::missing(list_path)),
            Some(Value::Array(entries)) => entries,
            Some(_) => return Err(Invalid::new(list_path, "must be an array")),
        };
        if !(1..=MAX_CRITERIA).contains(&entries.len()) {
            return Err(Invalid::new(list_path, "must have 1 to 50 entries"));
        }
        let mut criteria = Vec::with_capacity(entries.len());
        let minted = minted(entries, 'c');
        for (index, (entry, minted)) in entries.iter().zip(minted).enumerate() {
            criteria.push(parse_criterion(
                &format!("{list_path}[{index}]"),
                entry,
                minted,
            )?);
        }
        let ids: Vec<&str> = criteria.iter().map(|c: &Criterion| c.id.as_str()).collect();
        refuse_doubles(&list_path, &ids)?;
        let mut extra = object.clone();
        extra.remove("criteria");
        Ok(Self { criteria, extra })
    }

    /// The criterion with this id.
    pub fn criterion(&self, id: &str) -> Option<&Criterion> {
        self.criteria.iter().find(|criterion| criterion.id == id)
    }

    /// The rubric as a document, ids included.
    pub fn to_json(&self) -> JsonObject {
        let mut object = self.extra.clone();
        let criteria = self.criteria.iter().map(criterion_to_json).collect();
        object.insert("criteria".to_owned(), Value::Array(criteria));
        object
    }

    /// The rubric as a text that equal rubrics share: members sorted by name, no white space.
    pub fn canonical(&self) -> String {
        canonical(&Value::Object(self.to_json()))
    }

    /// SHA-256 of [`Self::canonical`], lower-case hex.
    pub fn hash(&self) -> String {
        hex::lower(&Sha256::digest(self.canonical().as_bytes()))
    }
}

/// JSON with sorted members and no white space, so that equal values have equal bytes.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            names.sort_by_key(|(name, _)| name.as_str());
            let inner: Vec<String> = names
                .into_iter()
                .map(|(name, value)| format!("{}:{}", json!(name), canonical(value)))
                .collect();
            format!("{{{}}}", inner.join(","))
        }
        Value::Array(entries) => {
            let inner: Vec<String> = entries.iter().map(canonical).collect();
            format!("[{}]", inner.join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn parse_criterion(path: &str, entry: &Value, minted: String) -> Result<Criterion, Invalid> {
    let Value::Object(object) = entry else {
        return Err(Invalid::new(path, "must be an object"));
    };
    let levels = parse_levels(&format!("{path}.levels"), object.get("levels"))?;
    let best = levels.iter().map(|level| level.points).max();
    let given = match object.get("max_points") {
        None | Some(Value::Null) => None,
        Some(value) => Some(Points::from_json(value).at(&format!("{path}.max_points"))?),
    };
    let max_points = best.or(given).unwrap_or(Points::HUNDRED);
    if max_points == Points::ZERO {
        let field = if best.is_some() {
            "levels"
        } else {
            "max_points"
        };
        return Err(Invalid::new(
            format!("{path}.{field}"),
            "must allow more than 0 points",
        ));
    }
    let weight = match object.get("weight") {
        None | Some(Value::Null) => 100,
        Some(value) => Points::from_json(value)
            .at(&format!("{path}.weight"))?
            .hundredths(),
    };
    if weight == 0 {
        return Err(Invalid::new(
            format!("{path}.weight"),
            "must be more than 0",
        ));
    }
    let mut extra = object.clone();
    for known in [
        "id",
        "name",
        "description",
        "weight",
        "max_points",
        "levels",
    ] {
        extra.remove(known);
    }
    Ok(Criterion {
        id: id_or(path, object, minted)?,
        name: required_text(path, object, "name", 255)?,
        description: optional_text(path, object, "description")?,
        weight,
        max_points,
        levels,
        extra,
    })
}

fn parse_levels(path: &str, value: Option<&Value>) -> Result<Vec<Level>, Invalid> {
    let entries = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(_) => return Err(Invalid::new(path, "must be an array")),
    };
    if !(2..=12).contains(&entries.len()) {
        return Err(Invalid::new(path, "must have 2 to 12 entries"));
    }
    let mut levels = Vec::with_capacity(entries.len());
    let minted = minted(entries, 'l');
    for (index, (entry, minted)) in entries.iter().zip(minted).enumerate() {
        let path = format!("{path}[{index}]");
        let Value::Object(object) = entry else {
            return Err(Invalid::new(path, "must be an object"));
        };
        let points_path = format!("{path}.points");
        let points = match object.get("points") {
            None | Some(Value::Null) => return Err(Invalid::missing(points_path)),
            Some(value) => Points::from_json(value).at(&points_path)?,
        };
        levels.push(Level {
            id: id_or(&path, object, minted)?,
            label: required_text(&path, object, "label", 255)?,
            points,
            description: optional_text(&path, object, "description")?,
        });
    }
    let ids: Vec<&str> = levels.iter().map(|level| level.id.as_str()).collect();
    refuse_doubles(path, &ids)?;
    Ok(levels)
}

fn refuse_doubles(path: &str, ids: &[&str]) -> Result<(), Invalid> {
    for (index, id) in ids.iter().enumerate() {
        if ids.iter().take(index).any(|earlier| earlier == id) {
            return Err(Invalid::new(
                format!("{path}[{index}].id"),
                "must be unique",
            ));
        }
    }
    Ok(())
}

/// An id for each entry that has none: by its place, or the next that no other has.
fn minted(entries: &[Value], letter: char) -> Vec<String> {
    let given = entries.iter().filter_map(|entry| entry.get("id")?.as_str());
    let mut taken: BTreeSet<String> = given.map(str::to_owned).collect();
    let mut mint = |(index, entry): (usize, &Value)| {
        if entry.get("id").is_some_and(|id| !id.is_null()) {
            return String::new();
        }
        let mut ids = (index + 1..).map(|number| format!("{letter}{number}"));
        let free = ids.find(|id| !taken.contains(id)).unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    entries.iter().enumerate().map(&mut mint).collect()
}

fn id_or(path: &str, object: &JsonObject, minted: String) -> Result<String, Invalid> {
    match object.get("id") {
        None | Some(Value::Null) => Ok(minted),
        Some(_) => required_text(path, object, "id", 64),
    }
}

fn required_text(
    path: &str,
    object: &JsonObject,
    member: &str,
    limit: usize,
) -> Result<String, Invalid> {
    let path = format!("{path}.{member}");
    match object.get(member) {
        None | Some(Value::Null) => Err(Invalid::missing(path)),
        Some(Value::String(text)) => check_text(text, limit, true).at(&path),
        Some(_) => Err(Invalid::new(path, "must be a string")),
    }
}

fn optional_text(path: &str, object: &JsonObject, member: &str) -> Result<String, Invalid> {
    match object.get(member) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => {
            check_text(text, 20_000, false).at(&format!("{path}.{member}"))
        }
        Some(_) => Err(Invalid::new(format!("{path}.{member}"), "must be a string")),
    }
}

fn check_text(text: &str, limit: usize, visible: bool) -> Result<String, InvalidValue> {
    if visible && text.trim().is_empty() {
        return Err(InvalidValue::new("must not be blank"));
    }
    if text.contains('\0') {
        return Err(InvalidValue::new("must not contain the character U+0000"));
    }
    if text.chars().count() > limit {
        return Err(InvalidValue::new(format!(
            "must have at most {limit} characters"
        )));
    }
    Ok(text.to_owned())
}

fn criterion_to_json(criterion: &Criterion) -> Value {
    let mut object = criterion.extra.clone();
    object.insert("id".to_owned(), json!(criterion.id));
    object.insert("name".to_owned(), json!(criterion.name));
    object.insert("description".to_owned(), json!(criterion.description));
    object.insert(
        "weight".to_owned(),
        Points::from_hundredths(criterion.weight.into()).to_json(),
    );
    object.insert("max_points".to_owned(), criterion.max_points.to_json());
    let levels = criterion.levels.iter().map(|level| {
        json!({
            "id": level.id,
            "label": level.label,
            "points": level.points.to_json(),
            "description": level.description,
        })
    });
    object.insert("levels".to_owned(), Value::Array(levels.collect()));
    // Levels decide the maximum; an empty list means there are none and must read back as such.
    if criterion.levels.is_empty() {
        object.remove("levels");
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(value: &Value) -> Result<Rubric, Invalid> {
        Rubric::parse("rubric", value.as_object().unwrap())
    }

    #[test]
    fn what_is_new_among_what_has_ids_gets_one_that_is_free() {
        let value = json!({"criteria": [
            {"name": "New"}, {"id": "c1", "name": "Old"}, {"name": "Newer"}, {"id": "c3", "name": "Other"},
        ]});
        let rubric = Rubric::parse("rubric", value.as_object().unwrap()).unwrap();
        let ids: Vec<&str> = rubric.criteria.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["c2", "c1", "c4", "c3"]);
    }

    #[test]
    fn ids_are_minted_and_unknown_members_kept() {
        let rubric = parse(&json!({"note": "n", "criteria": [
            {"name": "Accuracy", "reference_answers": ["a", {"text": "b"}]},
            {"name": "Style", "weight": 0.5, "levels": [
                {"label": "poor", "points": 0}, {"label": "good", "points": 4}]},
        ]}))
        .unwrap();
        assert_eq!(rubric.criteria[0].id, "c1");
        assert_eq!(rubric.criteria[0].texts("reference_answers"), ["a", "b"]);
        assert_eq!(rubric.criteria[1].weight, 50);
        assert_eq!(rubric.criteria[1].max_points, Points::whole(4));
        assert_eq!(rubric.criteria[1].levels[1].id, "l2");
        assert_eq!(rubric.extra["note"], "n");
    }

    #[test]
    fn a_rubric_reads_back_as_it_was_written() {
        let rubric = parse(&json!({"criteria": [{"name": "A", "max_points": 2.5, "x": {"y": 1}},
            {"id": "b", "name": "B", "levels": [{"label": "l", "points": 0}, {"label": "h", "points": 3}]}]}))
        .unwrap();
        assert_eq!(Rubric::parse("rubric", &rubric.to_json()).unwrap(), rubric);
    }

    #[test]
    fn the_hash_knows_content_not_member_order() {
        let one = parse(&json!({"criteria": [{"name": "A", "description": "d"}]})).unwrap();
        let same = parse(&json!({"criteria": [{"description": "d", "name": "A"}]})).unwrap();
        let other = parse(&json!({"criteria": [{"name": "B", "description": "d"}]})).unwrap();
        assert_eq!(one.hash(), same.hash());
        assert_ne!(one.hash(), other.hash());
    }

    #[test]
    fn points_are_given_in_steps_up_to_the_maximum() {
        let rubric = parse(&json!({"criteria": [
            {"name": "A", "max_points": 2.25, "step": 0.5}, {"name": "B", "max_points": 3, "step": 0}]}))
        .unwrap();
        let given = |criterion: usize, hundredths: i64| {
            let points = Points::from_hundredths(hundredths);
            rubric.criteria[criterion]
                .nearest_points(points)
                .hundredths()
        };
        let stepped = [0, 24, 25, 174, 220, 225, 9_900].map(|points| given(0, points));
        assert_eq!(stepped, [0, 0, 50, 150, 200, 225, 225]);
        assert_eq!([given(1, 133), given(1, 301)], [133, 300]);
    }

    #[test]
    fn problems_say_where_they_stand() {
        let cases = [
            (json!({}), "rubric.criteria"),
            (json!({"criteria": []}), "rubric.criteria"),
            (json!({"criteria": [{}]}), "rubric.criteria[0].name"),
            (
                json!({"criteria": [{"name": "A", "weight": -1}]}),
                "rubric.criteria[0].weight",
            ),
            (
                json!({"criteria": [{"name": "A", "max_points": 0}]}),
                "rubric.criteria[0].max_points",
            ),
            (
                json!({"criteria": [{"name": "A", "levels": [{"label": "x", "points": 1}]}]}),
                "rubric.criteria[0].levels",
            ),
            (
                json!({"criteria": [{"name": "A", "id": "x"}, {"name": "B", "id": "x"}]}),
                "rubric.criteria[1].id",
            ),
        ];
        for (value, field) in cases {
            assert_eq!(parse(&value).unwrap_err().field, field);
        }
    }
}
