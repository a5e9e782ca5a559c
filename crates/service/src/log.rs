//! The log: whoever has something to say puts a line into a queue, and a thread of its own writes it down.
//!
//! A pipe whose reader stands still, a reader that is gone and a disk that is full are the operator's trouble and no
//! request's: nobody waits for them, nothing fails with them, and the lines that they cost are counted.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// A JSON object, for collectors.
    Json,
}

/// Bytes of lines that may wait to be written.
const ROOM: usize = 4 << 20;
/// Bytes that are written at once.
const BATCH: usize = 64 << 10;

/// Lines that nobody will read, since the process began.
static LOST: AtomicU64 = AtomicU64::new(0);

/// How many lines were lost since the process began.
pub fn lost_lines() -> u64 {
    LOST.load(Ordering::Relaxed)
}

/// The metric of [`lost_lines`], as Prometheus reads it: the log is the process's, so it is in no registry.
pub fn metric() -> String {
    let lost = lost_lines();
    format!(
        "# HELP lyceum_log_lines_lost_total Lines of the log that could not be written.\n\
         # TYPE lyceum_log_lines_lost_total counter\nlyceum_log_lines_lost_total {lost}\n"
    )
}

/// The log of this process.
#[derive(Debug, Clone)]
pub struct Log(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    has_come: Condvar,
    is_written: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Whether lines that are no longer here are not written yet.
    is_writing: bool,
}

impl Log {
    /// Starts to log to standard error.
    ///
    /// # Errors
    /// If there is no thread to be had, or somebody logs already.
    pub fn start(filter: EnvFilter, format: LogFormat) -> anyhow::Result<Self> {
        use std::io::IsTerminal;
        let log = Self::to(Raw(io::stderr()))?;
        let lines = tracing_subscriber::fmt()
            .with_env_filter(filter)
            // Colours in a file or a collector are noise.
            .with_ansi(io::stderr().is_terminal())
            // What it would say of itself, it would say on standard error, and panic if that cannot be.
            .log_internal_errors(false)
            .with_writer(log.clone());
        let started = match format {
            LogFormat::Text => lines.try_init(),
            LogFormat::Json => lines.json().flatten_event(true).try_init(),
        };
        started.map_err(|error| anyhow::anyhow!("could not start the log: {error}"))?;
        tell_panics();
        Ok(log)
    }

    fn to(sink: impl Write + Send + 'static) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let own = Arc::clone(&queue);
        std::thread::Builder::new()
            .name("lyceum-log".to_owned())
            .spawn(move || own.write_for_ever(sink))?;
        Ok(Self(queue))
    }

    /// Waits until everything is written, but not for long.
    pub fn flush(&self, within: Duration) {
        let end = Instant::now() + within;
        let mut waiting = self.0.waiting();
        while waiting.is_writing || !waiting.lines.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let woken = self.0.is_written.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, line: &[u8]) {
        let mut waiting = self.waiting();
        if waiting.bytes.saturating_add(line.len()) > ROOM {
            LOST.fetch_add(1, Ordering::Relaxed);
            return;
        }
        waiting.bytes += line.len();
        waiting.lines.push_back(line.to_owned());
        drop(waiting);
        self.has_come.notify_one();
    }

    /// Waits for lines; as many as are written at once, and how many they are.
    fn take(&self) -> (Vec<u8>, u64) {
        let mut waiting = self.waiting();
        while waiting.lines.is_empty() {
            let woken = self.has_come.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
        waiting.is_writing = true;
        let (mut batch, mut count) = (Vec::new(), 0);
        while let Some(line) = waiting.lines.pop_front() {
            waiting.bytes = waiting.bytes.saturating_sub(line.len());
            batch.extend_from_slice(&line);
            count += 1;
            if batch.len() >= BATCH {
                break;
            }
        }
        (batch, count)
    }

    fn write_for_ever(&self, mut sink: impl Write) {
        let mut untold = 0;
        loop {
            let (batch, count) = self.take();
            let is_written = sink.write_all(&batch).is_ok();
            if is_written {
                if untold > 0 {
                    tracing::warn!(lines = untold, "lines of the log were lost");
                    untold = 0;
                }
            } else {
                LOST.fetch_add(count, Ordering::Relaxed);
                untold += count;
            }
            self.waiting().is_writing = false;
            self.is_written.notify_all();
        }
    }
}

/// What a subscriber writes a line to.
#[derive(Debug)]
pub struct Door<'a>(&'a Queue);

impl Write for Door<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.put(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Door<'a>;

    fn make_writer(&'a self) -> Door<'a> {
        Door(&self.0)
    }
}

/// An open file, written to as it is: nothing is kept back, and nobody else's lock is waited for.
struct Raw<F: AsFd>(F);

impl<F: AsFd> Write for Raw<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::io::write(&self.0, bytes) {
                // Somebody who shares the file has made it one that does not wait.
                Err(Errno::AGAIN) => {
                    poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], None)?;
                }
                written => return Ok(written?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written to the log when a part of the service breaks: where, and not the words, which may quote what a
/// learner wrote. The request, job or delivery that it broke ends as failed, and the process lives on.
fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        if place.as_deref().is_some_and(is_caught) {
            tracing::debug!(place, "a library gave up");
            return;
        }
        tracing::error!(place, "a part of the service broke");
    }));
}

/// Whether who called what broke here makes do without it, and tells whoever can mend it: the converter of formulas breaks at
/// some that authors write, and those are shown as they were written.
fn is_caught(place: &str) -> bool {
    place.contains("/math-core-")
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
    use std::sync::mpsc;

    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    /// A sink that writes nothing before it is told how each write ends.
    struct Told(mpsc::Receiver<io::Result<()>>, Arc<Mutex<Vec<u8>>>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().unwrap_or(Ok(()))?;
            self.1.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A log, what lets its next write go on and how it ends, and what was written.
    type Listened = (Log, mpsc::Sender<io::Result<()>>, Arc<Mutex<Vec<u8>>>);

    fn told() -> Listened {
        let (sender, receiver) = mpsc::channel();
        let written = Arc::new(Mutex::new(Vec::new()));
        let log = Log::to(Told(receiver, Arc::clone(&written))).unwrap();
        (log, sender, written)
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_no_part_of_the_service_that_broke() {
        let registry = "/home/x/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
        assert!(is_caught(&format!(
            "{registry}/math-core-0.7.0/src/parser.rs:1:2"
        )));
        assert!(!is_caught(&format!(
            "{registry}/diesel-2.3.14/src/lib.rs:1:2"
        )));
        assert!(!is_caught("crates/markdown/src/formulas.rs:1:2"));
    }

    #[test]
    fn nobody_waits_for_a_reader_that_stands_still_and_what_is_lost_is_counted() {
        let (log, sender, written) = told();
        let before = lost_lines();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..32 {
            log.make_writer().write_all(&line).unwrap();
        }
        let lost = lost_lines() - before;
        assert!((26..=28).contains(&lost), "{lost} lines of a MiB");
        drop(sender);
        log.flush(SOON);
        let kept = usize::try_from(32 - lost).unwrap();
        assert_eq!(written.lock().unwrap().len(), kept << 20);
    }

    #[test]
    fn a_sink_that_fails_costs_its_lines_and_nothing_else() {
        let (log, sender, written) = told();
        let before = lost_lines();
        sender.send(Err(io::ErrorKind::StorageFull.into())).unwrap();
        log.make_writer().write_all(b"one\n").unwrap();
        log.flush(SOON);
        assert_eq!(lost_lines() - before, 1);
        sender.send(Ok(())).unwrap();
        log.make_writer().write_all(b"two\n").unwrap();
        log.flush(SOON);
        assert_eq!(*written.lock().unwrap(), b"two\n");
    }

    #[test]
    fn a_pipe_that_does_not_wait_is_waited_for_and_a_closed_one_is_an_error() {
        let (reader, writer): (OwnedFd, OwnedFd) = rustix::pipe::pipe().unwrap();
        rustix::io::ioctl_fionbio(&writer, true).unwrap();
        let much = vec![b'x'; 1 << 20];
        let mut raw = Raw(writer);
        let writing = std::thread::spawn(move || raw.write_all(&much).map(|()| raw));
        let mut taken = 0;
        let mut buffer = vec![0; 1 << 16];
        while taken < 1 << 20 {
            taken += rustix::io::read(&reader, &mut buffer).unwrap();
        }
        let mut raw = writing.join().unwrap().unwrap();
        drop(reader);
        let error = raw.write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_panic_is_told_and_survived_where_nothing_can_be_written() {
        let (log, sender, _) = told();
        for _ in 0..3 {
            sender.send(Err(io::ErrorKind::BrokenPipe.into())).unwrap();
        }
        let lines = tracing_subscriber::fmt()
            .log_internal_errors(false)
            .with_writer(log.clone());
        lines.try_init().unwrap();
        tell_panics();
        let before = lost_lines();
        let broken = std::thread::spawn(|| panic!("while nobody listens"));
        assert!(broken.join().is_err());
        log.flush(SOON);
        assert_eq!(lost_lines() - before, 1);
    }
}
