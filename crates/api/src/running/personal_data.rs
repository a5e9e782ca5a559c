//! What people may ask of a school, over HTTP: all that is kept of them, and that it be erased.

use lyceum_application::running::personal_data;
use lyceum_wire::running::personal_data::{EraseUser, UserErasureView, UserExportView};

use crate::prelude::*;

pub async fn export(call: Call<Nothing>) -> Outcome<Found<UserExportView>> {
    call.seek(
        |tx, ctx, path, ()| personal_data::look_up(tx, ctx, path.id()?),
        personal_data::export,
    )
    .await
}

pub async fn erase(call: Call<Json<EraseUser>>) -> Outcome<Found<UserErasureView>> {
    call.seek(
        |tx, ctx, path, confirmed| personal_data::seek(tx, ctx, path.id()?, confirmed),
        personal_data::erase,
    )
    .await
}
