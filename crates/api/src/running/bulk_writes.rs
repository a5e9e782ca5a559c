//! Bulk writes over HTTP.

use lyceum_application::Error;
use lyceum_application::running::bulk_writes::{self, Strictness};
use lyceum_application::running::idempotency::Reply;
use lyceum_domain::running::bulk_writes::AT_ONCE;
use lyceum_wire::running::bulk_writes::{BulkWriteView, CreateBulkWrite};

use crate::document::schemas::{Components, collect};
use crate::http::answer::{Accepted, AnswerKind, Manner};
use crate::http::headers::is_strict;
use crate::prelude::*;

/// 200 and what came of every row, or 202 and where to poll while rows are being written.
pub struct Written;

impl AnswerKind for Written {
    type Of = BulkWriteView;
    const STATUS: u16 = 200;
    const MANNER: Manner = Manner::PerhapsPolled;

    fn reply(view: &BulkWriteView, list: &str) -> Result<Reply, Error> {
        if view.is_pending() {
            Accepted::<BulkWriteView>::reply(view, list)
        } else {
            Found::<BulkWriteView>::reply(view, list)
        }
    }

    fn describe(components: &mut Components) -> String {
        collect::<BulkWriteView>(components)
    }
}

pub async fn create(call: Call<Json<CreateBulkWrite>>) -> Outcome<Written> {
    let strictness = if is_strict(call.request()?) {
        Strictness::Strict
    } else {
        Strictness::Lenient
    };
    let is_brief = call.holds(|asked| asked.rows.len() <= AT_ONCE);
    if is_brief {
        let write = |app: lyceum_application::App, ctx, asked, key: Option<String>| async move {
            bulk_writes::write_now(&app, &ctx, asked, strictness, key.as_deref()).await
        };
        return call.perform(write).await;
    }
    call.write(move |tx, ctx, _, asked| bulk_writes::create(tx, ctx, asked, strictness))
        .await
}

pub async fn stop(call: Call<Nothing>) -> Outcome<Found<BulkWriteView>> {
    call.write(|tx, ctx, path, ()| bulk_writes::stop(tx, ctx, path.id()?))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<BulkWriteView>> {
    call.read_one(|tx, ctx, path, ()| bulk_writes::retrieve(tx, ctx, path.id()?))
        .await
}
