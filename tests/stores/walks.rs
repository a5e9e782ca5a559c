//! How far a page of a list looks: at so many rows and no more, and nothing is missed or told twice for it.

use std::time::Duration;

use lyceum_domain::ids::CourseId;
use lyceum_ports::authoring::courses::CourseFilter;
use lyceum_ports::page::{Bound, Keyset, Narrowing, PageRequest};
use rstest::rstest;
use support::fakes::id;
use support::queries;
use support::sample;
use support::stores::{Database, TestStore};
use support::tampering::tamper;
use uuid::Uuid;

/// At as many rows one page looks.
const ROWS: u32 = 20_000;

/// A store with a course for each number, in this order. The first is rare, and every so many further ones.
async fn filled(database: Database, courses: u32, every: u32) -> TestStore {
    let store = TestStore::open(database);
    let work = store.write(|tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        tx.courses().insert(&sample::course(id(1), 0))
    });
    work.await.unwrap();
    let (numbers, padded) = match database {
        Database::Sqlite => (
            format!(
                "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {courses}) SELECT i FROM n)"
            ),
            "printf('%08d', i)",
        ),
        Database::Postgres => (
            format!("(SELECT i FROM generate_series(1, {courses}) AS i)"),
            "lpad(i::text, 8, '0')",
        ),
    };
    tamper(
        &store.url,
        &format!(
            "INSERT INTO courses (workspace_id, id, name, language, description, hours, minutes_generated, status, \
                 ai_instructions, ai_evaluator, tutor, metadata, created_at, updated_at, version) \
             SELECT workspace_id, substr(id, 1, 22) || {padded}, CASE WHEN i % {every} = 1 % {every} THEN 'Rare' ELSE 'Course' END, \
                 language, description, hours, minutes_generated, status, ai_instructions, ai_evaluator, tutor, \
                 metadata, created_at, updated_at, version \
             FROM courses, {numbers} AS numbers"
        ),
    );
    store
}

fn rare() -> CourseFilter {
    CourseFilter {
        q: Some("rare".to_owned()),
        ..CourseFilter::default()
    }
}

/// The last eight characters of the ids on a page, and where it goes on.
async fn page(
    store: &TestStore,
    filter: CourseFilter,
    page: PageRequest,
) -> (Vec<u32>, Option<Keyset>) {
    let asked = store.read(move |tx| tx.courses().page(id(1), &filter, &page));
    let found = asked.await.unwrap();
    let number = |id: CourseId| {
        let id = id.to_string();
        id.get(22..).unwrap().parse().unwrap()
    };
    let numbers = found.items.iter().map(|shown| number(shown.course.id));
    (numbers.collect(), found.next)
}

/// All pages of a list, one after the other.
async fn pages(store: &TestStore, filter: &CourseFilter, limit: u16) -> Vec<Vec<u32>> {
    let mut pages = Vec::new();
    let mut wanted = PageRequest::first(limit);
    loop {
        let (numbers, next) = page(store, filter.clone(), wanted.clone()).await;
        pages.push(numbers);
        wanted.after = next;
        if wanted.after.is_none() {
            return pages;
        }
    }
}

#[rstest]
#[tokio::test]
async fn a_page_ends_where_it_has_looked_at_enough_and_the_next_goes_on_there(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    // The oldest is the only one of that name: the last that a page looks at, and the first behind it.
    let store = filled(database, ROWS, ROWS).await;
    assert_eq!(pages(&store, &rare(), 20).await, [vec![1], vec![]]);
    let store = filled(database, ROWS + 1, ROWS + 1).await;
    assert_eq!(pages(&store, &rare(), 20).await, [vec![], vec![1]]);
}

#[rstest]
#[tokio::test]
async fn nothing_is_missed_or_told_twice(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(1, 2, 100)] limit: u16,
) {
    let store = filled(database, 2 * ROWS + 500, 7_000).await;
    let found = pages(&store, &rare(), limit).await.concat();
    assert_eq!(found, [35_001, 28_001, 21_001, 14_001, 7_001, 1]);
}

#[rstest]
#[tokio::test]
async fn a_page_of_what_nothing_is_left_out_of_is_full(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = filled(database, ROWS + 10, 1).await;
    let all = pages(&store, &CourseFilter::default(), 100).await;
    assert!(all[..200].iter().all(|page| page.len() == 100));
    assert_eq!(all.concat().len(), usize::try_from(ROWS).unwrap() + 11);
}

/// How far back it was looked for each page since the last time.
fn looks(store: &TestStore) -> Vec<u32> {
    let asked = queries::taken(&store.url).into_iter();
    let behind = asked.filter_map(|query| {
        let (_, behind) = query.split_once(" OFFSET ")?;
        let digits = behind.split(|c: char| !c.is_ascii_digit()).next()?;
        Some(digits.parse::<u32>().unwrap() + 1)
    });
    behind.collect()
}

#[tokio::test]
async fn a_page_that_is_soon_full_does_not_look_far() {
    queries::listen();
    let store = filled(Database::Sqlite, 2_000, 3).await;
    looks(&store);
    let (found, next) = page(&store, rare(), PageRequest::first(100)).await;
    assert_eq!((found.len(), next.is_some()), (100, true));
    assert_eq!(looks(&store), [500]);
    let store = filled(Database::Sqlite, 2_000, 2_000).await;
    looks(&store);
    let (found, next) = page(&store, rare(), PageRequest::first(100)).await;
    assert_eq!((found, next), (vec![1], None));
    assert_eq!(looks(&store), [500, ROWS]);
}

#[rstest]
#[tokio::test]
async fn what_was_made_since_is_not_looked_for_among_what_is_older(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = filled(database, ROWS + 10, 1).await;
    let moment = sample::now().plus(Duration::from_hours(48));
    let millis = u128::try_from(moment.unix_millis()).unwrap();
    let mut new = sample::course(id(1), 1);
    new.id = CourseId::from_uuid(Uuid::from_u128((millis << 80) | 0x7000 << 64));
    new.stamp.created_at = moment;
    let expected = new.id;
    let made = store.write(move |tx| tx.courses().insert(&new));
    made.await.unwrap();
    let wanted = PageRequest {
        narrowed: Narrowing {
            created: vec![(Bound::AtOrAfter, moment)],
            ..Narrowing::default()
        },
        ..PageRequest::first(20)
    };
    let asked = store.read(move |tx| tx.courses().page(id(1), &CourseFilter::default(), &wanted));
    let found = asked.await.unwrap();
    let ids: Vec<CourseId> = found.items.iter().map(|shown| shown.course.id).collect();
    assert_eq!((ids, found.next), (vec![expected], None));
}
