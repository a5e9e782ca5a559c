//! The trash on the wire.

use std::collections::BTreeMap;

use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::running::trash::{TrashItem, TrashKind, TrashPart};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Resource;
use crate::identity::actors::ActorView;
use crate::shapes;

/// Something that was deleted, with all that hung on it: it can come back whole until its time is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashItemView {
    /// `trs_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::TrashItem>)]
    pub id: String,
    /// Always `trash_item`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::TrashItem>)]
    pub object: String,
    /// What was deleted.
    pub what: TrashedView,
    /// How many of each kind went along, itself included; what there was none of is not in it.
    pub counts: BTreeMap<String, u64>,
    /// The member who deleted it; null where the service did.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub deleted_by: Option<String>,
    /// Who deleted it, with their name.
    pub actor: ActorView,
    /// When.
    #[schema(schema_with = shapes::moment)]
    pub deleted_at: String,
    /// Until when it can come back.
    #[schema(schema_with = shapes::moment)]
    pub restorable_until: String,
    /// When it was put into the trash: the same as `deleted_at`.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// The same.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// What was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrashedView {
    /// Its kind.
    #[schema(schema_with = shapes::word::<TrashKind>)]
    pub object: String,
    /// The id that it had, and has again when it comes back.
    pub id: String,
    /// What it was called: of a submission the assignment, of a place in a cohort and a membership the person.
    pub name: String,
}

impl TrashItemView {
    /// Of an item.
    pub fn new(item: &TrashItem) -> Self {
        let counts = item.counts.iter();
        let who = item.deleted_by.map(|id| ActedBy::Person(Some(id)));
        Self {
            id: item.id.to_string(),
            object: "trash_item".to_owned(),
            what: TrashedView {
                object: item.kind.to_string(),
                id: item.object_id.clone(),
                name: item.name.clone(),
            },
            counts: counts
                .filter(|(part, _)| **part != TrashPart::Jobs)
                .map(|(part, count)| (part.to_string(), *count))
                .collect(),
            deleted_by: item.deleted_by.map(|id| id.to_string()),
            // Whether it is a person or a program is known with the name.
            actor: ActorView::unnamed(&who.unwrap_or(ActedBy::System)),
            deleted_at: item.created_at.to_string(),
            restorable_until: item.restorable_until.to_string(),
            created_at: item.created_at.to_string(),
            updated_at: item.created_at.to_string(),
        }
    }
}

impl Resource for TrashItemView {
    const COLLECTION: &'static str = "trash";

    fn id(&self) -> &str {
        &self.id
    }
}
