//! Figures against published examples, and against sums done by hand.

use super::*;

fn near(found: Option<f64>, wanted: f64) {
    let found = found.unwrap();
    assert!((found - wanted).abs() < 1e-6, "{found} is not {wanted}");
}

fn pairs(scores: &[(f64, f64)]) -> Vec<Pair> {
    let pair = |(human, machine): &(f64, f64)| Pair {
        question: 0,
        human: *human,
        machine: *machine,
        confidence: None,
    };
    scores.iter().map(pair).collect()
}

fn figure(name: &str, pairs: &[Pair], scale: Scale) -> Option<f64> {
    let at = FIGURES.iter().position(|figure| *figure == name).unwrap();
    figures(pairs, scale)[at]
}

const THREE: Scale = Scale {
    bands: 3,
    pass: 0.5,
};

#[test]
fn with_two_bands_kappa_is_cohens() {
    // Wikipedia, "Cohen's kappa": 50 grant proposals, 20 and 15 agreed on, kappa 0.4.
    near(quadratic_weighted_kappa(&[vec![20, 5], vec![10, 15]]), 0.4);
}

#[test]
fn far_disagreement_weighs_by_its_square() {
    // By hand: observed 1 + 1, expected (1 + 8 + 1 + 2 + 8 + 2) / 4.
    let scores = pairs(&[(0.0, 0.0), (0.5, 1.0), (1.0, 1.0), (1.0, 0.5)]);
    near(figure("qwk", &scores, THREE), 1.0 - 2.0 / 5.5);
    near(figure("exact_agreement", &scores, THREE), 0.5);
    near(figure("adjacent_agreement", &scores, THREE), 1.0);
}

#[test]
fn kappa_is_silent_where_nothing_varies() {
    let scores = pairs(&[(1.0, 1.0), (1.0, 1.0)]);
    assert_eq!(figure("qwk", &scores, THREE), None);
    assert_eq!(figure("pearson", &scores, THREE), None);
    assert_eq!(figures(&[], THREE), [None; FIGURES.len()]);
}

#[test]
fn the_mean_over_questions_leaves_out_what_divides_them() {
    // Within each question the order is turned round; the questions' levels make the whole look related.
    let mut scores = pairs(&[(0.0, 0.1), (0.1, 0.0), (0.9, 1.0), (1.0, 0.9)]);
    scores[2].question = 1;
    scores[3].question = 1;
    near(figure("pearson_mean_over_questions", &scores, THREE), -1.0);
    assert!(figure("pearson", &scores, THREE).unwrap() > 0.9);
}

#[test]
fn pearson_is_that_of_anscombes_first_set() {
    let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
    let y = [
        8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68,
    ];
    let found = pearson(&x, &y).unwrap();
    assert!((found - 0.816_42).abs() < 1e-5, "{found}");
}

#[test]
fn spearman_is_the_correlation_of_ranks() {
    // Wikipedia, "Spearman's rank correlation coefficient": IQ and hours of television, −29/165.
    let iq = [
        106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0,
    ];
    let hours = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0];
    near(pearson(&ranks(&iq), &ranks(&hours)), -29.0 / 165.0);
    assert_eq!(ranks(&[3.0, 1.0, 3.0]), [2.5, 1.0, 2.5]);
}

#[test]
fn distances_are_by_hand() {
    let scores = pairs(&[(0.0, 0.3), (1.0, 0.6)]);
    near(figure("mae", &scores, THREE), 0.35);
    near(figure("rmse", &scores, THREE), (0.125_f64).sqrt());
    // Means 0.45 and 0.5, deviation of the people √0.5.
    near(figure("smd", &scores, THREE), -0.05 / 0.5_f64.sqrt());
}

#[test]
fn passing_is_counted_for_both_classes() {
    // Passing: 2 of both, 3 + 2 named; failing: 1 of both, 1 + 2 named.
    let scores = pairs(&[(1.0, 1.0), (0.5, 0.9), (1.0, 0.2), (0.0, 0.0)]);
    near(figure("accuracy", &scores, THREE), 0.75);
    near(
        figure("macro_f1", &scores, THREE),
        f64::midpoint(4.0 / 5.0, 2.0 / 3.0),
    );
}

#[test]
fn bands_are_rounded_half_up() {
    let bands: Vec<usize> = [0.0, 0.24, 0.25, 0.74, 0.75, 1.0]
        .into_iter()
        .map(|score| THREE.band(score))
        .collect();
    assert_eq!(bands, [0, 0, 1, 1, 2, 2]);
}

#[test]
fn auroc_is_that_of_the_usual_example() {
    // scikit-learn, `roc_auc_score`: 0.75.
    near(
        auroc(&[(0.1, false), (0.4, false), (0.35, true), (0.8, true)]),
        0.75,
    );
    near(auroc(&[(0.5, false), (0.5, true)]), 0.5);
    assert_eq!(auroc(&[(0.5, true)]), None);
}

#[test]
fn calibration_compares_what_is_said_with_what_is_right() {
    // Bin 0.9–1.0: said 0.95, right 0.5; bin 0.2–0.3: said 0.2, right 0.
    let sure = [(0.9, true), (1.0, false), (0.2, false), (0.2, false)];
    assert_eq!(calibration(&sure), [(0.2, 0.0, 2), (0.95, 0.5, 2)]);
    near(expected_calibration_error(&sure), 0.5 * 0.2 + 0.5 * 0.45);
}

#[test]
fn coverage_takes_equally_sure_answers_together() {
    let sure = [(0.9, true), (0.9, true), (0.5, false), (0.1, true)];
    assert_eq!(
        coverage(&sure),
        [(0.5, 1.0), (0.75, 2.0 / 3.0), (1.0, 0.75)]
    );
}

#[test]
fn groups_are_judged_against_how_all_are_treated() {
    // Strict to everybody by the same amount: nobody is treated differently, though all are below.
    let all = pairs(&[(0.4, 0.2), (0.8, 0.6), (0.4, 0.2), (0.8, 0.6)]);
    near(difference_of_standardised_means(&all, &all[..2]), 0.0);
    assert!(group_difference(&all, &all[..2]).unwrap() < -0.5);
    // Strict to the second half only.
    let all = pairs(&[(0.4, 0.4), (0.8, 0.8), (0.4, 0.2), (0.8, 0.6)]);
    assert!(difference_of_standardised_means(&all, &all[2..]).unwrap() < -0.2);
}
