//! The catalogue of what can happen; the same for everybody.

use lyceum_ports::page::Keyset;
use lyceum_wire::notifying::event_types::EventTypeView;

use crate::prelude::*;

/// Shows a page of the catalogue, in its own order.
///
/// # Errors
/// [`Error::Internal`] if a schema cannot be written as JSON.
pub fn list(page: &PageRequest) -> Result<Page<EventTypeView>, Error> {
    let after = page.after.as_ref().map(|after| after.id.as_str());
    let skipped = EventType::ALL
        .iter()
        .position(|kind| Some(kind.as_str()) == after)
        .map_or(0, |index| index + 1);
    let found = EventType::ALL
        .iter()
        .skip(skipped)
        .take(usize::from(page.limit) + 1)
        .map(|kind| EventTypeView::new(*kind))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Error::Internal(error.into()))?;
    Ok(Page::cut(found, page.limit, |view| {
        Keyset::of_id(view.id.clone())
    }))
}
