//! Regrades, bulk gradings and red teams over HTTP.

use lyceum_application::grading::batches;
use lyceum_domain::grading::batches::ItemState;
use lyceum_domain::id::Identified;
use lyceum_domain::ids::{Batch, Submission};
use lyceum_wire::grading::batches::{
    BatchItemView, BatchView, BulkGradingView, CommitRegrade, GradeAllWithAi, StartRegrade,
};

use crate::http::answer::Accepted;
use crate::prelude::*;

pub async fn regrade(call: Call<Json<StartRegrade>>) -> Outcome<Accepted<BatchView>> {
    call.write(|tx, ctx, path, asked| batches::regrade(tx, ctx, path.id()?, asked))
        .await
}

pub async fn regrades(call: Call<Listing<Batch, ()>>) -> Outcome<Listed<BatchView>> {
    call.read(|tx, ctx, path, ((), page)| batches::regrades(tx, ctx, path.id()?, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<BatchView>> {
    call.read(|tx, ctx, path, ()| batches::retrieve(tx, ctx, path.id()?))
        .await
}

/// The items of a batch have no ids of their own: they are paged by those of their submissions.
pub struct BatchItem;

impl Identified for BatchItem {
    const PREFIX: &'static str = Submission::PREFIX;
    const OBJECT: &'static str = "batch_item";
}

pub async fn items(call: Call<Listing<BatchItem, ItemFilter>>) -> Outcome<Listed<BatchItemView>> {
    call.read(|tx, ctx, path, (filter, page)| {
        batches::items(tx, ctx, path.id()?, filter.state, &page)
    })
    .await
}

pub async fn commit(call: Call<Json<CommitRegrade>>) -> Outcome<Accepted<BatchView>> {
    call.write(|tx, ctx, path, replace| batches::commit(tx, ctx, path.id()?, replace))
        .await
}

pub async fn undo(call: Call<Nothing>) -> Outcome<Accepted<BatchView>> {
    call.write(|tx, ctx, path, ()| batches::undo(tx, ctx, path.id()?))
        .await
}

pub async fn stop(call: Call<Nothing>) -> Outcome<Found<BatchView>> {
    call.write(|tx, ctx, path, ()| batches::stop(tx, ctx, path.id()?))
        .await
}

pub async fn grade_all(call: Call<Json<GradeAllWithAi>>) -> Outcome<Accepted<BulkGradingView>> {
    call.write(|tx, ctx, path, selection| batches::grade_all(tx, ctx, path.id()?, selection))
        .await
}

pub async fn bulk(call: Call<Nothing>) -> Outcome<Found<BulkGradingView>> {
    call.read(|tx, ctx, path, ()| batches::bulk(tx, ctx, path.id()?))
        .await
}

pub async fn stop_grading(call: Call<Nothing>) -> Outcome<Found<BulkGradingView>> {
    call.write(|tx, ctx, path, ()| batches::stop_grading(tx, ctx, path.id()?))
        .await
}

pub async fn attack(call: Call<Nothing>) -> Outcome<Accepted<BatchView>> {
    call.write(|tx, ctx, path, ()| batches::attack(tx, ctx, path.id()?))
        .await
}

pub async fn newest_red_team(call: Call<Nothing>) -> Outcome<Found<BatchView>> {
    call.read(|tx, ctx, path, ()| batches::newest_red_team(tx, ctx, path.id()?))
        .await
}

/// Which items of a batch.
#[derive(Debug, Clone)]
pub struct ItemFilter {
    state: Option<ItemState>,
}

impl FromQuery for ItemFilter {
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::new("state", "In this state.").one_of(&[
            "waiting", "asked", "graded", "failed", "landed", "left", "undone", "kept",
        ])];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            state: query.parsed("state", ItemState::parse)?,
        })
    }
}
