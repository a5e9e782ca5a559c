//! Who is at the door: everything that lets a request in, asked for at once.

use std::sync::Arc;

use lyceum_domain::identity::keys::{ApiKey, KeyLookup};
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::identity::workspaces::{PlatformCode, PlatformUuid, Workspace};

use crate::error::StoreError;

/// A platform, as a caller names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlatformName {
    /// By its code.
    Code(PlatformCode),
    /// By its uuid.
    Uuid(PlatformUuid),
}

/// What a request says about who sends it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Introduction {
    /// The public first segment of the key.
    pub lookup: KeyLookup,
    /// The platform, if one was chosen.
    pub platform: Option<PlatformName>,
}

/// What there is to an introduction. Whether the caller may come in is not decided here.
#[derive(Debug, Clone, PartialEq)]
pub struct Caller {
    /// The key with this first segment.
    pub key: ApiKey,
    /// Whose it is.
    pub person: Person,
    /// The platform, if it exists, and what the person is there, if anything.
    pub place: Option<(Arc<Workspace>, Option<Arc<User>>)>,
}

/// Where callers are looked up.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait CallerRepository {
    /// What there is to this introduction, as it is now; `None` if there is no such key.
    fn find(&mut self, introduction: &Introduction) -> Result<Option<Arc<Caller>>, StoreError>;
}
