//! What every list can be narrowed by: SQLite and PostgreSQL say what [`Narrowing::admits`] says.

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::ids::{CourseId, WorkspaceId};
use lyceum_domain::json::Metadata;
use lyceum_ports::authoring::courses::CourseFilter;
use lyceum_ports::page::{Bound, MetadataMember, Narrowing, PageRequest};
use serde_json::{Value, json};
use uuid::Uuid;

cases![Stores:
    bounds_of_the_creation_hold_to_the_millisecond,
    metadata_is_compared_by_value_and_every_key_can_be_named,
];

fn here() -> WorkspaceId {
    id(1)
}

async fn store_with(stores: &Stores, courses: &[Course]) -> OpenStore {
    let store = stores.open().await;
    let courses = courses.to_vec();
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            courses
                .iter()
                .try_for_each(|course| tx.courses().insert(course))
        })
        .await
        .unwrap();
    store
}

/// What the list gives, which must be what `admits` lets stay.
async fn narrowed(store: &OpenStore, courses: &[Course], narrowed: Narrowing) -> Vec<CourseId> {
    let page = PageRequest {
        narrowed: narrowed.clone(),
        ..PageRequest::first(100)
    };
    let found = store
        .read(move |tx| tx.courses().page(here(), &CourseFilter::default(), &page))
        .await
        .unwrap();
    let found: Vec<CourseId> = found.items.iter().map(|shown| shown.course.id).collect();
    let admitted = courses
        .iter()
        .rev()
        .filter(|course| narrowed.admits(course.stamp.created_at, &course.metadata));
    let admitted: Vec<CourseId> = admitted.map(|course| course.id).collect();
    assert_eq!(found, admitted, "{narrowed:?}");
    found
}

fn member(key: &str, text: &str, scalar: Option<Value>) -> MetadataMember {
    MetadataMember {
        key: key.to_owned(),
        text: text.to_owned(),
        scalar,
    }
}

fn by(members: Vec<MetadataMember>) -> Narrowing {
    Narrowing {
        metadata: members,
        ..Narrowing::default()
    }
}

async fn bounds_of_the_creation_hold_to_the_millisecond(stores: &Stores) {
    // An id tells the same moment, as far as it can tell one.
    let at = |n: u64, moment: &str| {
        let mut course = sample::course(here(), n);
        course.stamp.created_at = Timestamp::parse(moment).unwrap();
        let millis = course.stamp.created_at.unix_millis();
        let millis = u128::try_from(millis).unwrap_or_default();
        course.id = CourseId::from_uuid(Uuid::from_u128((millis << 80) | u128::from(n)));
        course
    };
    let moments = [
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999Z",
        "2026-11-21T06:55:00Z",
        "2026-11-21T06:55:00.001Z",
        "9999-12-31T23:59:59.999Z",
    ];
    let courses: Vec<Course> = (10..)
        .zip(moments)
        .map(|(n, moment)| at(n, moment))
        .collect();
    let store = store_with(stores, &courses).await;
    let bounds = [
        Bound::AtOrAfter,
        Bound::After,
        Bound::AtOrBefore,
        Bound::Before,
    ];
    let created = |bounds: Vec<(Bound, &str)>| Narrowing {
        created: bounds
            .into_iter()
            .map(|(bound, moment)| (bound, Timestamp::parse(moment).unwrap()))
            .collect(),
        ..Narrowing::default()
    };
    for moment in moments {
        for bound in bounds {
            narrowed(&store, &courses, created(vec![(bound, moment)])).await;
        }
    }
    let between = created(vec![
        (Bound::After, moments[1]),
        (Bound::AtOrBefore, moments[3]),
    ]);
    let expected = [courses[3].id, courses[2].id];
    assert_eq!(narrowed(&store, &courses, between).await, expected);
}

async fn metadata_is_compared_by_value_and_every_key_can_be_named(stores: &Stores) {
    let keys = [
        "k",
        "a.b",
        "$",
        "$.k",
        "[0]",
        "#-1",
        "0",
        "it's",
        "\"",
        "\\",
        "%",
        "é",
        "\n",
        "a b",
        "?",
        "\u{1f600}",
    ];
    let values = [
        json!("5"),
        json!(5),
        json!(5.5),
        json!(-7),
        json!(9_007_199_254_740_993_i64),
        json!(9_007_199_254_740_992_i64),
        json!(1e300),
        json!(0.1),
        json!("true"),
        json!(true),
        json!(false),
        json!(null),
        json!("null"),
        json!(""),
        json!("it's \"quoted\" \\ \n é \u{1f600}"),
        json!(["5", 5]),
        json!({"k": "5"}),
    ];
    let with = |n: u64, metadata: Value| {
        let mut course = sample::course(here(), n);
        course.metadata = Metadata::parse(metadata.as_object().unwrap().clone()).unwrap();
        course
    };
    let mut courses = vec![with(1, json!({}))];
    for value in &values {
        let n = u64::try_from(courses.len()).unwrap() + 1;
        courses.push(with(n, json!({"k": value, "same": "yes"})));
    }
    for key in keys.iter().skip(1) {
        let n = u64::try_from(courses.len()).unwrap() + 1;
        courses.push(with(n, json!({*key: "v"})));
    }
    let store = store_with(stores, &courses).await;
    for value in &values {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let scalar = [value.is_number(), value.is_boolean(), value.is_null()];
        let scalar = scalar.contains(&true).then(|| value.clone());
        let wanted = by(vec![member("k", &text, scalar.clone())]);
        let found = narrowed(&store, &courses, wanted).await;
        let simple = !value.is_array() && !value.is_object();
        assert_eq!(!found.is_empty(), simple, "{value}");
        let both = by(vec![
            member("same", "yes", None),
            member("k", &text, scalar),
        ]);
        assert_eq!(narrowed(&store, &courses, both).await, found);
    }
    let five = by(vec![member("k", "5", Some(json!(5)))]);
    assert_eq!(narrowed(&store, &courses, five).await.len(), 2);
    for key in keys.iter().skip(1) {
        let found = narrowed(&store, &courses, by(vec![member(key, "v", None)])).await;
        assert_eq!(found.len(), 1, "{key:?}");
    }
    let absent = by(vec![member("nowhere", "null", Some(Value::Null))]);
    assert_eq!(narrowed(&store, &courses, absent).await, []);
}
