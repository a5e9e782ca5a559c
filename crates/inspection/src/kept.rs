//! What is kept of a file.

use std::path::Path;

use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::Inspected;

/// A file that is kept as it came.
pub fn as_it_came(media_type: MediaType, file: &Path) -> Inspected {
    Inspected {
        media_type,
        file: file.to_owned(),
        dimensions: None,
        duration_ms: None,
        smaller: Vec::new(),
        notes: Vec::new(),
    }
}
