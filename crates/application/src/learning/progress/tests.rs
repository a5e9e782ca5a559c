use super::*;
use lyceum_domain::authoring::lessons::{Minutes, NewLesson};
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::Objectives;
use lyceum_domain::id::Identified;
use lyceum_domain::identity::keys::KeyKind;
use lyceum_domain::identity::users::{NewUser, Role, User};
use lyceum_domain::ids::ActivityId;
use lyceum_domain::json::Metadata;
use lyceum_domain::learning::cohorts::NewCohort;
use lyceum_domain::text::{Email, LongText, Name};
use lyceum_ports::learning::attempts::BestAttempt;
use lyceum_ports::learning::progress::CompletedLessons;
use lyceum_ports::mocks::MockTx;

use crate::error::Forbidden;
use crate::identity::visibility::tests::{context, id, now};

fn teacher() -> Context {
    context(Role::Teacher, KeyKind::Standard)
}

fn number<K: Identified>(of: lyceum_domain::Id<K>) -> u8 {
    (0..=255).find(|n| id::<K>(*n) == of).unwrap()
}

/// Cohorts 1 to 3 are of course 5: 1 is a draft, 2 and 3 run. Cohort 4 is of course 6.
fn cohort(cohort_id: CohortId) -> Cohort {
    let n = number(cohort_id);
    let new = NewCohort {
        course_id: if n == 4 { id(6) } else { id(5) },
        name: Name::parse("Autumn").unwrap(),
        starts_at: None,
        ends_at: None,
        timezone: "UTC".to_owned(),
        capacity: None,
        updates: lyceum_domain::learning::cohorts::CohortUpdates::Automatic,
        metadata: Metadata::default(),
    };
    let draft = Cohort::draft(id(1), cohort_id, new, now()).unwrap();
    let status = if n == 1 {
        CohortStatus::Draft
    } else {
        CohortStatus::Active
    };
    Cohort { status, ..draft }
}

fn enrolled(cohort: u8, status: EnrollmentStatus) -> Enrollment {
    let new = Enrollment::new(id(1), id(cohort), id(cohort), id(4), now());
    Enrollment { status, ..new }
}

fn student() -> User {
    let new = NewUser {
        email: Email::parse("bob@example.org").unwrap(),
        name: None,
        role: Role::Student,
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    User::new(id(1), id(4), id(7), new, now())
}

/// A transaction with a lesson of course 5, a student in these cohorts, newest first, and nothing done.
fn with(places: Vec<Enrollment>) -> MockTx {
    let mut tx = MockTx::default();
    tx.lessons.expect_find().returning(|_, lesson| {
        let new = NewLesson {
            unit_id: id(2),
            name: Name::parse("Lesson").unwrap(),
            summary: LongText::default(),
            objectives: Objectives::default(),
            content: LongText::default(),
            duration: Minutes::default(),
            language: None,
            position: None,
            metadata: Metadata::default(),
        };
        let human = Provenance::human();
        Ok(Some(Lesson::new(
            id(1),
            lesson,
            id(5),
            new,
            0,
            human,
            now(),
        )))
    });
    tx.users.expect_find().returning(|_, _| Ok(Some(student())));
    tx.enrollments
        .expect_of_user()
        .returning(move |_, _| Ok(places.clone()));
    tx.cohorts
        .expect_with_ids()
        .returning(|_, ids| Ok(ids.iter().map(|id| cohort(*id)).collect()));
    tx
}

/// … that has three lessons; the counts are asked for once.
fn counting(mut tx: MockTx) -> MockTx {
    tx.courses
        .expect_with_ids()
        .times(1)
        .returning(|_, _| Ok(Vec::new()));
    tx.progress
        .expect_lesson_totals()
        .times(1)
        .returning(|_, courses| Ok(courses.iter().map(|course| (*course, 3)).collect()));
    tx.progress
        .expect_completed()
        .times(1)
        .returning(|_, users, courses| {
            let one = |user_id| CompletedLessons {
                user_id,
                course_id: courses.first().copied().unwrap(),
                lessons: 1,
                last_at: now(),
            };
            Ok(users.iter().copied().map(one).collect())
        });
    tx.attempts
        .expect_best()
        .times(1)
        .returning(|_, users, courses| {
            let one = |user_id, activity: ActivityId, percent| BestAttempt {
                user_id,
                course_id: courses.first().copied().unwrap(),
                activity_id: activity,
                percent,
                last_at: now(),
            };
            let user = users.first().copied().unwrap();
            Ok(vec![
                one(user, id(1), Some(100)),
                one(user, id(2), Some(51)),
                one(user, id(3), None),
            ])
        });
    tx
}

fn asked(user: Option<UserId>, cohort: Option<CohortId>) -> CompletionRequest {
    CompletionRequest {
        user_id: user,
        cohort_id: cohort,
    }
}

#[test]
fn the_place_is_the_named_one_or_the_newest_active_one() {
    use EnrollmentStatus::{Active, Completed, Withdrawn};
    let cases = [
        (vec![(3, Active), (2, Active)], None, 3),
        (vec![(3, Withdrawn), (2, Active)], None, 2),
        (vec![(1, Active)], None, 1),
        // One that runs goes before a newer one that does not.
        (vec![(4, Active), (1, Active), (2, Active)], None, 2),
        (vec![(3, Active), (1, Completed)], Some(1), 1),
    ];
    for (places, named, expected) in cases {
        let places = places
            .iter()
            .map(|(cohort, status)| enrolled(*cohort, *status));
        let mut tx = counting(with(places.collect()));
        // It is done already: nothing is written and nobody is told.
        tx.progress
            .expect_completion()
            .returning(|_, user, lesson| Ok(Some(done(user, lesson))));
        let request = asked(Some(id(4)), named.map(id));
        let view = complete(&mut tx, &teacher(), id(8), request).unwrap();
        assert_eq!(
            view.cohort_id,
            id::<lyceum_domain::ids::Cohort>(expected).to_string()
        );
        assert_eq!((view.lessons_completed, view.percent), (1, 33));
    }
}

fn done(user_id: UserId, lesson_id: LessonId) -> LessonCompletion {
    LessonCompletion {
        workspace_id: id(1),
        id: id(9),
        user_id,
        lesson_id,
        course_id: id(5),
        created_at: now(),
    }
}

#[test]
fn a_lesson_is_completed_and_told_of_once() {
    let mut tx = counting(with(vec![enrolled(2, EnrollmentStatus::Active)]));
    tx.progress
        .expect_completion()
        .returning(|_, _, _| Ok(None));
    tx.progress
        .expect_complete()
        .withf(|completion| completion.course_id == id(5) && completion.user_id == id(4))
        .times(1)
        .returning(|_| Ok(()));
    tx.events
        .expect_append()
        .withf(|event| event.kind == EventType::LessonCompleted)
        .times(1)
        .returning(|_| Ok(()));
    tx.webhooks.expect_enabled().returning(|_| Ok(vec![]));
    let view = complete(&mut tx, &teacher(), id(8), asked(Some(id(4)), None)).unwrap();
    let average = view.average_score.map(|average| average.0.hundredths());
    assert_eq!((view.lessons_total, average), (3, Some(7_550)));
}

#[test]
fn whoever_is_in_no_cohort_of_the_course_has_no_progress_in_it() {
    let elsewhere = || with(vec![enrolled(4, EnrollmentStatus::Active)]);
    for (named, field) in [
        (None, "user_id"),
        (Some(id(4)), "cohort_id"),
        (Some(id(2)), "cohort_id"),
    ] {
        let request = asked(Some(id(4)), named);
        let refused = complete(&mut elsewhere(), &teacher(), id(8), request);
        assert!(matches!(refused, Err(Error::Reference { field: told, .. }) if told == field));
    }
    let nobody = complete(&mut elsewhere(), &teacher(), id(8), asked(None, None));
    assert!(matches!(nobody, Err(Error::Invalid(problems)) if problems[0].missing));
}

#[test]
fn a_learner_completes_for_nobody_else() {
    let mut tx = with(vec![enrolled(2, EnrollmentStatus::Active)]);
    tx.cohorts
        .expect_find()
        .returning(|_, id| Ok(Some(cohort(id))));
    tx.courses.expect_with_ids().returning(|_, ids| {
        let mut course = crate::identity::visibility::tests::course(5);
        course.status = lyceum_domain::authoring::courses::CourseStatus::Published;
        Ok(ids.iter().map(|_| course.clone()).collect())
    });
    let learner = context(Role::Student, KeyKind::Session);
    let refused = complete(&mut tx, &learner, id(8), asked(Some(id(6)), None));
    assert!(matches!(refused, Err(Error::Forbidden(Forbidden::NotOwn))));
}

#[test]
fn a_page_of_progress_costs_the_same_however_long_it_is() {
    let mut tx = counting(MockTx::default());
    tx.cohorts
        .expect_find()
        .times(1)
        .returning(|_, id| Ok(Some(cohort(id))));
    tx.enrollments
        .expect_page()
        .times(1)
        .returning(|_, cohort, _| {
            let place = |n: u8| {
                let student = User {
                    id: id(n),
                    ..student()
                };
                (
                    Enrollment::new(id(1), id(n), cohort, student.id, now()),
                    student,
                )
            };
            Ok(Page {
                items: (10..60).map(place).collect(),
                next: None,
            })
        });
    let page = of_cohort(&mut tx, &teacher(), id(2), &PageRequest::first(50)).unwrap();
    assert_eq!(page.items.len(), 50);
    assert!(page.items.iter().all(|one| one.lessons_completed == 1));
    let scored = page.items.iter().filter(|one| one.average_score.is_some());
    assert_eq!(scored.count(), 1);
}
