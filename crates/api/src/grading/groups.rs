//! Groups of alike answers over HTTP, and one judgement for several of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::web;
use lyceum_application::app::App;
use lyceum_application::error::Error;
use lyceum_application::grading::groups::{self, HandedIn};
use lyceum_application::grading::submissions;
use lyceum_wire::grading::groups::{AlikeView, GradeAlike, GroupsView};

use crate::prelude::*;

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<GroupsView>> {
    call.consult(
        |tx, ctx, path, ()| groups::look(tx, ctx, path.id()?),
        grouped,
    )
    .await
}

pub async fn grade_alike(call: Call<Json<GradeAlike>>) -> Outcome<Found<AlikeView>> {
    call.write(|tx, ctx, path, asked| submissions::grade_alike(tx, ctx, path.id()?, &asked))
        .await
}

/// Beside the threads that answer; whoever hangs up stops it.
async fn grouped(app: App, read: HandedIn) -> Result<GroupsView, Error> {
    let turn = app.grouping.turn(&read).await;
    let asked = HangUp::default();
    let gone = Arc::clone(&asked.0);
    let grouped = web::block(move || {
        let _turn = turn;
        app.grouping.of(&read, &|| gone.load(Ordering::Relaxed))
    });
    let grouped = grouped
        .await
        .map_err(|error| Error::Internal(error.into()))?;
    grouped.ok_or_else(|| Error::Internal("nobody waits for the groups".into()))
}

/// Says so when it is dropped with the request that it belongs to.
#[derive(Default)]
struct HangUp(Arc<AtomicBool>);

impl Drop for HangUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
