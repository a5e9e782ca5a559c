//! The catalogue of event types over HTTP.

use lyceum_application::PageRequest;
use lyceum_application::notifying::event_types;
use lyceum_domain::notifying::events::EventType;
use lyceum_wire::notifying::event_types::EventTypeView;

use crate::document::schemas::Components;
use crate::http::cursor;
use crate::http::input::{Input, InputDoc, PAGE_PARAMETERS, Raw, Read};
use crate::prelude::*;

pub async fn list(call: Call<Catalogue>) -> Outcome<Listed<EventTypeView>> {
    call.read(|_, _, _, page| event_types::list(&page)).await
}

/// A page of the catalogue, whose ids are the names of the types.
pub struct Catalogue;

impl Input for Catalogue {
    type Of = PageRequest;
    const IS_PAGED: bool = true;

    fn read(mut raw: Raw<'_>) -> Read<PageRequest> {
        let is_type = |text: &str| EventType::parse(text).is_ok();
        let page = cursor::page_of(&mut raw.query, raw.list, is_type)?;
        raw.query.finish()?;
        Ok((page, Vec::new()))
    }

    fn describe(_: &mut Components) -> InputDoc {
        InputDoc {
            parameters: PAGE_PARAMETERS.to_vec(),
            ..InputDoc::default()
        }
    }
}
