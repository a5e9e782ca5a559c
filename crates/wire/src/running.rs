//! What keeps a service going, whatever it serves.

pub mod audit;
pub mod background_work;
pub mod bulk_writes;
pub mod personal_data;
pub mod trash;
