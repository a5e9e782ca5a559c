//! What keeps a service going, whatever it serves.

pub mod audit;
pub mod personal_data;
pub mod trash;
