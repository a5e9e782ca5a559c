//! What AI takes, and what was sent where, over HTTP.

use lyceum_application::drafting::ai_calls::{self, AiCallFilter, AskedPeriod};
use lyceum_domain::Timestamp;
use lyceum_domain::drafting::ai_calls::{AiFeature, CallOutcome};
use lyceum_domain::ids::AiCallRecord;
use lyceum_wire::drafting::ai_calls::{AiCallView, AiUsageView};

use crate::prelude::*;

pub async fn usage(call: Call<Params<AskedPeriod>>) -> Outcome<Found<AiUsageView>> {
    call.read(|tx, ctx, _, asked| ai_calls::usage(tx, ctx, asked))
        .await
}

pub async fn list(call: Call<Listing<AiCallRecord, AiCallFilter>>) -> Outcome<Listed<AiCallView>> {
    call.read(|tx, ctx, _, (filter, page)| ai_calls::list(tx, ctx, &filter, &page))
        .await
}

impl FromQuery for AskedPeriod {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new(
            "from",
            "The first moment (RFC 3339) of the period; the start of this month (UTC) if absent.",
        ),
        Parameter::new(
            "to",
            "The first moment after the period; the end of this month (UTC) if absent.",
        ),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            from: query.parsed("from", Timestamp::parse)?,
            to: query.parsed("to", Timestamp::parse)?,
        })
    }
}

impl FromQuery for AiCallFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("feature", "For this.").one_of(&[
            "grading",
            "explaining",
            "drafting",
            "checking",
            "tutoring",
            "speaking",
        ]),
        Parameter::new("outcome", "That ended like this.").one_of(&[
            "answered",
            "invalid",
            "refused",
            "unavailable",
        ]),
        Parameter::new(
            "subject_id",
            "On behalf of the submission, generation or lesson with this id.",
        ),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            feature: query.parsed("feature", AiFeature::parse)?,
            outcome: query.parsed("outcome", CallOutcome::parse)?,
            subject_id: query.text("subject_id")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_are_documented_are_all_there_are() {
        let documented = |name: &str| {
            let mut parameters = AiCallFilter::PARAMETERS.iter();
            parameters
                .find(|parameter| parameter.name == name)
                .unwrap()
                .values
        };
        let features: Vec<_> = AiFeature::ALL.iter().map(|word| word.as_str()).collect();
        let outcomes: Vec<_> = CallOutcome::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(documented("feature"), features);
        assert_eq!(documented("outcome"), outcomes);
    }
}
