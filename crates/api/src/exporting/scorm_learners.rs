//! How learners of SCORM packages get in, over HTTP, and who came.

use lyceum_application::exporting::scorm_learners::{self, ScormLearnerFilter};
use lyceum_domain::exporting::scorm_learners::LearnerTrust;
use lyceum_domain::ids::ScormLearner;
use lyceum_wire::exporting::scorm_learners::{
    CreateScormSession, ScormLearnerView, ScormSessionView,
};

use crate::edge::rate_limit::Limiter;
use crate::http::auth_scope::Open;
use crate::prelude::*;

pub async fn launch(
    call: Call<Json<CreateScormSession>, Open>,
) -> Outcome<Found<ScormSessionView>> {
    call.count(Limiter::count_launch)?;
    let origin = call.origin.clone();
    call.write(move |tx, visitor, path, mut launch| {
        launch.page_origin.clone_from(&origin);
        scorm_learners::launch(tx, visitor, path.id()?, &launch)
    })
    .await
}

pub async fn list(
    call: Call<Listing<ScormLearner, ScormLearnerFilter>>,
) -> Outcome<Listed<ScormLearnerView>> {
    call.read(|tx, ctx, path, (filter, page)| {
        scorm_learners::list(tx, ctx, path.id()?, &filter, &page)
    })
    .await
}

impl FromQuery for ScormLearnerFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("identity", "Of whom this much is known.").one_of(&[
            "first_use",
            "proven",
            "unverified",
        ]),
        Parameter::new(
            "origin",
            "Who last came from this origin, as the LMS said it.",
        ),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            identity: query.parsed("identity", LearnerTrust::parse)?,
            origin: query.text("origin")?,
        })
    }
}
