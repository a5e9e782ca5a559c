//! What keeps a service going, whatever it serves.

pub mod audit;
pub mod bulk_writes;
pub mod idempotency;
pub mod in_use;
pub mod jobs;
pub mod nodes;
pub mod personal_data;
pub mod shared_limits;
pub mod storage_use;
pub mod telemetry;
pub mod trash;
pub mod unwanted_files;
