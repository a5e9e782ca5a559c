//! `lyceum eval anchors`: how AI and the teacher of an assignment agree, from a running service.

use std::time::Duration;

use lyceum_terminal::say;
use lyceum_wire::grading::calibration::{
    AgreementView, CalibrationView, EstimateView, Method, OfferView, TrialView,
};

use crate::remote::ServiceArguments;

/// How long the service may take: it grades every blind example anew.
const WITHIN: Duration = Duration::from_mins(2);

/// Which assignment, and of which service.
#[derive(clap::Args)]
pub struct AnchorArguments {
    /// The assignment (`asg_…`).
    #[arg(long, value_name = "ID")]
    assignment: String,

    #[command(flatten)]
    service: ServiceArguments,

    /// Print it as one JSON document.
    #[arg(long)]
    json: bool,
}

/// Asks the service and prints what it says.
///
/// # Errors
/// What the service refuses, or that it cannot be reached.
pub async fn run(arguments: &AnchorArguments) -> anyhow::Result<()> {
    let client = arguments.service.client(WITHIN).await?;
    let found = client.assignments().calibration(&arguments.assignment);
    let found = found.await?;
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        for line in lines(&found) {
            say!("{line}");
        }
    }
    Ok(())
}

fn lines(found: &CalibrationView) -> Vec<String> {
    let standing = &found.standing;
    let mut lines = vec![
        format!(
            "{} graded examples, {} of them blind; {} answers wait for a blind grade",
            found.examples,
            found.blind_grades,
            found.waiting_blind.len()
        ),
        format!(
            "of AI's grades {} are out unseen, {} wait, {} were decided by a person; {} answers are not graded",
            standing.released, standing.held, standing.decided, standing.ungraded
        ),
    ];
    let reasons = standing.held_because.iter();
    lines.extend(reasons.map(|(reason, count)| format!("  {count:>5} wait for {reason}")));
    match &found.agreement {
        Some(agreement) => lines.extend(agreement_lines(agreement)),
        None => lines
            .push("nothing was graded blind yet, so nobody knows how AI and you agree".to_owned()),
    }
    let named = |title: &str, ids: &[String]| {
        (!ids.is_empty()).then(|| format!("{title}: {}", ids.join(" ")))
    };
    lines.extend(named("grade next", &found.next));
    lines.extend(named("drawn for testing", &found.drawn));
    lines.extend(found.offer.iter().flat_map(offer_lines));
    lines
}

/// Whether a certificate is worth a try.
fn offer_lines(offer: &OfferView) -> Vec<String> {
    let needed = match (offer.needed, offer.missing) {
        (Some(needed), Some(0)) => format!("{needed} are enough for a try"),
        (Some(needed), Some(missing)) => format!("{needed} are needed, {missing} are missing"),
        _ => "no number of them is enough".to_owned(),
    };
    let mut lines = vec![format!(
        "for a certificate {} answers wait, {needed}; disagreement on {} of {} examples",
        offer.at_hand, offer.disagreements, offer.examples
    )];
    lines.extend(offer.tries.iter().filter_map(trial_line));
    lines
}

fn trial_line(trial: &TrialView) -> Option<String> {
    let from = trial.min_confidence.map_or_else(
        || "not worth a try".to_owned(),
        |least| format!("from confidence {least} on"),
    );
    let percent = trial.chance? * 100.0;
    Some(format!(
        "  {:>5} tests, {} disagreements borne: a chance of {percent:.0} %, {from}",
        trial.tests, trial.disagreements_borne
    ))
}

fn agreement_lines(agreement: &AgreementView) -> Vec<String> {
    let come_by = match agreement.method {
        Method::LeaveOneOut => "each graded anew from the others",
        Method::AsGraded => "as AI last graded them",
    };
    let mut lines = vec![format!(
        "on {} answers graded blind ({come_by}), with 90 % intervals:",
        agreement.answers
    )];
    let shares = [
        ("the same points", &agreement.exact),
        ("at most a tenth apart", &agreement.within_tenth),
        ("one passes, the other fails", &agreement.flips),
        ("disagreement", &agreement.disagreements),
    ];
    lines.extend(shares.map(|(name, share)| row(name, share, 100.0, "%")));
    let figures = [
        (
            "AI's points above yours",
            &agreement.mean_difference,
            100.0,
            "%",
        ),
        ("quadratic weighted kappa", &agreement.kappa, 1.0, ""),
    ];
    for (name, figure, times, unit) in figures {
        lines.push(match figure {
            Some(figure) => row(name, figure, times, unit),
            None => format!("  {name:<28} too few to say"),
        });
    }
    lines
}

fn row(name: &str, figure: &EstimateView, times: f64, unit: &str) -> String {
    let decimals: u8 = if unit.is_empty() { 2 } else { 0 };
    let [value, low, high] = [figure.value, figure.low, figure.high].map(|one| {
        let shown = one * times;
        // What rounds to nothing has no sign.
        if shown.abs() < 0.5 * 10_f64.powi(-i32::from(decimals)) {
            0.0
        } else {
            shown
        }
    });
    let decimals = usize::from(decimals);
    let shown =
        format!("  {name:<28} {value:.decimals$} {unit} ({low:.decimals$} to {high:.decimals$})");
    shown.replace("  (", " (")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_wire::grading::calibration::StandingView;

    fn estimate(value: f64) -> EstimateView {
        EstimateView {
            value,
            low: value - 0.1,
            high: value + 0.1,
        }
    }

    fn calibration(agreement: Option<AgreementView>) -> CalibrationView {
        CalibrationView {
            object: "calibration".to_owned(),
            assignment_id: "asg_1".to_owned(),
            examples: 8,
            blind_grades: 3,
            waiting_blind: Vec::new(),
            next: vec!["sub_1".to_owned(), "sub_2".to_owned()],
            drawn: Vec::new(),
            agreement,
            standing: StandingView {
                held: 2,
                held_because: [("uncalibrated".to_owned(), 2)].into(),
                ..StandingView::default()
            },
            offer: None,
        }
    }

    #[test]
    fn without_a_blind_grade_nobody_knows() {
        let said = lines(&calibration(None)).join("\n");
        assert!(
            said.contains("8 graded examples, 3 of them blind"),
            "{said}"
        );
        assert!(said.contains("    2 wait for uncalibrated"), "{said}");
        assert!(said.contains("nobody knows how AI and you agree"), "{said}");
        assert!(said.ends_with("grade next: sub_1 sub_2"), "{said}");
    }

    #[test]
    fn whether_a_certificate_is_worth_a_try_is_said_with_what_is_missing() {
        let tries = [(16, Some(0.55), Some(70)), (25, Some(0.08), None)];
        let tries = tries.map(|(tests, chance, min_confidence)| TrialView {
            tests,
            disagreements_borne: 0,
            chance,
            min_confidence,
        });
        let mut found = calibration(None);
        found.offer = Some(OfferView {
            at_hand: 10,
            needed: Some(16),
            missing: Some(6),
            examples: 8,
            disagreements: 1,
            tries: tries.to_vec(),
            least_offered: Some(20),
        });
        let said = lines(&found).join("\n");
        for part in [
            "10 answers wait, 16 are needed, 6 are missing; disagreement on 1 of 8 examples",
            "16 tests, 0 disagreements borne: a chance of 55 %, from confidence 70 on",
            "25 tests, 0 disagreements borne: a chance of 8 %, not worth a try",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn figures_come_with_their_intervals_or_are_too_few() {
        let agreement = AgreementView {
            method: Method::LeaveOneOut,
            answers: 3,
            exact: estimate(0.5),
            within_tenth: estimate(0.6),
            flips: estimate(0.2),
            disagreements: estimate(0.3),
            mean_difference: Some(estimate(-0.12)),
            kappa: None,
        };
        let said = lines(&calibration(Some(agreement))).join("\n");
        assert!(said.contains("on 3 answers graded blind (each graded anew from the others)"));
        assert!(
            said.contains("the same points              50 % (40 to 60)"),
            "{said}"
        );
        assert!(
            said.contains("AI's points above yours      -12 % (-22 to -2)"),
            "{said}"
        );
        assert!(
            said.contains("quadratic weighted kappa     too few to say"),
            "{said}"
        );
        let nothing = row("nothing", &estimate(-0.001), 100.0, "%");
        assert!(nothing.contains(" 0 % (-10 to 10)"), "{nothing}");
    }
}
