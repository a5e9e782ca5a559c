//! SQLite's own way of testing: die at the first place, at the second, at every one, and look what is there.

use rstest::rstest;
use support::stores::{Database, TestStore, reopen};

use crate::deeds::{Deed, in_a_process_that_dies_at, is_done, write};
use crate::folder::assert_whole;

/// More places than any deed comes by.
const MANY: usize = 40;

#[rstest]
#[case::create(Deed::Create)]
#[case::claim(Deed::Claim)]
#[case::complete(Deed::Complete)]
#[case::delete(Deed::Delete)]
#[case::restore(Deed::Restore)]
#[case::sign_in(Deed::SignIn)]
#[case::accept(Deed::Accept)]
#[case::sign_in_by_sso(Deed::SignInBySso)]
fn a_process_that_dies_anywhere_leaves_it_done_or_not_done(
    #[case] deed: Deed,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    at_each_place(deed, database);
}

/// What several had done in one transaction is there for all of them or for none.
#[test]
fn a_process_that_dies_anywhere_leaves_what_was_written_together_done_or_not_done() {
    at_each_place(Deed::Together, Database::Postgres);
}

fn at_each_place(deed: Deed, database: Database) {
    let mut seen = Vec::new();
    for n in 1..=MANY {
        let store = TestStore::open(database);
        write(&store.store, Deed::prepare, deed).unwrap();
        let ended = in_a_process_that_dies_at(n, deed, &store.url);
        // A start of its own, as after a crash.
        let after = reopen(&store.url);
        let done = is_done(&after, deed);
        assert_whole(&store.url);
        if !done {
            write(&after, Deed::perform, deed).unwrap();
            assert!(is_done(&after, deed), "{deed:?} cannot be done after {n}");
        }
        if ended.success() {
            assert!(done, "{deed:?} was answered and is not there");
            break;
        }
        seen.push(done);
    }
    let ways = (seen.contains(&false), seen.contains(&true));
    assert_eq!(ways, (true, true), "{deed:?} died at {seen:?}");
    assert!(seen.is_sorted(), "{deed:?} was undone: {seen:?}");
}
