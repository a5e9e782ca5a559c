//! Storage behind the ports, on SQLite or PostgreSQL.
//!
//! One file per aggregate translates between the domain's types and rows, and holds its queries. Everything
//! the two databases do differently is in `columns`, `connection`, `sqlite` and `postgres`, or in a
//! commented `match` on the connection. No rule of the domain belongs here, and nothing that waits for a
//! remote system.

pub mod authoring;
pub mod backup;
mod columns;
mod conditions;
mod connection;
mod constraints;
mod data_folder;
pub mod diagnosis;
mod documents;
pub mod drafting;
mod error;
pub mod exporting;
#[cfg(feature = "failpoints")]
pub mod failpoints;
#[cfg(not(feature = "failpoints"))]
mod failpoints;
pub mod grading;
pub mod identity;
mod in_line;
pub mod learning;
mod lines;
mod memory;
mod migrate;
pub mod notifying;
mod open;
mod postgres;
mod rows;
pub mod running;
mod safeguards;
mod schema;
pub mod schema_version;
mod session;
mod space;
mod sqlite;
mod statistics;
mod steady;
mod sub_select;
mod url;
mod vault;
mod weights;

pub use data_folder::{DataFolderError, DataFolderLock, LOCK_FILE, refuse_network_folder};
pub use in_line::open_in_line;
pub use migrate::MigrateError;
pub use open::{OpenError, StoreSettings, open, open_with};
pub use running::fsck::{
    Check, Findings, FsckError, FsckScope, Look, WantedFile, WantedFiles, files_wanted, fsck,
};
pub use running::notices::Notices;
pub use safeguards::{EXIT_STORAGE, Ending, Safeguards};
pub use space::{RESERVE_FILE, SpaceSettings};
pub use url::{DatabaseUrl, InvalidDatabaseUrl};
pub use vault::MasterKey;
