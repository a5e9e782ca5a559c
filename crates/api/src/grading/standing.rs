//! Where the students of a cohort stand over HTTP, and by which rules they fall behind.

use lyceum_application::grading::gradebook;
use lyceum_domain::InvalidValue;
use lyceum_domain::grading::gradebook::BehindRules;
use lyceum_domain::ids::Enrollment;
use lyceum_wire::grading::standing::{LearnerStandingHead, LearnerStandingView};

use crate::prelude::*;

pub async fn of_cohort(
    call: Call<Listing<Enrollment, BehindRules>>,
) -> Outcome<ListedWith<LearnerStandingView, LearnerStandingHead>> {
    call.read(|tx, ctx, path, (rules, page)| gradebook::standing(tx, ctx, path.id()?, rules, &page))
        .await
}

impl FromQuery for BehindRules {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new(
            "overdue",
            "So many overdue tasks are a sign: 1 to 100, 1 when absent.",
        ),
        Parameter::new(
            "inactive_days",
            "So many days without anything done are one: 1 to 365, 7 when absent.",
        ),
        Parameter::new(
            "low_total",
            "A total below so many per cent is one: 1 to 100, 50 when absent.",
        ),
        Parameter::new(
            "pace",
            "So many percentage points of lessons behind their time are one: 1 to 100, 25 when absent.",
        ),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let Self {
            overdue,
            inactive_days,
            low_total,
            pace,
        } = Self::default();
        Ok(Self {
            overdue: query.parsed("overdue", up_to(100))?.unwrap_or(overdue),
            inactive_days: query
                .parsed("inactive_days", up_to(365))?
                .unwrap_or(inactive_days),
            low_total: query.parsed("low_total", up_to(100))?.unwrap_or(low_total),
            pace: query.parsed("pace", up_to(100))?.unwrap_or(pace),
        })
    }
}

/// Reads a whole number from 1.
fn up_to(most: u16) -> impl FnOnce(&str) -> Result<u16, InvalidValue> {
    move |text| {
        let number = text
            .parse()
            .ok()
            .filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| InvalidValue::new(format!("must be between 1 and {most}")))
    }
}
