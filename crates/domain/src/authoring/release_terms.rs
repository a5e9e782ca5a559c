//! What a teacher asks of AI's grades before they go out unseen.

use crate::words::words;
use crate::{Invalid, InvalidValue};

words! {
    /// Which answers a certificate is about.
    ReleaseScope {
        /// Those that were handed in when it was declared.
        AtHand = "at_hand",
        /// Those and all that come later.
        All = "all",
    }
}

/// What a certificate has to promise before AI's grades of an assignment go out unseen. Shares are whole hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleaseTerms {
    max_disagreement: u8,
    points_share: u8,
    min_confidence: u8,
    scope: ReleaseScope,
    audit_share: u8,
}

/// What is asked for, before anybody checked it; none where nobody said.
#[derive(Debug, Clone, Copy, Default)]
pub struct AskedTerms {
    /// The highest share of disagreements among what goes out.
    pub max_disagreement: Option<i64>,
    /// By more than this share of the points two grades are apart.
    pub points_share: Option<i64>,
    /// The lowest confidence that ever goes out.
    pub min_confidence: Option<i64>,
    /// Which answers it is about.
    pub scope: Option<ReleaseScope>,
    /// What share of later answers is held for a blind look.
    pub audit_share: Option<i64>,
}

impl Default for ReleaseTerms {
    /// One in five may disagree, among all answers that AI is 60 % sure of; one in twenty is audited. Without a least confidence tests
    /// are spent on answers of which nobody would hope that AI may release them, and fewer certificates are earned.
    fn default() -> Self {
        Self {
            max_disagreement: 20,
            points_share: 25,
            min_confidence: 60,
            scope: ReleaseScope::All,
            audit_share: 5,
        }
    }
}

impl ReleaseTerms {
    /// What may be asked for `max_disagreement`. Below it no class is large enough, above it nothing is promised.
    pub const MAX_DISAGREEMENT: (i64, i64) = (5, 30);
    /// What may be asked for `points_share`.
    pub const POINTS_SHARE: (i64, i64) = (5, 100);
    /// What may be asked for `min_confidence`.
    pub const MIN_CONFIDENCE: (i64, i64) = (0, 100);
    /// What may be asked for `audit_share`: less would find too little.
    pub const AUDIT_SHARE: (i64, i64) = (3, 50);

    /// Checks what is asked for; `above` is the path that problems stand below.
    ///
    /// # Errors
    /// [`Invalid`] naming the number that is out of its range.
    pub fn parse(asked: &AskedTerms, above: &str) -> Result<Self, Invalid> {
        let usual = Self::default();
        let read = |name: &str, value: Option<i64>, range, or| match value {
            None => Ok(or),
            Some(value) => within(value, range)
                .map_err(|error| Invalid::new(format!("{above}{name}"), error.to_string())),
        };
        Ok(Self {
            max_disagreement: read(
                "max_disagreement",
                asked.max_disagreement,
                Self::MAX_DISAGREEMENT,
                usual.max_disagreement,
            )?,
            points_share: read(
                "points_share",
                asked.points_share,
                Self::POINTS_SHARE,
                usual.points_share,
            )?,
            min_confidence: read(
                "min_confidence",
                asked.min_confidence,
                Self::MIN_CONFIDENCE,
                usual.min_confidence,
            )?,
            scope: asked.scope.unwrap_or(usual.scope),
            audit_share: read(
                "audit_share",
                asked.audit_share,
                Self::AUDIT_SHARE,
                usual.audit_share,
            )?,
        })
    }

    /// The highest share of disagreements among what goes out.
    pub const fn max_disagreement(&self) -> u8 {
        self.max_disagreement
    }

    /// By more than this share of the points two grades disagree; a pass/fail flip always does.
    pub const fn points_share(&self) -> u8 {
        self.points_share
    }

    /// The lowest confidence that ever goes out.
    pub const fn min_confidence(&self) -> u8 {
        self.min_confidence
    }

    /// Which answers it is about.
    pub const fn scope(&self) -> ReleaseScope {
        self.scope
    }

    /// What share of later answers is held for a blind look, after the first forty.
    pub const fn audit_share(&self) -> u8 {
        self.audit_share
    }
}

fn within(value: i64, (least, most): (i64, i64)) -> Result<u8, InvalidValue> {
    u8::try_from(value)
        .ok()
        .filter(|_| (least..=most).contains(&value))
        .ok_or_else(|| InvalidValue::new(format!("must be between {least} and {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_says_is_one_in_five_of_what_ai_is_rather_sure_of_and_one_in_twenty_audited() {
        let usual = ReleaseTerms::parse(&AskedTerms::default(), "release.").unwrap();
        assert_eq!(usual, ReleaseTerms::default());
        assert_eq!((usual.max_disagreement(), usual.audit_share()), (20, 5));
        assert_eq!(usual.min_confidence(), 60);
    }

    #[test]
    fn what_no_certificate_could_say_is_refused_by_its_name() {
        for (least, most) in [(4, 5), (31, 30), (-1, 5), (300, 30)] {
            let asked = AskedTerms {
                max_disagreement: Some(least),
                ..AskedTerms::default()
            };
            let refused = ReleaseTerms::parse(&asked, "release.");
            let error = refused.unwrap_err();
            assert_eq!(error.field, "release.max_disagreement", "{least} {most}");
        }
        let asked = AskedTerms {
            audit_share: Some(2),
            ..AskedTerms::default()
        };
        assert!(ReleaseTerms::parse(&asked, "").is_err());
    }
}
