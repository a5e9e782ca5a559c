//! The tutor over HTTP.

use lyceum_application::drafting::tutor::{self, TutorFilter};
use lyceum_domain::ids::TutorTurn;
use lyceum_wire::common_ids::reference;
use lyceum_wire::drafting::tutor::{AskTutor, TutorReplyView};

use crate::http::answer::{Listed, Outcome, Spoken};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::input::{Json, Listing};
use crate::http::query::{FromQuery, Parameter, Query};

pub async fn ask(call: Call<Json<AskTutor>>) -> Outcome<Spoken<TutorReplyView>> {
    call.ask(
        |tx, ctx, path, request| tutor::prepare(tx, ctx, path.id()?, &request),
        tutor::ask,
        tutor::settle,
    )
    .await
}

pub async fn list(call: Call<Listing<TutorTurn, TutorFilter>>) -> Outcome<Listed<TutorReplyView>> {
    call.read(|tx, ctx, path, (filter, page)| tutor::list(tx, ctx, path.id()?, &filter, &page))
        .await
}

impl FromQuery for TutorFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "thread_id",
        description: "Of this conversation.",
        values: &[],
    }];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let thread_id = query.text("thread_id")?.map(|id| reference(&id));
        Ok(Self { thread_id })
    }
}
