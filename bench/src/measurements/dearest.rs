//! What a single request may cost: everything that looks at more than it answers, at a million rows, the dearest first.

use std::time::Instant;

use anyhow::Context;
use reqwest::Method;

use super::Measurement;
use crate::bench::Bench;
use crate::figures::{Samples, millis};
use crate::report::Line;
use crate::seed::{Planted, Seed};
use crate::server::Server;

/// How many are told of.
const TOLD: usize = 10;
/// How often each is asked, one after the other.
const TIMES: u32 = 3;

/// What is asked, with `{course}` and the like for what is stored. Every filter is there, those with what nothing is
/// like too: nobody looks longer than who finds nothing.
const ASKED: [(&str, &str); 34] = [
    ("GET", "/v1/courses?limit=100&expand=units.lessons"),
    ("GET", "/v1/courses?q=nowhere"),
    ("GET", "/v1/courses?q=Course"),
    ("GET", "/v1/courses?status=archived"),
    ("GET", "/v1/courses?language=ar"),
    ("GET", "/v1/courses?metadata[a]=b"),
    ("GET", "/v1/courses?created_at[lt]=2026-01-01T00:00:00Z"),
    (
        "GET",
        "/v1/courses/{content}?expand=units.lessons.activities",
    ),
    ("GET", "/v1/units?course_id={content}&expand=lessons"),
    ("GET", "/v1/assignments?limit=100&expand=course"),
    ("GET", "/v1/assignments?metadata[a]=b"),
    ("GET", "/v1/assignments?lesson_id={lesson}"),
    ("GET", "/v1/submissions?limit=100"),
    ("GET", "/v1/submissions?status=graded"),
    ("GET", "/v1/submissions?ai_status=error"),
    ("GET", "/v1/submissions?review_status=open"),
    ("GET", "/v1/submissions?user_id={student}&status=graded"),
    (
        "GET",
        "/v1/submissions?assignment_id={assignment}&review_status=open",
    ),
    (
        "GET",
        "/v1/submissions?assignment_id={assignment}&user_id={student}",
    ),
    ("GET", "/v1/submissions?metadata[a]=b"),
    (
        "GET",
        "/v1/submissions?created_at[lt]=2026-01-01T00:00:00Z&status=submitted",
    ),
    ("GET", "/v1/users?q=nobody"),
    ("GET", "/v1/users/{student}/progress"),
    ("GET", "/v1/events?type=course.deleted"),
    ("GET", "/v1/events?object_id={course}"),
    ("GET", "/v1/audit?action=grade.changed"),
    ("GET", "/v1/trash?object_id={course}"),
    ("GET", "/v1/ai/usage"),
    ("GET", "/v1/ai/calls?outcome=refused"),
    ("GET", "/v1/workspaces/{workspace}"),
    ("POST", "/v1/users/{student}/export"),
    ("DELETE", "/v1/assignments/{assignment}"),
    ("DELETE", "/v1/users/{student}"),
    ("DELETE", "/v1/courses/{crowded}"),
];

/// The longest of each, the longest of all first.
pub fn measure(bench: &Bench) -> anyhow::Result<Measurement> {
    let count = bench.sized(1_000, 1_000_000);
    let seed = Seed {
        courses: count,
        submissions: count,
        members: 0,
        others: 0,
        content: true,
    };
    let (site, planted) = bench.filled_site("dearest", &seed)?;
    let server = site.serve()?;
    let mut asked = Vec::new();
    for (method, pattern) in ASKED {
        let path = filled(pattern, &planted, &site.workspace)?;
        let took = (0..TIMES).map(|_| took(bench, &server, method, &path));
        let took = Samples::of(took.collect::<anyhow::Result<Vec<f64>>>()?);
        asked.push((format!("{method} {pattern}"), took));
    }
    asked.sort_by(|(_, one), (_, other)| f64::total_cmp(&longest(other), &longest(one)));
    let rows = bench.sized("1 k rows", "1 M rows");
    let lines = asked.into_iter().take(TOLD).map(|(work, took)| Line {
        samples: took,
        ..Line::new(
            "dearest",
            format!("{work}: {rows}"),
            "ms of one request",
            "ms",
        )
    });
    Ok(lines.collect::<Vec<_>>().into())
}

fn longest(took: &Samples) -> f64 {
    took.max().unwrap_or_default()
}

/// The pattern with what is stored in the place of its names.
fn filled(pattern: &str, planted: &Planted, workspace: &str) -> anyhow::Result<String> {
    let middle = |of: &[String]| of.get(of.len() / 2).cloned().context("nothing was planted");
    Ok(pattern
        .replace("{content}", &planted.with_content)
        .replace("{lesson}", &planted.lesson)
        .replace("{course}", &middle(&planted.courses)?)
        // Everything was handed in below the first.
        .replace(
            "{crowded}",
            planted.courses.first().context("there is no course")?,
        )
        .replace("{assignment}", &middle(&planted.assignments)?)
        .replace("{student}", &middle(&planted.students)?)
        .replace("{workspace}", workspace))
}

/// How many milliseconds passed until it was answered; that it is refused because it is in use is an answer too.
fn took(bench: &Bench, server: &Server, method: &str, path: &str) -> anyhow::Result<f64> {
    let method: Method = method.parse()?;
    let since = Instant::now();
    let answer = bench.runtime.block_on(server.caller.answer(method, path))?;
    let took = since.elapsed();
    anyhow::ensure!(
        answer.is_success() || answer == 409,
        "{path} was answered with {answer}"
    );
    Ok(millis(took))
}
