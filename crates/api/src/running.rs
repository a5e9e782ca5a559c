//! What keeps a service going, whatever it serves.

pub(crate) mod audit;
pub(crate) mod background_work;
pub(crate) mod bulk_writes;
pub mod health;
pub mod metrics;
pub mod personal_data;
pub(crate) mod trash;
