//! Where callers come in: the socket, how many may be there at once, and the files that the system lets us open.

pub mod crowd;
pub mod http;
pub mod patient;

use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::thread;

use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How many connections may wait to be taken; the system has its own maximum, often 4096.
const BACKLOG: i32 = 4096;
/// Files that are not connections: databases, packages, files that are fetched and sent.
const OTHER_FILES: u64 = 512;

/// Listens on an address.
///
/// # Errors
/// If it is taken or not ours.
pub fn open(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let opened = || -> std::io::Result<TcpListener> {
        let listener = TcpListener::bind(address)?;
        // Listening again sets how many may wait; the standard library asks for 128.
        rustix::net::listen(&listener, BACKLOG)?;
        Ok(listener)
    };
    opened().with_context(|| format!("could not listen on {address}"))
}

/// How many connections each of this many workers may hold, so that all together are no more than asked for and
/// no more than the system allows files.
pub fn connections_per_worker(wanted: NonZeroU32, workers: usize) -> usize {
    let allowed = raise_open_files().saturating_sub(OTHER_FILES).max(64);
    let wanted = u64::from(wanted.get());
    if allowed < wanted {
        tracing::warn!(
            wanted,
            allowed,
            "the limit of open files (RLIMIT_NOFILE) allows fewer connections than LYCEUM_MAX_CONNECTIONS asks for"
        );
    }
    let all = usize::try_from(wanted.min(allowed)).unwrap_or(usize::MAX);
    all.div_ceil(workers.max(1))
}

/// One worker for each processor.
pub fn workers() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}

/// Raises the limit of open files as far as it goes without an administrator; how many may be open then.
fn raise_open_files() -> u64 {
    let limits = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limits.maximum,
        maximum: limits.maximum,
    };
    let now = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limits.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised");
            limits.current
        }
    };
    now.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_shared_out_among_the_workers() {
        let few = NonZeroU32::new(5).unwrap();
        assert_eq!(connections_per_worker(few, 2), 3);
        assert_eq!(connections_per_worker(NonZeroU32::MIN, 8), 1);
    }

    #[test]
    fn as_many_files_may_be_open_as_the_system_allows() {
        raise_open_files();
        let limits = getrlimit(Resource::Nofile);
        assert_eq!(limits.current, limits.maximum);
    }
}
