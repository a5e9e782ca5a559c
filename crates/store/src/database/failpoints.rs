//! Places where tests let the store fail or die. Without the feature `failpoints` they are nothing at all: the
//! service is built without it, and without the crate behind it.

/// A named place; with a closure, what is returned from there when a test has switched it on.
#[cfg(feature = "failpoints")]
macro_rules! fail_point {
    ($($arguments:tt)*) => { ::fail::fail_point!($($arguments)*) };
}

#[cfg(not(feature = "failpoints"))]
macro_rules! fail_point {
    ($($arguments:tt)*) => {};
}

pub(crate) use fail_point;

#[cfg(feature = "failpoints")]
pub use for_tests::{POINTS, Points, die_at};

#[cfg(feature = "failpoints")]
mod for_tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Every place where a process may die: what was promised must hold at each.
    pub const POINTS: &[&str] = &[
        "writer.begin",
        "writer.savepoint",
        "writer.worked",
        "writer.commit",
        "writer.committed",
        "postgres.begin",
        "postgres.worked",
        "postgres.commit",
        "postgres.committed",
        "trash.gathered",
        "trash.taken_out",
        "trash.put_back",
        "migration.begin",
        "migration.ended",
    ];

    /// Points that a test has switched on; off again when dropped. One test at a time has them.
    pub struct Points(#[expect(dead_code, reason = "held, not read")] fail::FailScenario<'static>);

    impl Points {
        /// Switches a point on with `actions` in the language of the crate `fail`, such as `1*return(disk I/O error)`.
        ///
        /// # Panics
        /// If they are none.
        pub fn on(point: &str, actions: &str) -> Self {
            let scenario = fail::FailScenario::setup();
            #[expect(clippy::expect_used, reason = "a test with a typing error")]
            fail::cfg(point, actions).expect("actions of the crate `fail`");
            Self(scenario)
        }
    }

    /// Ends this process as a crash does when it comes by a point for the `n`-th time, from 1.
    ///
    /// # Panics
    /// Never: the names are good.
    pub fn die_at(n: usize) {
        let passed = Arc::new(AtomicUsize::new(0));
        for point in POINTS {
            let passed = Arc::clone(&passed);
            let pass = move || {
                if passed.fetch_add(1, Ordering::SeqCst) + 1 == n {
                    std::process::abort();
                }
            };
            #[expect(clippy::expect_used, reason = "the names are good")]
            fail::cfg_callback(*point, pass).expect("a point");
        }
    }
}
