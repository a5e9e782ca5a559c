//! What jobs do for packages: their archives, made, mended and removed.

pub(crate) mod export;
mod media;
pub(crate) mod mend_archive;
pub(crate) mod remove_archive;
pub(in crate::exporting) mod snapshot;
