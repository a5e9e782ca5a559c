//! The event log over HTTP.

use lyceum_application::notifying::events::{self, EventLogFilter};
use lyceum_domain::ids::Event;
use lyceum_domain::notifying::events::EventType;
use lyceum_wire::notifying::events::EventView;

use crate::prelude::*;

pub async fn list(call: Call<Listing<Event, EventLogFilter>>) -> Outcome<Listed<EventView>> {
    call.read(|tx, ctx, _, (filter, page)| events::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<EventView>> {
    call.read(|tx, ctx, path, ()| events::retrieve(tx, ctx, path.id()?))
        .await
}

impl FromQuery for EventLogFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("type", "Of this type."),
        Parameter::new("object_id", "About the thing with this id."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            kind: query.parsed("type", EventType::parse)?,
            object_id: query.text("object_id")?,
        })
    }
}
