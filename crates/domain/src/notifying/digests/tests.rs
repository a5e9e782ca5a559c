use std::time::Duration;

use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::Id;
use crate::identity::users::{NewUser, Suspension};
use crate::json::Metadata;
use crate::text::Email;

const BERLIN: &str = "Europe/Berlin";
const TOKYO: &str = "Asia/Tokyo";
const ANGELES: &str = "America/Los_Angeles";

fn zone(name: &str) -> TimeZone {
    TimeZone::parse(name).unwrap()
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn id<K>(number: u128) -> Id<K> {
    Id::from_uuid(uuid::Uuid::from_u128(number))
}

fn since(moment: &str, place: &str) -> Digest {
    let mut digest = Digest::none(id(1), id(2));
    assert!(digest.choose(DigestRhythm::Daily, Some(&zone(place)), at(moment)));
    digest
}

fn taken(digest: &mut Digest, moment: &str, place: &str) -> Option<String> {
    let day = digest.take(Some(&zone(place)), at(moment));
    day.map(|day| day.to_string())
}

fn next(digest: &Digest) -> String {
    digest.next_at.unwrap().to_string()
}

#[test]
fn it_is_off_until_it_is_chosen_and_due_on_the_next_morning() {
    let mut digest = Digest::none(id(1), id(2));
    assert_eq!(digest.rhythm(), DigestRhythm::Off);
    let now = at("2026-11-28T10:00:00Z");
    assert_eq!(digest.take(None, now), None);
    assert!(!digest.choose(DigestRhythm::Off, None, now));
    assert!(digest.choose(DigestRhythm::Daily, None, now));
    assert!(!digest.choose(DigestRhythm::Daily, None, now));
    assert_eq!(next(&digest), "2026-11-29T07:00:00.000Z");
    assert_eq!(digest.take(None, now), None, "not yet");
    // At night the next morning is that of the day that began.
    let early = since("2026-11-28T05:00:00Z", BERLIN);
    assert_eq!(next(&early), "2026-11-28T06:00:00.000Z");
    assert!(digest.choose(DigestRhythm::Off, None, now));
    assert_eq!((digest.next_at, digest.rhythm()), (None, DigestRhythm::Off));
}

#[rstest]
#[case::at_seven("2026-11-29T06:00:00Z", Some("2026-11-29"), "2026-11-30T06:00:00.000Z")]
#[case::a_moment_before("2026-11-29T05:59:59Z", None, "2026-11-29T06:00:00.000Z")]
#[case::missed_and_still_that_day(
    "2026-11-29T22:59:00Z",
    Some("2026-11-29"),
    "2026-11-30T06:00:00.000Z"
)]
#[case::missed_and_the_day_is_over("2026-11-29T23:30:00Z", None, "2026-11-30T06:00:00.000Z")]
#[case::down_for_days("2026-12-03T12:00:00Z", Some("2026-12-03"), "2026-12-04T06:00:00.000Z")]
fn it_is_made_on_its_day_alone(#[case] now: &str, #[case] day: Option<&str>, #[case] then: &str) {
    let mut digest = since("2026-11-28T10:00:00Z", BERLIN);
    assert_eq!(taken(&mut digest, now, BERLIN).as_deref(), day);
    assert_eq!(next(&digest), then);
    assert_eq!(taken(&mut digest, now, BERLIN), None, "once");
}

#[test]
fn a_day_has_one_however_the_clocks_change() {
    for (since_when, first, second) in [
        (
            "2026-03-28T20:00:00Z",
            "2026-03-29T05:00:00Z",
            "2026-03-30T05:00:00.000Z",
        ),
        (
            "2026-10-24T20:00:00Z",
            "2026-10-25T06:00:00Z",
            "2026-10-26T06:00:00.000Z",
        ),
    ] {
        let mut digest = since(since_when, BERLIN);
        assert!(taken(&mut digest, first, BERLIN).is_some());
        assert_eq!(next(&digest), second);
    }
}

#[test]
fn whoever_travels_or_switches_it_off_and_on_gets_no_second_for_the_day() {
    let mut digest = since("2026-11-27T10:00:00Z", TOKYO);
    let sent = taken(&mut digest, "2026-11-27T22:00:00Z", TOKYO);
    assert_eq!(sent.as_deref(), Some("2026-11-28"));
    // There it is still the 27th, and the 28th was told.
    assert!(digest.follow(Some(&zone(ANGELES)), at("2026-11-27T23:00:00Z")));
    assert_eq!(next(&digest), "2026-11-29T15:00:00.000Z");
    let now = at("2026-11-28T01:00:00Z");
    assert!(digest.choose(DigestRhythm::Off, None, now));
    assert!(
        !digest.follow(Some(&zone(TOKYO)), now),
        "what is off stays off"
    );
    assert!(digest.choose(DigestRhythm::Daily, Some(&zone(TOKYO)), now));
    assert_eq!(next(&digest), "2026-11-28T22:00:00.000Z");
}

#[test]
fn one_that_could_not_be_made_is_looked_at_again_in_an_hour_and_is_still_of_that_day() {
    let mut digest = since("2026-11-28T10:00:00Z", BERLIN);
    digest.put_off(at("2026-11-29T06:00:30Z"));
    assert_eq!(next(&digest), "2026-11-29T07:00:30.000Z");
    let day = taken(&mut digest, "2026-11-29T07:00:30Z", BERLIN);
    assert_eq!(day.as_deref(), Some("2026-11-29"));
    let mut off = Digest::none(id(1), id(2));
    off.put_off(at("2026-11-29T06:00:30Z"));
    assert_eq!(off.next_at, None);
}

fn teacher() -> User {
    let new = NewUser {
        email: Email::parse("ada@school.example").unwrap(),
        name: None,
        role: Role::Teacher,
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    User::new(id(1), id(2), id(3), new, at("2026-11-01T00:00:00Z")).of_ones_own_will()
}

#[test]
fn it_is_for_people_who_came_and_may_read_what_everybody_hands_in() {
    assert!(Digest::is_for(&teacher()));
    let others: [fn(&mut User); 5] = [
        |user| user.role = Role::Student,
        |user| user.kind = UserKind::Service,
        |user| user.suspension = Some(Suspension::Suspended),
        |user| assert!(user.decline(at("2026-11-02T00:00:00Z"))),
        |user| user.erase(id(9), at("2026-11-02T00:00:00Z")).unwrap(),
    ];
    for change in others {
        let mut user = teacher();
        change(&mut user);
        assert!(!Digest::is_for(&user), "{user:?}");
    }
}

fn course(number: u128, count: u64, oldest: &str) -> CourseWaiting {
    CourseWaiting {
        course_id: id(number),
        count,
        oldest: Some(at(oldest)),
    }
}

#[test]
fn the_five_courses_with_the_most_are_named_and_all_are_counted() {
    let waiting = WaitingWork::of(
        (1..=7)
            .map(|n| course(n.into(), n, &format!("2026-11-{:02}T00:00:00Z", 20 - n)))
            .collect(),
    );
    assert_eq!((waiting.count, waiting.more), (28, 2));
    assert_eq!(waiting.oldest, Some(at("2026-11-13T00:00:00Z")));
    let named: Vec<u64> = waiting.top.iter().map(|one| one.count).collect();
    assert_eq!(named, [7, 6, 5, 4, 3]);
    assert_eq!(WaitingWork::of(Vec::new()), WaitingWork::default());
}

proptest! {
    /// Looked at whenever, moved wherever: no day has two, and each is made on its day after seven.
    #[test]
    fn no_day_has_two(steps in proptest::collection::vec((0_u64..40 * 3_600, 0_usize..4), 1..60)) {
        let places = [BERLIN, TOKYO, ANGELES, "Pacific/Kiritimati"].map(zone);
        let mut now = at("2026-03-20T00:00:00Z");
        let mut digest = Digest::none(id(1), id(2));
        digest.choose(DigestRhythm::Daily, places.first(), now);
        let mut days = Vec::new();
        for (seconds, place) in steps {
            now = now.plus(Duration::from_secs(seconds));
            let place = places.get(place);
            if seconds % 3 == 0 {
                digest.follow(place, now);
            }
            if let Some(day) = digest.take(place, now) {
                let clocks = Clocks::of(place);
                prop_assert_eq!(clocks.date(now), day);
                prop_assert!(clocks.at(day, Digest::HOUR) <= now);
                days.push(day);
            }
            prop_assert!(digest.next_at > Some(now));
        }
        prop_assert!(days.is_sorted_by(|one, other| one < other), "{:?}", days);
    }
}
