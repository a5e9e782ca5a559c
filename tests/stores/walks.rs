//! How far a page of a list looks: at so many rows and no more, and nothing is missed or told twice for it.

use std::time::Duration;

use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::StandingGrade;
use lyceum_domain::ids::{AssignmentId, CourseId, SubmissionId};
use lyceum_domain::points::Points;
use lyceum_ports::authoring::courses::CourseFilter;
use lyceum_ports::grading::submissions::{GradeFilter, SubmissionFilter};
use lyceum_ports::page::{Bound, Keyset, Narrowing, PageRequest, Sort};
use rstest::rstest;
use support::fakes::id;
use support::queries;
use support::sample::{self, content};
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
    let (numbers, padded) = numbers(database, courses);
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

/// Numbers up to so many, and what each is as the end of an id.
fn numbers(database: Database, most: u32) -> (String, &'static str) {
    match database {
        Database::Sqlite => (
            format!(
                "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {most}) SELECT i FROM n)"
            ),
            "printf('%08d', i)",
        ),
        Database::Postgres => (
            format!("(SELECT i FROM generate_series(1, {most}) AS i)"),
            "lpad(i::text, 8, '0')",
        ),
    }
}

/// A page of what is called rare.
fn rare(limit: u16) -> PageRequest {
    let mut page = PageRequest::first(limit);
    page.narrowed.text = Some("rare".to_owned());
    page
}

fn sorted(page: PageRequest, sort: &str) -> PageRequest {
    PageRequest {
        sort: Sort::parse(sort),
        ..page
    }
}

/// The last eight characters of the ids on a page, and where it goes on.
async fn page(store: &TestStore, page: PageRequest) -> (Vec<u32>, Option<Keyset>) {
    let asked = store.read(move |tx| tx.courses().page(id(1), &CourseFilter::default(), &page));
    let found = asked.await.unwrap();
    let number = |id: CourseId| {
        let id = id.to_string();
        id.get(22..).unwrap().parse().unwrap()
    };
    let numbers = found.items.iter().map(|shown| number(shown.course.id));
    (numbers.collect(), found.next)
}

/// All pages of a list, one after the other.
async fn pages(store: &TestStore, mut wanted: PageRequest) -> Vec<Vec<u32>> {
    let mut pages = Vec::new();
    loop {
        let (numbers, next) = page(store, wanted.clone()).await;
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
    assert_eq!(pages(&store, rare(20)).await, [vec![1], vec![]]);
    let store = filled(database, ROWS + 1, ROWS + 1).await;
    assert_eq!(pages(&store, rare(20)).await, [vec![], vec![1]]);
}

#[rstest]
#[tokio::test]
async fn nothing_is_missed_or_told_twice(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(1, 2, 100)] limit: u16,
) {
    let store = filled(database, 2 * ROWS + 500, 7_000).await;
    let found = pages(&store, rare(limit)).await.concat();
    assert_eq!(found, [35_001, 28_001, 21_001, 14_001, 7_001, 1]);
}

#[rstest]
#[tokio::test]
async fn a_page_of_what_nothing_is_left_out_of_is_full(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = filled(database, ROWS + 10, 1).await;
    let all = pages(&store, PageRequest::first(100)).await;
    assert!(all[..200].iter().all(|page| page.len() == 100));
    assert_eq!(all.concat().len(), usize::try_from(ROWS).unwrap() + 11);
}

#[rstest]
#[tokio::test]
async fn in_every_order_a_page_looks_at_so_many_and_nothing_is_missed_or_told_twice(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = filled(database, ROWS + 500, 7_000).await;
    let oldest_first = [1, 7_001, 14_001];
    let newest_first = [14_001, 7_001, 1];
    for (sort, expected) in [
        ("created_at", oldest_first),
        ("-created_at", newest_first),
        ("name", oldest_first),
        ("-name", newest_first),
        // All were changed at one moment, so the ids decide.
        ("updated_at", oldest_first),
        ("-updated_at", newest_first),
    ] {
        for limit in [1, 2, 100] {
            let found = pages(&store, sorted(rare(limit), sort)).await;
            assert_eq!(found.concat(), expected, "{sort} {limit}");
        }
        let all = pages(&store, sorted(PageRequest::first(100), sort)).await;
        let count = all.concat().len();
        assert_eq!(count, usize::try_from(ROWS).unwrap() + 501, "{sort}");
        assert!(all[..200].iter().all(|page| page.len() == 100), "{sort}");
    }
    // The rare ones stand behind all others, whatever is between them.
    let last = pages(&store, sorted(rare(20), "name")).await;
    assert_eq!(last, [vec![], oldest_first.to_vec()]);
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
    let (found, next) = page(&store, rare(100)).await;
    assert_eq!((found.len(), next.is_some()), (100, true));
    assert_eq!(looks(&store), [500]);
    let store = filled(Database::Sqlite, 2_000, 2_000).await;
    looks(&store);
    let (found, next) = page(&store, rare(100)).await;
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

/// A store with a submission for each number, and one before them, all of one learner and graded alike at one moment. The first was graded
/// an hour before, with a point less, and is the only one of its assignment.
async fn graded(database: Database, submissions: u32) -> TestStore {
    let store = TestStore::open(database);
    let mut base = content::submission(id(1), 0);
    base.grade = Some(StandingGrade {
        score: Points::whole(70),
        feedback: String::new(),
        by: GradeSource::Ai,
        decided_by: None,
        decided_at: None,
        at: sample::now(),
        read_at: None,
        criteria: Vec::new(),
        before: None,
    });
    let work = store.write(move |tx| {
        content::put_students(tx)?;
        tx.assignments().insert(&content::assignment(id(1), 3))?;
        tx.submissions().insert(&base)
    });
    work.await.unwrap();
    let (numbers, padded) = numbers(database, submissions);
    let rare: AssignmentId = id(3);
    let before = sample::now().minus(Duration::from_hours(1));
    let earlier = match database {
        Database::Sqlite => format!("'{before}'"),
        Database::Postgres => format!("'{before}'::timestamptz"),
    };
    tamper(
        &store.url,
        &format!(
            "INSERT INTO submissions (workspace_id, id, assignment_id, user_id, attempt, status, content_type, content, late, \
                 max_score, grade, ai, run, review_reasons, metadata, created_at, updated_at, version, course_id, grader, \
                 graded_at, score) \
             SELECT workspace_id, substr(id, 1, 22) || {padded}, CASE WHEN i = 1 THEN '{rare}' ELSE assignment_id END, user_id, \
                 i + 1, status, content_type, content, late, max_score, grade, ai, run, review_reasons, metadata, created_at, \
                 updated_at, version, course_id, grader, CASE WHEN i = 1 THEN {earlier} ELSE graded_at END, \
                 CASE WHEN i = 1 THEN score - 100 ELSE score END \
             FROM submissions, {numbers} AS numbers"
        ),
    );
    store
}

/// All pages of a list of submissions in an order, by the last eight characters of their ids.
async fn pages_of_work(store: &TestStore, filter: &SubmissionFilter, sort: &str) -> Vec<Vec<u32>> {
    let (mut pages, mut wanted) = (Vec::new(), sorted(PageRequest::first(20), sort));
    loop {
        let (filter, asked) = (filter.clone(), wanted.clone());
        let found = store.read(move |tx| tx.submissions().page(id(1), &filter, &asked));
        let found = found.await.unwrap();
        let number = |id: SubmissionId| id.to_string().get(22..).unwrap().parse().unwrap();
        pages.push(found.items.iter().map(|one| number(one.id)).collect());
        wanted.after = found.next;
        if wanted.after.is_none() {
            return pages;
        }
    }
}

#[rstest]
#[tokio::test]
async fn what_was_handed_in_for_one_assignment_is_looked_for_along_an_order_of_grades(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values("-graded_at", "-score")] sort: &str,
) {
    let of_assignment = SubmissionFilter {
        assignment_id: Some(id(3)),
        ..SubmissionFilter::default()
    };
    let (here, behind) = (vec![vec![1], vec![]], vec![vec![], vec![1]]);
    let store = graded(database, ROWS - 1).await;
    assert_eq!(pages_of_work(&store, &of_assignment, sort).await, here);
    let store = graded(database, ROWS).await;
    assert_eq!(pages_of_work(&store, &of_assignment, sort).await, behind);
    // What one learner handed in is put in order as it is found.
    let of_learner = SubmissionFilter {
        user_id: Some(id(1)),
        ..of_assignment
    };
    assert_eq!(pages_of_work(&store, &of_learner, sort).await, [[1]]);
}

#[rstest]
#[tokio::test]
async fn what_was_graded_later_is_not_looked_at_on_the_way_to_what_was_before(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = graded(database, ROWS + 500).await;
    let before = SubmissionFilter {
        grade: GradeFilter {
            before: Some(sample::now()),
            ..GradeFilter::default()
        },
        ..SubmissionFilter::default()
    };
    assert_eq!(pages_of_work(&store, &before, "-graded_at").await, [[1]]);
    // In another order it is.
    let found = pages_of_work(&store, &before, "-created_at").await;
    assert_eq!(found, [vec![], vec![1]]);
}
