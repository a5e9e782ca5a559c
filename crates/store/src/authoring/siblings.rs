//! Pages of siblings, which are in order of place and not of age.

use lyceum_ports::page::Keyset;
use lyceum_ports::store::StoreError;

/// Where a page of siblings starts.
pub enum Start {
    /// With the first of them.
    Front,
    /// With the first behind this place and id.
    Behind { position: i64, id: String },
    /// Behind something that is not among them: such a page is empty.
    Nowhere,
}

/// Where the page after `after` starts; `place_of` looks up what a caller named by nothing but its id.
pub fn start(
    after: Option<&Keyset>,
    place_of: impl FnOnce(&str) -> Result<Option<i64>, StoreError>,
) -> Result<Start, StoreError> {
    let Some(Keyset { position, id }) = after else {
        return Ok(Start::Front);
    };
    let position = match position {
        Some(position) => Some(i64::from(*position)),
        None => place_of(id)?,
    };
    Ok(position.map_or(Start::Nowhere, |position| Start::Behind {
        position,
        id: id.clone(),
    }))
}
