//! What nearly every file of the wings uses to read and write its rows. The machinery behind it, `database` and `mapping`,
//! names what it uses.

pub(crate) use diesel::prelude::*;
pub(crate) use lyceum_domain::Timestamp;
pub(crate) use lyceum_domain::ids::{self, WorkspaceId};
pub(crate) use lyceum_ports::page::{Keyset, Page, PageRequest};
pub(crate) use lyceum_ports::store::{Line, StoreError};

pub(crate) use crate::database::cached_by_text::CachedByText;
pub(crate) use crate::database::connection::{AnyConnection, on_either};
pub(crate) use crate::database::error::{corrupt, store_error};
pub(crate) use crate::database::session::Session;
pub(crate) use crate::mapping::columns::{Json, Moment};
pub(crate) use crate::mapping::rows;
pub(crate) use crate::mapping::sorting::paging;
pub(crate) use crate::mapping::stored::{Stored, kept_as_number, kept_as_text, row};
pub(crate) use crate::mapping::sub_select::sub_select;
pub(crate) use crate::mapping::walk::Walk;
