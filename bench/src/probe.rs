//! An open loop: a request every 50 ms, whether the one before was answered or not, timed from when it was due.
//!
//! A closed loop, as `wrk` is one, asks nothing while it waits: where a server stands still for a second, each of its
//! connections sees one slow answer, and nobody counts those who would have come meanwhile.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use reqwest::Method;
use tokio::runtime::Handle;

use crate::api::Caller;
use crate::figures::{millis, percentile};
use crate::load::new_course;

/// From one request to the next.
pub const EVERY: Duration = Duration::from_millis(50);

/// How long answers took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probed {
    /// Half of them.
    pub p50: f64,
    /// … 99 of 100.
    pub p99: f64,
}

/// What is asked for every time.
#[derive(Debug, Clone)]
pub enum Question {
    /// One of these courses after the other.
    Courses(Vec<String>),
    /// A new course.
    NewCourse,
}

impl Question {
    /// Asks, the n-th time; each answer has to be one to that.
    async fn ask(self, caller: Caller, n: usize) -> anyhow::Result<()> {
        match self {
            Self::Courses(ids) => {
                let id = ids.get(n % ids.len().max(1)).context("nothing to ask")?;
                let path = format!("/v1/courses/{id}");
                let answer = caller.ask(Method::GET, &path, None).await?;
                ensure!(
                    answer.contains(&format!("\"id\":\"{id}\"")),
                    "{path} was answered with {answer}"
                );
            }
            Self::NewCourse => {
                let body = new_course(&format!("Probe {n}"))?;
                caller.make("/v1/courses", body).await?;
            }
        }
        Ok(())
    }
}

/// Asks for so long, and waits for the last answer.
///
/// # Errors
/// If one was refused.
pub fn probe(
    runtime: &Handle,
    caller: &Caller,
    question: &Question,
    during: Duration,
) -> anyhow::Result<Probed> {
    // The first request of a client makes its connection, which is not what is asked about.
    runtime.block_on(question.clone().ask(caller.clone(), 0))?;
    let first = Instant::now() + EVERY;
    let mut asked = Vec::new();
    for (n, due) in (1..).zip(moments(first, during)) {
        // Not tokio's timer, which counts in milliseconds.
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let answered = question.clone().ask(caller.clone(), n);
        asked.push(runtime.spawn(async move {
            answered.await?;
            Ok::<_, anyhow::Error>(millis(due.elapsed()))
        }));
    }
    let took = asked.into_iter().map(|answer| runtime.block_on(answer)?);
    let took: Vec<f64> = took.collect::<anyhow::Result<_>>()?;
    let share = |share| percentile(&took, share).context("nothing was asked");
    Ok(Probed {
        p50: share(0.5)?,
        p99: share(0.99)?,
    })
}

fn moments(first: Instant, during: Duration) -> impl Iterator<Item = Instant> {
    let count = during.as_millis() / EVERY.as_millis().max(1);
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    (0..count).map(move |n| first + EVERY * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_due_evenly_whatever_becomes_of_them() {
        let first = Instant::now();
        let due: Vec<Duration> = moments(first, Duration::from_secs(1))
            .map(|moment| moment - first)
            .collect();
        assert_eq!(due.len(), 20);
        assert_eq!(due[19], Duration::from_millis(950));
    }

    #[test]
    fn a_refusal_ends_it() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let nobody = Caller::new("http://127.0.0.1:9".to_owned(), "key".to_owned()).unwrap();
        let question = Question::NewCourse;
        let ended = probe(runtime.handle(), &nobody, &question, EVERY);
        assert!(ended.is_err());
    }
}
