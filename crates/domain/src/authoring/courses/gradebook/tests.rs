use rstest::rstest;
use uuid::Uuid;

use super::*;
use crate::Id;

fn assignment(number: u128) -> GradedItem {
    GradedItem::Assignment(Id::from_uuid(Uuid::from_u128(number)))
}

fn activity(number: u128) -> GradedItem {
    GradedItem::Activity(Id::from_uuid(Uuid::from_u128(number)))
}

fn group(id: &str, weight: u8) -> Value {
    json!({"id": id, "name": id.to_uppercase(), "weight": weight})
}

fn parse(given: &Value) -> Result<GradebookScheme, Invalid> {
    GradebookScheme::parse(given.as_object().unwrap())
}

#[test]
fn what_is_said_is_kept() {
    let given = json!({
        "groups": [
            {
                "id": "homework", "name": "Homework", "weight": 40, "drop_lowest": 1, "attempt": "latest",
                "items": [assignment(1).to_string(), activity(1).to_string()],
            },
            {"id": "exams", "name": "Exams", "weight": 50, "drop_lowest": 0, "attempt": "first", "items": []},
        ],
        "missing": "zero",
    });
    let scheme = parse(&given).unwrap();
    assert_eq!(Value::Object(scheme.to_json()), given);
    assert_eq!(scheme.missing(), MissingWork::Zero);
    assert_eq!(scheme.left_over(), 10);
    let homework = scheme.group_of(activity(1)).unwrap();
    assert_eq!(homework.id, "homework");
    assert_eq!(homework.attempt, CountingAttempt::Latest);
    // The ids of an assignment and an activity may be the same number.
    assert!(scheme.group_of(activity(2)).is_none());
}

#[test]
fn nothing_said_is_all_tasks_together() {
    let scheme = parse(&json!({})).unwrap();
    assert_eq!(scheme, GradebookScheme::default());
    assert_eq!(parse(&json!({"groups": null, "missing": null})), Ok(scheme));
    assert_eq!(GradebookScheme::default().left_over(), 100);
    let usual = parse(&json!({"groups": [group("a", 5)]})).unwrap();
    let usual = &usual.groups()[0];
    assert_eq!(
        (usual.drop_lowest, usual.attempt),
        (0, CountingAttempt::Best)
    );
    assert_eq!(usual.items, []);
}

#[rstest]
#[case::missing(json!({"missing": "nil"}), "missing")]
#[case::no_array(json!({"groups": {}}), "groups")]
#[case::no_object(json!({"groups": [7]}), "groups[0]")]
#[case::no_id(json!({"groups": [{"name": "A", "weight": 1}]}), "groups[0].id")]
#[case::blank_id(json!({"groups": [{"id": " ", "name": "A", "weight": 1}]}), "groups[0].id")]
#[case::long_id(json!({"groups": [group(&"a".repeat(65), 1)]}), "groups[0].id")]
#[case::no_name(json!({"groups": [{"id": "a", "weight": 1}]}), "groups[0].name")]
#[case::blank_name(json!({"groups": [{"id": "a", "name": " ", "weight": 1}]}), "groups[0].name")]
#[case::no_weight(json!({"groups": [{"id": "a", "name": "A"}]}), "groups[0].weight")]
#[case::half_a_weight(json!({"groups": [{"id": "a", "name": "A", "weight": 0.5}]}), "groups[0].weight")]
#[case::weight(json!({"groups": [group("a", 101)]}), "groups[0].weight")]
#[case::weights(json!({"groups": [group("a", 60), group("b", 41)]}), "groups")]
#[case::same_id(json!({"groups": [group("a", 1), {"id": "a", "name": "B", "weight": 1}]}), "groups[1].id")]
#[case::same_name(json!({"groups": [group("a", 1), {"id": "b", "name": "A", "weight": 1}]}), "groups[1].name")]
#[case::dropped(json!({"groups": [{"id": "a", "name": "A", "weight": 1, "drop_lowest": 21}]}), "groups[0].drop_lowest")]
#[case::attempt(json!({"groups": [{"id": "a", "name": "A", "weight": 1, "attempt": "mean"}]}), "groups[0].attempt")]
#[case::items(json!({"groups": [{"id": "a", "name": "A", "weight": 1, "items": "all"}]}), "groups[0].items")]
#[case::item(json!({"groups": [{"id": "a", "name": "A", "weight": 1, "items": ["crs_1"]}]}), "groups[0].items[0]")]
fn what_is_no_scheme_is_named(#[case] given: Value, #[case] field: &str) {
    assert_eq!(
        parse(&given).unwrap_err().field,
        format!("gradebook.{field}")
    );
}

#[test]
fn a_task_is_in_one_group_and_there_are_not_too_many() {
    let with = |id: &str, items: Vec<GradedItem>| GradeGroup {
        id: id.to_owned(),
        name: Name::parse(id).unwrap(),
        weight: 1,
        drop_lowest: 0,
        attempt: CountingAttempt::Best,
        items,
    };
    let refused = |groups| GradebookScheme::new(groups, MissingWork::Ignored).unwrap_err();
    let twice = refused(vec![
        with("a", vec![assignment(1)]),
        with("b", vec![activity(1), assignment(1)]),
    ]);
    assert_eq!(twice.field, "gradebook.groups[1].items[1]");
    let many = refused(vec![with("a", (0..1_001).map(assignment).collect())]);
    assert_eq!(many.field, "gradebook.groups[0].items[1000]");
    let groups = (0..21).map(|number| with(&format!("g{number}"), Vec::new()));
    assert_eq!(refused(groups.collect()).field, "gradebook.groups");
    let heavy = GradeGroup {
        weight: 101,
        ..with("a", Vec::new())
    };
    assert_eq!(refused(vec![heavy]).field, "gradebook.groups[0].weight");
}
