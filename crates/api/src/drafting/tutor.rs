//! The tutor over HTTP.

use lyceum_application::drafting::tutor::{self, TutorFilter};
use lyceum_domain::ids::TutorTurn;
use lyceum_wire::common_ids::reference;
use lyceum_wire::drafting::tutor::{AskTutor, TutorReplyView};

use crate::http::answer::Spoken;
use crate::prelude::*;

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
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::new("thread_id", "Of this conversation.")];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let thread_id = query.text("thread_id")?.map(|id| reference(&id));
        Ok(Self { thread_id })
    }
}
