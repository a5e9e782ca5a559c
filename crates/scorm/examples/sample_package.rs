//! Writes a sample package with every kind of step and question, for a look or for the browser test:
//! `cargo run -p lyceum-scorm --example sample_package -- <1.2|2004|2004-4> <target.zip> [en|ar] [#rrggbb]`.

mod sample;

use std::error::Error;
use std::path::Path;

use lyceum_ports::exporting::scorm::{PackageWriter, ScormEdition};
use lyceum_scorm::ScormWriter;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let edition = match arguments.next().as_deref() {
        Some("1.2") => ScormEdition::V1_2,
        Some("2004") => ScormEdition::V2004,
        Some("2004-4") => ScormEdition::V2004Fourth,
        _ => return Err("first argument: 1.2, 2004 or 2004-4".into()),
    };
    let target = arguments
        .next()
        .ok_or("second argument: where to write the package")?;
    let language = arguments.next().unwrap_or_default();
    let mut snapshot = sample::course(&language, edition, Path::new(SAMPLE))?;
    snapshot.accent_color = arguments.next();
    let written = ScormWriter.write(&snapshot, Path::new(&target))?;
    eprintln!(
        "{target}: {} bytes, content {}",
        written.size_bytes, written.content_hash
    );
    for warning in written.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
