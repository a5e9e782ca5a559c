use super::graders::{TWELVE, answered, asker, counting, evaluation, provider, repaired, share};
use crate::asking::Terms;
use crate::compare::compare;
use crate::evaluation::{Evaluation, evaluate};
use crate::gates::Verdict;
use crate::page::grade_page;
use crate::report::{GradeReport, bands_of};

async fn report(evaluation: &Evaluation) -> GradeReport {
    let (mock, _) = counting();
    evaluate(evaluation, &asker(mock, Terms::default()), &|_| ())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_report_reads_as_it_did() {
    let report = report(&evaluation(&TWELVE)).await;
    insta::assert_json_snapshot!("report", report);
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<GradeReport>(&text).unwrap(), report);
    assert!(!text.contains("answer 3"), "texts stay out of it");
}

#[tokio::test]
async fn a_page_shows_what_the_report_says_and_needs_nobody_else() {
    let mut report = report(&evaluation(&TWELVE)).await;
    report.data.answers_file = "<script>&.csv".to_owned();
    let page = grade_page(&report);
    insta::assert_snapshot!("page", page);
    for fetched in ["<script", "http:", "https:", "src=", "@import", "url("] {
        let shown = page.replace("https://ai.example/v1", "");
        assert!(!shown.contains(fetched), "{fetched}");
    }
    for figure in report.runs[0]
        .figures
        .values()
        .filter_map(|figure| figure.value)
    {
        let written = format!("{figure:.3}").replace('-', "−");
        assert!(page.contains(&written), "{written}");
    }
}

#[tokio::test]
async fn gates_say_when_there_is_not_enough_data_and_decide_when_there_is() {
    let few = report(&evaluation(&TWELVE)).await;
    assert!(
        few.runs[0]
            .gates
            .iter()
            .all(|gate| gate.verdict == Verdict::NotEnoughData)
    );
    assert!(
        few.runs[0].caveats[0].contains("only 12 answers"),
        "{:?}",
        few.runs[0].caveats
    );
    let verdicts = |run: &crate::report::RunReport| -> Vec<Verdict> {
        run.gates.iter().take(2).map(|gate| gate.verdict).collect()
    };
    let many: Vec<(f64, f64)> = TWELVE[..8].iter().copied().cycle().take(120).collect();
    let good = report(&evaluation(&many)).await;
    assert_eq!(verdicts(&good.runs[0]), [Verdict::Pass, Verdict::Pass]);
    let strict: Vec<(f64, f64)> = many
        .iter()
        .map(|(human, _)| (*human, human * 0.25))
        .collect();
    let bad = report(&evaluation(&strict)).await;
    assert_eq!(verdicts(&bad.runs[0]), [Verdict::Fail, Verdict::Fail]);
}

#[tokio::test]
async fn people_are_compared_on_the_answers_that_two_of_them_graded() {
    let report = report(&evaluation(&TWELVE)).await;
    let people = report.runs[0].human_human.as_ref().unwrap();
    assert_eq!((people.n, people.figures["qwk"].value), (4, Some(1.0)));
    assert_eq!(people.machine["qwk"].value, Some(1.0));
}

#[tokio::test]
async fn a_repair_is_told_from_a_first_success_and_invented_quotes_are_counted() {
    let mut mock = provider();
    repaired(&mut mock);
    let evaluation = evaluation(&TWELVE);
    let asker = asker(mock, Terms::default());
    let run = evaluate(&evaluation, &asker, &|_| ())
        .await
        .unwrap()
        .runs
        .remove(0);
    assert_eq!(
        (run.validity.first_time, run.validity.after_repair),
        (11, 1)
    );
    assert_eq!((run.effort.calls, run.quotes.rate), (13, Some(1.0)));
    let inventing = super::graders::built_in(|task| {
        let mut proposal = share(task, 1.0, 90);
        proposal.criteria[0]
            .quotes
            .push(("never said".to_owned(), 1));
        proposal
    });
    let run = evaluate(&evaluation, &inventing, &|_| ())
        .await
        .unwrap()
        .runs
        .remove(0);
    assert_eq!((run.quotes.named, run.quotes.rate), (24, Some(0.5)));
    assert_eq!(run.flags.by_reason["evidence_not_found"], 12);
}

#[tokio::test]
async fn what_cannot_be_judged_is_no_score_of_zero() {
    let unable = super::graders::built_in(|task| {
        let mut proposal = share(task, 0.0, 0);
        proposal.criteria[0].not_judged = Some("needs_person_or_provider".to_owned());
        proposal
    });
    let run = evaluate(&evaluation(&TWELVE), &unable, &|_| ())
        .await
        .unwrap()
        .runs
        .remove(0);
    assert_eq!((run.n, run.missing["not_judged"]), (0, 12));
    assert!(run.figures.values().all(|figure| figure.value.is_none()));
}

#[tokio::test]
async fn more_anchors_are_more_runs_and_reach_the_grader() {
    let mut several = evaluation(&TWELVE);
    several.anchors = vec![0, 2];
    let mut mock = provider();
    mock.expect_grade().returning(|task, _| {
        let given = if task.anchors.is_empty() { 0.0 } else { 1.0 };
        Ok(answered(
            share(&task, given, 90),
            lyceum_domain::money::MicroUsd::ZERO,
        ))
    });
    let report = evaluate(&several, &asker(mock, Terms::default()), &|_| ())
        .await
        .unwrap();
    let means: Vec<Option<f64>> = report
        .runs
        .iter()
        .map(|run| run.answers[0].machine)
        .collect();
    assert_eq!(means, [Some(0.0), Some(1.0)]);
}

#[tokio::test]
async fn two_reports_are_compared_on_the_answers_they_share() {
    let good = report(&evaluation(&TWELVE)).await;
    let worse: Vec<(f64, f64)> = TWELVE
        .iter()
        .map(|(human, _)| (*human, 1.0 - human))
        .collect();
    let worse = report(&evaluation(&worse)).await;
    let comparison = compare(&good, &worse);
    let run = &comparison.runs[0];
    assert_eq!(run.shared, 12);
    let qwk = &run.figures["qwk"];
    assert_eq!(qwk.intervals_overlap, Some(false));
    assert!(qwk.difference.high.unwrap() < 0.0, "{qwk:?}");
    assert_eq!(comparison.caveats.len(), 1, "{:?}", comparison.caveats);
    let same = compare(&good, &good);
    assert_eq!(same.runs[0].figures["qwk"].difference.value, Some(0.0));
    assert!(same.caveats.is_empty());
}

#[test]
fn bands_are_those_that_the_people_used() {
    assert_eq!(bands_of(&[0.0, 1.0]), 2);
    assert_eq!(bands_of(&[0.0, 0.5, 1.0]), 3);
    assert_eq!(bands_of(&[0.0, 0.25, 0.5]), 5);
    assert_eq!(bands_of(&[0.33, 0.67, 1.0]), 4);
    assert_eq!(bands_of(&[0.123, 0.456]), 11);
}
