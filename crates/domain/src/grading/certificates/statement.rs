//! What a teacher is told of a certificate, in words that claim no more than it says.

use super::certification::{Certification, CertificationState};
use crate::authoring::release_terms::ReleaseScope;

/// The paragraph for the teacher; none while there is no certificate. Nothing in it is about a single learner, and confidence is a
/// rank, not a chance.
pub fn statement(certification: &Certification) -> Option<String> {
    let declared = certification.declared.as_ref()?;
    let issued = declared.issued.as_ref()?;
    let terms = &certification.terms;
    let opening = match certification.state {
        CertificationState::Valid => "go out without you",
        CertificationState::Paused => "went out without you, until release stopped",
        CertificationState::Revoked
        | CertificationState::Lapsed
        | CertificationState::Ended
        | CertificationState::Grading
        | CertificationState::Testing
        | CertificationState::Refused => "went out without you, until the certificate ended",
    };
    let later = match terms.scope() {
        ReleaseScope::All => {
            ", and in the long run among later ones as long as they are like these"
        }
        ReleaseScope::AtHand => "",
    };
    let text = format!(
        "AI's grades with a confidence of at least {} {opening}. On {} answers drawn by lot, which you graded without seeing \
         AI's points, you and AI disagreed {} (a pass/fail flip or more than {} % of the points). From this we conclude that at \
         most {} of 100 such grades disagree with yours among those of the {} handed in that you have not seen{later}. \
         Conclusions of this kind are wrong in at most 5 of 100 assignments where they are tried. It says nothing about a single \
         learner or a group of them, and nothing about who is right when you and AI differ.",
        issued.threshold,
        issued.tests,
        on_how_many(issued.errors),
        terms.points_share(),
        terms.max_disagreement(),
        issued.at_hand,
    );
    let is_audited =
        terms.scope() == ReleaseScope::All && certification.state == CertificationState::Valid;
    Some(if is_audited {
        format!("{text} {}", audits(u32::from(terms.audit_share())))
    } else {
        text
    })
}

fn audits(share: u32) -> String {
    let every = 100 / share;
    format!(
        "We keep holding back one in five of the first forty later answers and then one in {every} for you to grade blind: if the \
         answers change, about {} wrong grades may go out for each one that you find. Release stops by itself as soon as your grades \
         no longer bear the promise out.",
        every.saturating_sub(1),
    )
}

fn on_how_many(count: u32) -> String {
    match count {
        0 => "on none of them".to_owned(),
        1 => "on one of them".to_owned(),
        more => format!("on {more} of them"),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::super::certification::{Declared, Issued};
    use super::*;
    use crate::authoring::release_terms::{AskedTerms, ReleaseTerms};
    use crate::grading::release::draw::Arrivals;
    use crate::{Id, Timestamp};
    use uuid::Uuid;

    fn issued(scope: ReleaseScope) -> Certification {
        let asked = AskedTerms {
            scope: Some(scope),
            ..AskedTerms::default()
        };
        let terms = ReleaseTerms::parse(&asked, "").unwrap();
        let ids = (
            Id::from_uuid(Uuid::nil()),
            Id::from_uuid(Uuid::nil()),
            Id::from_uuid(Uuid::nil()),
        );
        let now = Timestamp::from_unix_millis(0);
        let mut one = Certification::new(ids, terms, None, now);
        assert_eq!(statement(&one), None);
        one.state = CertificationState::Valid;
        one.declared = Some(Declared {
            grader_hash: String::new(),
            sizes: vec![25],
            seed_hash: String::new(),
            size: 200,
            look: NonZeroU32::MIN,
            issued: Some(Issued {
                threshold: 71,
                tests: 22,
                errors: 1,
                at_hand: 180,
                bound_at_hand: 190_000,
                bound_of_later: 195_000,
                arrivals: Arrivals::default(),
            }),
        });
        one
    }

    #[test]
    fn it_says_what_was_found_and_what_is_concluded_and_no_more() {
        let text = statement(&issued(ReleaseScope::All)).unwrap();
        for part in [
            "confidence of at least 71 go out without you",
            "On 22 answers drawn by lot",
            "disagreed on one of them (a pass/fail flip or more than 25 % of the points)",
            "at most 20 of 100 such grades",
            "of the 180 handed in",
            "wrong in at most 5 of 100 assignments",
            "one in 20 for you to grade blind",
            "about 19 wrong grades",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        for claim in ["% sure", "right", "as good as"] {
            let unclaimed = text.replace("who is right when", "");
            assert!(!unclaimed.contains(claim), "{claim}: {text}");
        }
    }

    #[test]
    fn of_those_at_hand_alone_nothing_is_said_of_later_ones() {
        let text = statement(&issued(ReleaseScope::AtHand)).unwrap();
        assert!(!text.contains("later"), "{text}");
    }

    #[test]
    fn what_has_stopped_is_told_as_past() {
        let mut one = issued(ReleaseScope::All);
        one.state = CertificationState::Paused;
        let text = statement(&one).unwrap();
        assert!(text.contains("until release stopped") && !text.contains("We keep"));
    }
}
