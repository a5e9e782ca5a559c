//! Storage behind the ports, on SQLite or PostgreSQL.
//!
//! One file per aggregate translates between the domain's types and rows, and holds its queries. Everything
//! the two databases do differently is in `database` and `mapping`, or in a commented `match` on the connection. No rule of the domain belongs here, and nothing that waits for a
//! remote system.

pub mod authoring;
pub mod database;
pub mod drafting;
pub mod exporting;
pub mod grading;
pub mod identity;
pub mod learning;
pub mod mapping;
pub mod notifying;
mod open;
mod prelude;
pub mod running;
pub mod upkeep;
mod url;

pub use database::in_line::open_in_line;
pub use mapping::vault::MasterKey;
pub use open::{OpenError, StoreSettings, open, open_with};
pub use running::fsck::{
    Check, Findings, FsckError, FsckScope, Look, WantedFile, WantedFiles, files_wanted, fsck,
};
pub use running::notices::Notices;
pub use upkeep::data_folder::{DataFolderError, DataFolderLock, LOCK_FILE, refuse_network_folder};
pub use upkeep::migrate::MigrateError;
pub use upkeep::safeguards::{EXIT_STORAGE, Ending, Safeguards};
pub use upkeep::space::{RESERVE_FILE, SpaceSettings};
pub use url::{DatabaseUrl, InvalidDatabaseUrl, PostgresUrl};
