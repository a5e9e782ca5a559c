//! What callers do with pieces of generations, but for accepting them.

use lyceum_domain::drafting::pieces::{Piece, PieceState, PieceStatus, above, below};
use lyceum_domain::ids::{GenerationId, PieceId, UserId};
use lyceum_domain::transition::InvalidTransition;
use lyceum_ports::store::Line;
use lyceum_wire::drafting::pieces::PieceView;

use crate::error::LastChange;
use crate::prelude::*;
use crate::running::names;

/// Shows a page of a generation's pieces, in the order of the outline, without their texts. A generation that lands by itself has
/// none.
///
/// # Errors
/// [`Error::NotFound`]
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    generation: GenerationId,
    status: Option<PieceStatus>,
    page: &PageRequest,
) -> Result<Page<PieceView>, Error> {
    let workspace = ctx.workspace_id();
    found(tx.generations().find(workspace, generation)?, "generation")?;
    let pieces = tx.pieces().page(workspace, generation, status, page)?;
    let mut views = pieces.map(|piece| PieceView::listed(&piece));
    let deciders = views
        .items
        .iter_mut()
        .filter_map(|view| view.decided_by.as_mut());
    names::give(tx, workspace, deciders)?;
    Ok(views)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: PieceId) -> Result<PieceView, Error> {
    let piece = find(tx, ctx, id)?;
    view(tx, ctx, &piece)
}

/// Says that one is not wanted, and nothing in it. Once more changes nothing.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Overtaken`] where it was accepted
pub fn discard(tx: &mut dyn Tx, ctx: &Context, id: PieceId) -> Result<PieceView, Error> {
    let mut pieces = hold(tx, ctx, id)?;
    let wanted: Vec<PieceId> = below(&pieces, id).into_iter().chain([id]).collect();
    let by = whoever_decides(ctx);
    for piece in pieces.iter_mut().filter(|piece| wanted.contains(&piece.id)) {
        if piece.is_open() {
            piece.discard(by, ctx.now)?;
            tx.pieces().update(piece)?;
        }
    }
    let piece = of(&pieces, id)?;
    match piece.state {
        PieceState::Discarded(_) => view(tx, ctx, piece),
        PieceState::Proposed | PieceState::Accepted(..) => {
            Err(decided(tx, ctx, piece, "be discarded"))
        }
    }
}

/// Takes back that one is not wanted: with what went with it, and with what it is in. Once more changes nothing.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Overtaken`] where it was accepted
pub fn reopen(tx: &mut dyn Tx, ctx: &Context, id: PieceId) -> Result<PieceView, Error> {
    let mut pieces = hold(tx, ctx, id)?;
    let piece = of(&pieces, id)?;
    let PieceState::Discarded(decision) = piece.state else {
        return match piece.state {
            PieceState::Proposed => view(tx, ctx, piece),
            PieceState::Accepted(..) | PieceState::Discarded(_) => {
                Err(decided(tx, ctx, piece, "be proposed again"))
            }
        };
    };
    let (around, inside) = (above(&pieces, id), below(&pieces, id));
    for piece in &mut pieces {
        let went_along = inside.contains(&piece.id) && piece.state.decision() == Some(decision);
        let comes_back = piece.id == id || around.contains(&piece.id) || went_along;
        if comes_back && piece.state.status() == PieceStatus::Discarded {
            piece.reopen(ctx.now)?;
            tx.pieces().update(piece)?;
        }
    }
    view(tx, ctx, of(&pieces, id)?)
}

/// All pieces of the generation that one is of, with nobody else deciding about them until the transaction is over.
pub(crate) fn hold(tx: &mut dyn Tx, ctx: &Context, id: PieceId) -> Result<Vec<Piece>, Error> {
    let piece = find(tx, ctx, id)?;
    tx.stand_in_line(Line::at(piece.generation_id))?;
    let (workspace, generation) = (ctx.workspace_id(), piece.generation_id);
    Ok(tx.pieces().of_generation(workspace, generation)?)
}

/// One of them.
pub(crate) fn of(pieces: &[Piece], id: PieceId) -> Result<&Piece, Error> {
    let piece = pieces.iter().find(|piece| piece.id == id);
    piece.ok_or(Error::NotFound("generation piece"))
}

/// Who is named as having decided.
pub(crate) fn whoever_decides(ctx: &Context) -> Option<UserId> {
    ctx.member().ok().map(|member| member.user.id)
}

/// What is said where somebody has decided already: who, and when.
pub(crate) fn decided(
    tx: &mut dyn Tx,
    ctx: &Context,
    piece: &Piece,
    action: &'static str,
) -> Error {
    let refused = Error::from(InvalidTransition {
        object: "generation piece",
        from: piece.state.status().as_str(),
        action,
    });
    let mut view = PieceView::listed(piece);
    let (Some(decision), Some(mut actor)) = (piece.state.decision(), view.decided_by.take()) else {
        return refused;
    };
    if let Err(failed) = names::give(tx, ctx.workspace_id(), [&mut actor]) {
        return failed;
    }
    Error::Overtaken {
        refused: Box::new(refused),
        last: Box::new(LastChange {
            actor,
            at: decision.at,
        }),
    }
}

/// Shows a piece with its texts.
pub(crate) fn view(tx: &mut dyn Tx, ctx: &Context, piece: &Piece) -> Result<PieceView, Error> {
    let texts = tx.pieces().texts(ctx.workspace_id(), piece.id)?;
    let mut view = PieceView::new(piece, &found(texts, "generation piece")?);
    names::give(tx, ctx.workspace_id(), view.decided_by.as_mut())?;
    Ok(view)
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: PieceId) -> Result<Piece, Error> {
    found(
        tx.pieces().find(ctx.workspace_id(), id)?,
        "generation piece",
    )
}
