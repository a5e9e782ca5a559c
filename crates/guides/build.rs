//! Packs the texts that `docs/SUMMARY.md` lists into one file, in its order, behind the summary itself. What is listed and not
//! there stops the build: the binary would have a contents that leads nowhere.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

const DOCS: &str = "../../docs";
const SUMMARY: &str = "SUMMARY.md";

fn main() -> io::Result<()> {
    let summary = read(SUMMARY)?;
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    put(&mut packer, SUMMARY, &summary)?;
    for file in listed(&summary) {
        put(&mut packer, file, &read(file)?)?;
    }
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    fs::write(PathBuf::from(folder).join("book"), packer.finish()?)
}

/// Where the links of the summary lead. A chapter without a page is a headline.
fn listed(summary: &str) -> impl Iterator<Item = &str> {
    let behind = summary.split("](").skip(1);
    let targets = behind.filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.is_empty())
}

/// A text of the handbook. Each is named to cargo by itself: pictures beside them are taken anew without another build.
fn read(file: &str) -> io::Result<String> {
    let path = Path::new(DOCS).join(file);
    println!("cargo:rerun-if-changed={}", path.display());
    let named = |error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    fs::read_to_string(&path).map_err(named)
}

/// A name and its text, each with a zero behind it.
fn put(packer: &mut impl io::Write, name: &str, text: &str) -> io::Result<()> {
    if text.contains('\0') {
        return Err(io::Error::other(format!("a zero in {name}")));
    }
    write!(packer, "{name}\0{text}\0")
}
