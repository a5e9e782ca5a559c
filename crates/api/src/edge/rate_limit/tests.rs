//! Counting, forgetting, and who is who.

use actix_web::test::TestRequest;
use governor::clock::FakeRelativeClock;

use super::*;

fn counter(quota: u32) -> (Counter<u8>, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    let quota = NonZeroU32::new(quota).unwrap();
    (
        Counter::new("key", quota, &LimitClock::Standing(clock.clone())),
        clock,
    )
}

#[test]
fn a_quota_is_used_up_and_refills_evenly() {
    let (counter, clock) = counter(3);
    let left: Vec<u32> = (0..3).map(|_| counter.count(&1).0.remaining).collect();
    assert_eq!(left, [2, 1, 0]);
    let (standing, wait) = counter.count(&1);
    assert_eq!((standing.remaining, standing.reset), (0, 20));
    assert_eq!(wait, Some(Duration::from_secs(20)));
    assert_eq!(
        counter.count(&2).1,
        None,
        "another has a quota of their own"
    );
    clock.advance(Duration::from_secs(20));
    assert_eq!(counter.count(&1).1, None);
    assert!(counter.count(&1).1.is_some());
}

#[test]
fn what_is_as_good_as_new_is_forgotten() {
    let (counter, clock) = counter(60);
    for key in 0..100 {
        counter.count(&key);
    }
    assert_eq!(counter.limiter.len(), 100);
    clock.advance(Duration::from_mins(2));
    counter.sweep();
    assert_eq!(counter.limiter.len(), 0);
}

#[test]
fn nobody_is_remembered_for_longer_than_they_matter() {
    let clock = FakeRelativeClock::default();
    let one = NonZeroU32::MIN;
    let limiter = Limiter::new(Some(&RateLimits {
        per_key: one,
        per_address: one,
        failures_per_address: one,
        ai_per_workspace: one,
        ai_per_learners: one,
        ai_per_package: one,
        tutor_per_user: one,
        launches_per_address: one,
        launches_per_key: one,
        launches_per_learner: one,
        newcomers_per_package: one,
        written_per_learner: one,
        written_per_package: one,
        tenants: TenantLimits {
            workspaces_per_person: one,
            invitations: one,
        },
        shared: false,
        trusted_proxies: 0,
        clock: LimitClock::Standing(clock.clone()),
    }));
    let request = |n: u8| {
        let peer = SocketAddr::from(([10, 0, 0, n], 1));
        TestRequest::default().peer_addr(peer).to_http_request()
    };
    for n in 0..50 {
        limiter.visit(&request(n), Counted::Usually).unwrap();
        limiter.note_failure(&request(n));
    }
    let counters = limiter.0.as_ref().unwrap();
    let remembered = || {
        let counted = counters.addresses.limiter.len() + counters.failures.limiter.len();
        (counted, counters.barred().len())
    };
    assert_eq!(remembered(), (100, 50));
    clock.advance(Duration::from_mins(3));
    limiter.visit(&request(1), Counted::Usually).unwrap();
    assert_eq!(remembered(), (1, 0));
}

#[test]
fn forwarded_addresses_count_from_the_end_and_only_as_far_as_proxies_are_ours() {
    let forwarded = ["6.6.6.6, 1.2.3.4", "10.0.0.1"];
    let client = |proxies| client_of(&forwarded, proxies).map(|it| it.to_string());
    assert_eq!(client(0), None);
    assert_eq!(client(1).as_deref(), Some("10.0.0.1"));
    assert_eq!(client(2).as_deref(), Some("1.2.3.4"));
    assert_eq!(client(4), None, "fewer than there should be");
    let one = |entry: &str| client_of(&[entry], 1).map(|it| it.to_string());
    assert_eq!(one("1.2.3.4:555").as_deref(), Some("1.2.3.4"));
    assert_eq!(one("[2001:db8::1]:555").as_deref(), Some("2001:db8::1"));
    assert_eq!(one("[2001:db8::1]").as_deref(), Some("2001:db8::1"));
    assert_eq!(one("unknown"), None);
}

#[test]
fn addresses_of_one_household_are_one() {
    let household = |text: &str| household(text.parse().unwrap()).to_string();
    assert_eq!(household("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    assert_eq!(household("::ffff:1.2.3.4"), "1.2.3.4");
    assert_eq!(household("1.2.3.4"), "1.2.3.4");
}

#[test]
fn a_wait_is_never_told_as_none() {
    assert_eq!(whole_seconds(Duration::from_millis(1)), 1);
    assert_eq!(whole_seconds(Duration::from_millis(1_001)), 2);
    assert_eq!(whole_seconds(Duration::from_secs(3)), 3);
}
