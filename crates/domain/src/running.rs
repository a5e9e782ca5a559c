//! What keeps a service going, whatever it serves.

pub mod audit;
pub mod bulk_writes;
pub mod in_use;
pub mod jobs;
pub mod personal_data;
pub mod trash;
