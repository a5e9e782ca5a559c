//! The cohort as SCORM packages: made, downloaded, compared, opened.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use lyceum_client::Client;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormPackageView, ScormVersionWord};
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::checks::same;
use super::progress::{Done, Teller};

const PACKING: Duration = Duration::from_mins(2);
const MANIFEST: &str = "imsmanifest.xml";

/// One kind of package.
#[derive(Clone, Copy)]
pub struct Edition {
    /// The step's name.
    pub title: &'static str,
    /// The file it is saved as.
    pub file: &'static str,
    version: ScormVersionWord,
    word: &'static str,
}

/// Both kinds.
pub const EDITIONS: [Edition; 2] = [
    Edition {
        title: "SCORM 1.2",
        file: "cohort-scorm12.zip",
        version: ScormVersionWord::V12,
        word: "1.2",
    },
    Edition {
        title: "SCORM 2004",
        file: "cohort-scorm2004.zip",
        version: ScormVersionWord::V2004,
        word: "2004",
    },
];

pub async fn make(
    client: &Client,
    teller: &Teller,
    cohort: &str,
    edition: Edition,
    output: &Path,
) -> anyhow::Result<Done<()>> {
    let new = CreateScormPackage {
        cohort_id: cohort.to_owned(),
        version: Some(edition.version),
        runtime_base_url: None,
        ..CreateScormPackage::default()
    };
    let bar = teller.bar("packing", 2);
    let asked = client.scorm().create(&new).await?;
    same("its status at first", asked.status.as_str(), "pending")?;
    let package = client.scorm().wait(&asked.id).within(PACKING).await?;
    if let Some(problem) = &package.error {
        bail!(
            "it could not be made: {} ({})",
            problem.message,
            problem.code
        );
    }
    same("its status", package.status.as_str(), "ready")?;
    same("its version", package.version.as_str(), edition.word)?;
    bar.add(1);
    let file = output.join(edition.file);
    let url = package
        .download_url
        .as_deref()
        .context("it has no download_url")?;
    let size = client.download(url, &file).await.context("its download")?;
    bar.add(1);
    same("its size", &Some(size), &package.size_bytes)?;
    let entries = open(&file, &package)?;
    drop(bar);
    let result = format!(
        "{} KB, {entries} files, sha256 as announced",
        size.div_ceil(1024)
    );
    Ok(Done::new((), package.id, result))
}

/// Compares the hash and reads every entry; returns how many there are.
fn open(path: &Path, package: &ScormPackageView) -> anyhow::Result<usize> {
    let bytes = std::fs::read(path)?;
    let hash: [u8; 32] = Sha256::digest(&bytes).into();
    same("its SHA-256", &Some(hex(&hash)), &package.sha256)?;
    let mut archive = ZipArchive::new(File::open(path)?).context("it is no zip archive")?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let name = entry.name()?.into_owned();
        if index == 0 {
            same("its first entry", name.as_str(), MANIFEST)?;
        }
        let mut content = Vec::new();
        // Read to the end, which is where the checksum is compared.
        entry
            .read_to_end(&mut content)
            .with_context(|| name.clone())?;
        if index == 0 {
            let manifest = String::from_utf8(content).context(MANIFEST)?;
            ensure!(
                manifest.contains("<schemaversion>"),
                "the manifest names no SCORM version"
            );
        }
    }
    Ok(archive.len())
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}
