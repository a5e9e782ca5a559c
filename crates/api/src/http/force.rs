//! `force=true`: what a caller says who means to let go of what learners have used.

use std::marker::PhantomData;

use crate::document::schemas::Components;
use crate::http::input::{Input, InputDoc, Raw, Read};
use crate::http::query::{FromQuery, Parameter, Query};

use crate::http::error::Failure;

/// Whether to delete something although learners have used it.
#[derive(Debug, Clone, Copy)]
pub struct Force(pub bool);

impl FromQuery for Force {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "force",
        "Go on although learners have used it; where submissions or grades go, with a key that has \
                      `write:grades`.",
    )
    .flag()];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self(query.flag("force")?))
    }
}

/// What `I` reads, and whether to have AI write anew what learners have used.
pub struct Forcing<I>(PhantomData<I>);

const REPLACING: Parameter = Parameter::new(
    "force",
    "Have it written anew although learners have used it; takes `write:courses`.",
)
.flag();

impl<I: Input> Input for Forcing<I> {
    type Of = (I::Of, bool);

    fn read(mut raw: Raw<'_>) -> Read<Self::Of> {
        let force = raw.query.flag("force")?;
        let (read, ignored) = I::read(raw)?;
        Ok(((read, force), ignored))
    }

    fn describe(components: &mut Components) -> InputDoc {
        let mut doc = I::describe(components);
        doc.parameters.push(REPLACING);
        doc
    }
}
