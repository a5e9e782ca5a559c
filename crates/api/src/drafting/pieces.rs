//! Pieces of generations over HTTP.

use lyceum_application::drafting::{accepting, pieces};
use lyceum_domain::drafting::pieces::PieceStatus;
use lyceum_domain::ids::GenerationPiece;
use lyceum_wire::drafting::pieces::{AcceptPiece, PieceView};

use crate::http::force::Forcing;
use crate::prelude::*;

pub async fn list(call: Call<Listing<GenerationPiece, PieceFilter>>) -> Outcome<Listed<PieceView>> {
    call.read(|tx, ctx, path, (filter, page)| {
        pieces::list(tx, ctx, path.id()?, filter.status, &page)
    })
    .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<PieceView>> {
    call.read(|tx, ctx, path, ()| pieces::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn accept(call: Call<Forcing<Json<AcceptPiece>>>) -> Outcome<Found<PieceView>> {
    call.write(|tx, ctx, path, (request, force)| {
        accepting::accept(tx, ctx, path.id()?, request, force)
    })
    .await
}

pub async fn discard(call: Call<Nothing>) -> Outcome<Found<PieceView>> {
    call.write(|tx, ctx, path, ()| pieces::discard(tx, ctx, path.id()?))
        .await
}

pub async fn reopen(call: Call<Nothing>) -> Outcome<Found<PieceView>> {
    call.write(|tx, ctx, path, ()| pieces::reopen(tx, ctx, path.id()?))
        .await
}

/// Which pieces of a generation.
#[derive(Debug, Clone)]
pub struct PieceFilter {
    status: Option<PieceStatus>,
}

impl FromQuery for PieceFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("status", "In this state.").one_of(&["proposed", "accepted", "discarded"])
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            status: query.parsed("status", PieceStatus::parse)?,
        })
    }
}
