//! What nearly every use case is written with: a transaction, whoever calls, what is refused, and what is told of it.

pub(crate) use lyceum_domain::ids::WorkspaceId;
pub(crate) use lyceum_domain::notifying::events::EventType;
pub(crate) use lyceum_domain::running::audit::{AuditAction, AuditSubject, AuditedChange};
pub(crate) use lyceum_domain::{Invalid, Timestamp};
pub(crate) use lyceum_ports::page::{Page, PageRequest};
pub(crate) use lyceum_ports::store::Tx;

pub(crate) use crate::context::Context;
pub(crate) use crate::error::{Conflict, Error, Forbidden};
pub(crate) use crate::lookup::{found, referenced};
