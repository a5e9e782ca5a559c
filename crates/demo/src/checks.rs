//! What the demo insists on.

use std::fmt::Debug;

use anyhow::bail;

/// Says what was wanted and what was found where they differ.
pub fn same<A, B>(what: &str, found: &A, wanted: &B) -> anyhow::Result<()>
where
    A: PartialEq<B> + Debug + ?Sized,
    B: Debug + ?Sized,
{
    if found == wanted {
        return Ok(());
    }
    bail!("{what} should be {wanted:?} and is {found:?}")
}
