//! Attempts at activities over HTTP.

use lyceum_application::learning::attempts::{self, AttemptFilter};
use lyceum_domain::ids::Attempt;
use lyceum_wire::common_ids::reference;
use lyceum_wire::learning::attempts::{AttemptView, CreateAttempt};

use crate::http::answer::{Created, Listed, Outcome};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::input::{Json, Listing};
use crate::http::query::{FromQuery, Parameter, Query};

pub async fn create(call: Call<Json<CreateAttempt>>) -> Outcome<Created<AttemptView>> {
    call.write(|tx, ctx, path, request| attempts::create(tx, ctx, path.id()?, request))
        .await
}

pub async fn list(call: Call<Listing<Attempt, AttemptFilter>>) -> Outcome<Listed<AttemptView>> {
    call.read(|tx, ctx, path, (filter, page)| attempts::list(tx, ctx, path.id()?, &filter, &page))
        .await
}

impl FromQuery for AttemptFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "user_id",
        description: "Of this user.",
        values: &[],
    }];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let user_id = query.text("user_id")?.map(|id| reference(&id));
        Ok(Self { user_id })
    }
}
