//! Statistics of tasks over HTTP.

use lyceum_application::grading::statistics;
use lyceum_domain::ids::CohortId;
use lyceum_wire::common_ids::reference;
use lyceum_wire::grading::statistics::StatisticsView;

use crate::prelude::*;

/// Whose work is looked at.
#[derive(Debug, Clone)]
pub struct Whose(Option<CohortId>);

impl FromQuery for Whose {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "cohort_id",
        "Of the students of this cohort alone.",
    )];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self(query.text("cohort_id")?.map(|id| reference(&id))))
    }
}

pub async fn of_assignment(call: Call<Params<Whose>>) -> Outcome<Found<StatisticsView>> {
    call.read_at_length(|tx, ctx, path, Whose(cohort)| {
        statistics::of_assignment(tx, ctx, path.id()?, cohort)
    })
    .await
}

pub async fn of_activity(call: Call<Params<Whose>>) -> Outcome<Found<StatisticsView>> {
    call.read_at_length(|tx, ctx, path, Whose(cohort)| {
        statistics::of_activity(tx, ctx, path.id()?, cohort)
    })
    .await
}
