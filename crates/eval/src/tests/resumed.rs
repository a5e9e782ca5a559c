use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::AiError;

use super::graders::{TWELVE, asker, counting, evaluation, grader, number_in, share};
use crate::asking::{Stop, Terms};
use crate::cache::Cache;
use crate::evaluation::evaluate;

fn cached(folder: &tempfile::TempDir) -> Terms {
    Terms {
        cache: Some(Cache::open(folder.path(), false).unwrap()),
        ..Terms::default()
    }
}

#[tokio::test]
async fn a_run_killed_in_the_middle_goes_on_and_asks_nobody_twice() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = evaluation(&TWELVE);
    let (mock, first) = counting();
    let done = AtomicUsize::new(0);
    let killed = AtomicBool::new(false);
    {
        let asker = asker(mock, cached(&folder));
        let tell = |_: &crate::run::Graded| {
            // The thread dies here, as a killed process would, and with it everything in memory.
            if done.fetch_add(1, Ordering::Relaxed) == 5 {
                killed.store(true, Ordering::Relaxed);
                panic!("killed");
            }
        };
        let run = std::panic::AssertUnwindSafe(evaluate(&evaluation, &asker, &tell));
        assert!(futures_util::FutureExt::catch_unwind(run).await.is_err());
    }
    // What a process that is killed while it writes leaves behind.
    std::fs::write(folder.path().join(".part-x"), "{\"version\":1,").unwrap();
    let first = first.lock().unwrap().clone();
    assert!(
        killed.load(Ordering::Relaxed) && first.len() < 12,
        "{first:?}"
    );
    let (mock, second) = counting();
    let asker = asker(mock, cached(&folder));
    let report = evaluate(&evaluation, &asker, &|_| ()).await.unwrap();
    let second = second.lock().unwrap().clone();
    let texts: BTreeSet<&String> = first.iter().chain(&second).collect();
    assert_eq!((texts.len(), first.len() + second.len()), (12, 12));
    assert_eq!((report.runs[0].n, report.stopped), (12, None));
    assert_eq!(asker.tally().remembered, first.len());
}

#[tokio::test]
async fn a_second_run_is_free_and_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = evaluation(&TWELVE);
    let (mock, _) = counting();
    let first = evaluate(&evaluation, &asker(mock, cached(&folder)), &|_| ()).await;
    let (mock, asked) = counting();
    let again = asker(mock, cached(&folder));
    let second = evaluate(&evaluation, &again, &|_| ()).await;
    assert_eq!(first.unwrap(), second.unwrap());
    assert!(asked.lock().unwrap().is_empty());
    assert_eq!(again.tally().spent, MicroUsd::ZERO);
}

#[tokio::test]
async fn a_run_stops_at_its_budget_and_reports_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = evaluation(&TWELVE);
    let (mock, asked) = counting();
    // Each answer costs 0.01: five fit, a sixth would not.
    let terms = Terms {
        budget: Some(MicroUsd::new(55_000)),
        at_once: 8,
        ..cached(&folder)
    };
    let frugal = asker(mock, terms);
    let report = evaluate(&evaluation, &frugal, &|_| ()).await.unwrap();
    assert_eq!(asked.lock().unwrap().len(), 5);
    assert_eq!(frugal.tally().spent, MicroUsd::new(50_000));
    assert!(
        matches!(report.stopped, Some(Stop::Budget(_))),
        "{:?}",
        report.stopped
    );
    assert_eq!(
        (report.runs[0].n, report.runs[0].missing["not_asked"]),
        (5, 7)
    );
    // With what was kept, the same budget gets further.
    let (mock, asked) = counting();
    let terms = Terms {
        budget: Some(MicroUsd::new(55_000)),
        ..cached(&folder)
    };
    let report = evaluate(&evaluation, &asker(mock, terms), &|_| ()).await;
    assert_eq!(
        (asked.lock().unwrap().len(), report.unwrap().runs[0].n),
        (5, 10)
    );
}

#[tokio::test]
async fn an_interrupted_run_asks_no_more_but_still_remembers() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = evaluation(&TWELVE);
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let mock = grader(move |task| {
        if task.submission.starts_with("answer 2 ") {
            flag.store(true, Ordering::Relaxed);
        }
        Ok(share(task, number_in(&task.submission), 80))
    });
    let terms = Terms {
        interrupted,
        ..cached(&folder)
    };
    let report = evaluate(&evaluation, &asker(mock, terms), &|_| ())
        .await
        .unwrap();
    assert_eq!(
        (report.runs[0].n, report.stopped),
        (3, Some(Stop::Interrupted))
    );
}

#[tokio::test]
async fn an_outage_is_not_kept_and_after_five_nobody_is_asked_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = evaluation(&TWELVE);
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let mock = grader(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Err(AiError::Unavailable {
            reason: "503".to_owned(),
            retry_after: Some(Duration::from_secs(1)),
        })
    });
    let report = evaluate(&evaluation, &asker(mock, cached(&folder)), &|_| ())
        .await
        .unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 5);
    assert_eq!(report.stopped, Some(Stop::Unavailable("503".to_owned())));
    let (mock, asked) = counting();
    let report = evaluate(&evaluation, &asker(mock, cached(&folder)), &|_| ()).await;
    assert_eq!(
        (asked.lock().unwrap().len(), report.unwrap().runs[0].n),
        (12, 12)
    );
}

#[tokio::test]
async fn refusals_and_unusable_answers_are_paid_for_once_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = evaluation(&TWELVE);
    let mock = || {
        grader(|task| match number_in(&task.submission) {
            score if score < 0.1 => Err(AiError::Refused("no".to_owned())),
            score if score > 0.9 => Err(AiError::InvalidOutput("nonsense".to_owned())),
            score => Ok(share(task, score, 80)),
        })
    };
    let first = evaluate(&evaluation, &asker(mock(), cached(&folder)), &|_| ())
        .await
        .unwrap();
    let run = &first.runs[0];
    assert_eq!(
        (run.n, run.missing["refused"], run.missing["invalid"]),
        (8, 2, 2)
    );
    assert_eq!(
        (
            run.validity.refused,
            run.validity.failed,
            run.validity.first_time
        ),
        (2, 2, 8)
    );
    let again = asker(mock(), cached(&folder));
    assert_eq!(evaluate(&evaluation, &again, &|_| ()).await.unwrap(), first);
    assert_eq!(again.tally().asked, 0);
}
