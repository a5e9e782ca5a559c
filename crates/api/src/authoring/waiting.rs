//! What waits to go live of a published course, over HTTP, and `draft=true`: what a caller says who means what things of it will be, and
//! not what they are.

use std::marker::PhantomData;

use lyceum_application::authoring::waiting::{self, Changeable};
use lyceum_application::{Context, Error, Tx};
use lyceum_domain::Id;
use lyceum_wire::authoring::versions::waiting::{CourseDraftView, PublishDraft};

use crate::document::schemas::Components;
use crate::http::call::Path;
use crate::http::input::{Input, InputDoc, Intake, Raw, Read};
use crate::prelude::*;

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<CourseDraftView>> {
    // Of a large course it looks at much.
    let look =
        |tx: &mut dyn Tx, ctx: &Context, path: &Path, ()| waiting::draft(tx, ctx, path.id()?);
    call.consult(look, |_, draft| std::future::ready(Ok(draft)))
        .await
}

pub async fn publish(call: Call<Json<PublishDraft>>) -> Outcome<Found<CourseDraftView>> {
    call.write(|tx, ctx, path, seen| waiting::publish(tx, ctx, path.id()?, &seen))
        .await
}

pub async fn discard(call: Call<Params<Discarded>>) -> Outcome<Found<CourseDraftView>> {
    call.write(|tx, ctx, path, Discarded(only)| {
        waiting::discard(tx, ctx, path.id()?, only.as_deref())
    })
    .await
}

/// What is thrown away of what waits: of one thing, or all of it.
#[derive(Debug, Clone)]
pub struct Discarded(Option<String>);

impl FromQuery for Discarded {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "object_id",
        "Throw away only what waits for this thing of the course.",
    )];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self(query.text("object_id")?))
    }
}

/// What a use case shows of one.
type Shown<T> = Result<<T as Changeable>::View, Error>;

/// One as it is, by the use case that shows it, or as it will be.
pub fn one<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: Id<T::Kind>,
    draft: bool,
    live: impl FnOnce(&mut dyn Tx, &Context, Id<T::Kind>) -> Shown<T>,
) -> Shown<T> {
    if draft {
        waiting::retrieve::<T>(tx, ctx, id)
    } else {
        live(tx, ctx, id)
    }
}

/// Changes one at once, or has the change wait.
pub fn change<T: Changeable>(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: Id<T::Kind>,
    (changes, draft): (T::Changes, bool),
) -> Shown<T> {
    if draft {
        waiting::update::<T>(tx, ctx, id, changes)
    } else {
        T::update(tx, ctx, id, changes)
    }
}

/// What `I` reads, and whether it is about what waits.
pub struct Drafting<I>(PhantomData<I>);

const DRAFT: Parameter = Parameter::new(
    "draft",
    "Things of a published course as they will be once what waits goes live; a change waits with it. Takes `read:courses`, and is \
     nothing for learners.",
)
.flag();

impl<I: Input> Input for Drafting<I> {
    type Of = (I::Of, bool);
    const IS_PAGED: bool = I::IS_PAGED;
    const INTAKE: Intake = I::INTAKE;

    fn read(mut raw: Raw<'_>) -> Read<Self::Of> {
        let draft = raw.query.flag("draft")?;
        let (read, ignored) = I::read(raw)?;
        Ok(((read, draft), ignored))
    }

    fn describe(components: &mut Components) -> InputDoc {
        let mut doc = I::describe(components);
        doc.parameters.push(DRAFT);
        doc
    }
}

impl<I: Input> Call<Drafting<I>> {
    /// Whether it is about what waits.
    pub fn is_draft(&self) -> bool {
        self.input.as_ref().is_ok_and(|((_, draft), _)| *draft)
    }
}
