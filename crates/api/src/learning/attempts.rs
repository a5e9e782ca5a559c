//! Attempts at activities over HTTP.

use lyceum_application::learning::attempts::{self, AttemptFilter};
use lyceum_domain::ids::Attempt;
use lyceum_wire::common_ids::reference;
use lyceum_wire::learning::attempts::{AttemptView, CreateAttempt};

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateAttempt>>) -> Outcome<Created<AttemptView>> {
    call.write(|tx, ctx, path, request| attempts::create(tx, ctx, path.id()?, request))
        .await
}

pub async fn list(call: Call<Listing<Attempt, AttemptFilter>>) -> Outcome<Listed<AttemptView>> {
    call.read(|tx, ctx, path, (filter, page)| attempts::list(tx, ctx, path.id()?, &filter, &page))
        .await
}

impl FromQuery for AttemptFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new("user_id", "Of this user.")];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let user_id = query.text("user_id")?.map(|id| reference(&id));
        Ok(Self { user_id })
    }
}
