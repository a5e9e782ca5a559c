//! What is done to a whole database: migrations, backups, room on its disk, and what is checked before it opens.

pub mod backup;
pub(crate) mod data_folder;
pub mod diagnosis;
mod long_rows;
pub(crate) mod migrate;
pub mod pooler_diagnosis;
pub mod replica_diagnosis;
pub(crate) mod safeguards;
pub mod schema_version;
pub(crate) mod space;
