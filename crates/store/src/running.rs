//! What keeps a service going, whatever it serves.

pub(crate) mod audit;
pub(crate) mod bulk_writes;
pub(crate) mod fair;
pub(crate) mod fsck;
pub(crate) mod idempotency;
pub(crate) mod in_use;
pub mod integrity;
pub(crate) mod jobs;
pub mod metrics;
pub(crate) mod nodes;
pub(crate) mod notices;
pub(crate) mod personal_data;
pub mod rotation;
pub(crate) mod shared_limits;
pub(crate) mod storage_use;
pub(crate) mod trash;
pub(crate) mod unwanted_files;
