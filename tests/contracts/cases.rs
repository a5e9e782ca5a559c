//! Cases, the lists they stand in, and how they are run.

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::LocalBoxFuture;
use libtest_mimic::{Arguments, Trial};
use tokio::runtime::Builder;

/// Somewhere that adapters of a port keep things: a folder, a database, a server. Each case is given one that is
/// empty; when it is dropped, what was kept may go.
#[async_trait]
pub trait Place<Port: ?Sized>: Send + Sync {
    /// An adapter on what is kept there. Opened again it is as another process would open it: it finds what was
    /// kept before, and works beside the others that are open.
    async fn open(&self) -> Arc<Port>;
}

/// One promise: its name, and what shows whether it is kept on `F`.
pub(crate) struct Case<F: ?Sized> {
    pub(crate) module: &'static str,
    pub(crate) name: &'static str,
    pub(crate) run: for<'a> fn(&'a F) -> LocalBoxFuture<'a, ()>,
}

impl<F: ?Sized> Case<F> {
    /// The file and the promise.
    fn path(&self) -> String {
        let file = self.module.rsplit("::").next().unwrap_or_default();
        format!("{file}::{}", self.name)
    }
}

/// The cases of a file over one kind of fixture. A case is `async fn name(fixture: &F)`; one that is worth several
/// examples is listed with a name and the arguments of each: `name { first(1, "a"), second(2, "b") }`. A case that
/// is not listed is dead code, and the compiler says so.
macro_rules! cases {
    ($fixture:ty: $($name:ident $({ $($example:ident($($value:expr),+ $(,)?)),+ $(,)? })?),+ $(,)?) => {
        pub(crate) const CASES: &[&[$crate::cases::Case<$fixture>]] =
            &[$(cases!(@listed $name $({ $($example($($value),+)),+ })?)),+];
    };
    (@listed $name:ident) => {
        &[$crate::cases::Case {
            module: module_path!(),
            name: stringify!($name),
            run: |fixture| Box::pin($name(fixture)),
        }]
    };
    (@listed $name:ident { $($example:ident($($value:expr),+)),+ }) => {
        &[$($crate::cases::Case {
            module: module_path!(),
            name: concat!(stringify!($name), "::", stringify!($example)),
            run: |fixture| Box::pin($name(fixture, $($value),+)),
        }),+]
    };
}
pub(crate) use cases;

/// What a file lists.
pub(crate) type Cases<F> = &'static [&'static [Case<F>]];

/// Every promise of a port, as tests of one adapter.
pub struct Suite(Vec<Trial>);

impl Suite {
    /// The cases of these files for the adapter of this name; each begins with what `fresh` makes.
    pub(crate) fn of<F, M>(adapter: &str, files: &[Cases<F>], fresh: M) -> Self
    where
        F: ?Sized + 'static,
        M: Fn() -> Box<F> + Send + Sync + 'static,
    {
        let fresh = Arc::new(fresh);
        let cases = files.iter().copied().flatten().copied().flatten();
        let trials = cases.map(|case| {
            let (fresh, run) = (Arc::clone(&fresh), case.run);
            let name = format!("{}::{adapter}", case.path());
            Trial::test(name, move || {
                let runtime = Builder::new_multi_thread().enable_all().build()?;
                runtime.block_on(async { run(&fresh()).await });
                Ok(())
            })
        });
        Self(trials.collect())
    }
}

/// Runs suites as the arguments of the command line say, which are those of any test of Rust: what `main` returns.
pub fn run(suites: impl IntoIterator<Item = Suite>) -> ExitCode {
    let trials = suites.into_iter().flat_map(|suite| suite.0).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
