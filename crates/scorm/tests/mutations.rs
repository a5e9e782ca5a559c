//! Every check of a package, proven to bite: one deliberate breakage for each fault.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod support;

use lyceum_ports::exporting::scorm::{ScormEdition, SnapshotMedia};
use rstest::rstest;
use support::faults::{Fault, package_faults};
use support::raw_zip::RawZip;
use support::{course, files, write};
use tempfile::TempDir;

const MANIFEST: &str = "imsmanifest.xml";
const COHORT: &str = "coh_one";

/// A package with a picture and a theme.
fn package(edition: ScormEdition) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("picture");
    std::fs::write(&file, files::png(4, 3)).unwrap();
    let mut snapshot = course(edition);
    snapshot.accent_color = Some("#336699".to_owned());
    "![A star](https://x/star.png)".clone_into(&mut snapshot.description);
    snapshot.media = vec![SnapshotMedia {
        address: "https://x/star.png".to_owned(),
        file,
        media_type: "image/png".to_owned(),
        ..SnapshotMedia::default()
    }];
    write(&snapshot).bytes
}

fn replace(from: &'static str, to: &'static str) -> Breakage {
    Box::new(move |zip| zip.replace(MANIFEST, from, to))
}

fn page(from: &'static str, to: &'static str) -> Breakage {
    Box::new(move |zip| zip.replace("index.html", from, to))
}

fn first(change: impl Fn(&mut support::raw_zip::RawEntry) + 'static) -> Breakage {
    Box::new(move |zip| change(&mut zip.entries[0]))
}

fn add(name: &'static [u8]) -> Breakage {
    Box::new(move |zip| zip.add(name, b"text"))
}

type Breakage = Box<dyn Fn(&mut RawZip)>;

/// One way to make a sound 2004 package guilty of each fault of the archive.
fn breakages_of_archive() -> Vec<(Fault, Breakage)> {
    vec![
        (
            Fault::ManifestNotFirst,
            Box::new(|zip| zip.entries.rotate_left(1)),
        ),
        (Fault::DirectoryEntry, add(b"zz/")),
        (Fault::DataDescriptor, first(|entry| entry.flags |= 8)),
        (Fault::Encrypted, first(|entry| entry.flags |= 1)),
        (
            Fault::ExtraField,
            first(|entry| entry.extra = vec![1, 0, 0, 0]),
        ),
        (
            Fault::ArchiveComment,
            Box::new(|zip| zip.comment = b"made by".to_vec()),
        ),
        (Fault::EntryTime, first(|entry| entry.time += 1)),
        (Fault::EntryName, add("é.js".as_bytes())),
        (Fault::PathEscape, add(b"zz/../../x.js")),
        (Fault::ForbiddenExtension, add(b"zz/shell.php")),
        (Fault::NameTwice, add(b"INDEX.HTML")),
        (Fault::NotSorted, Box::new(|zip| zip.entries[1..].reverse())),
        (
            Fault::Compression,
            Box::new(|zip| {
                let media = zip.entries.last_mut().unwrap();
                assert!(media.name.starts_with(b"media/"));
                let content = media.content();
                media.method = 8;
                media.set(&content);
            }),
        ),
        (
            Fault::NotAFile,
            first(|entry| entry.attributes = 0o120_777 << 16),
        ),
        (Fault::Checksum, first(|entry| entry.crc ^= 1)),
    ]
}

/// … of the manifest's form, and of the launch page.
fn breakages_of_document() -> Vec<(Fault, Breakage)> {
    vec![
        (Fault::ByteOrderMark, replace("<?xml", "\u{feff}<?xml")),
        (
            Fault::Doctype,
            replace("<manifest", "<!DOCTYPE manifest>\n<manifest"),
        ),
        (Fault::NotWellFormed, replace("</resources>", "")),
        (
            Fault::Namespaces,
            replace("http://www.adlnet.org/xsd/adlcp_v1p3\"", "http://x/y\""),
        ),
        (
            Fault::Prefix,
            Box::new(|zip| {
                let text = zip.text(MANIFEST).unwrap().replace("adlcp", "ADLCP");
                zip.entry(MANIFEST).set(text.as_bytes());
            }),
        ),
        (Fault::UnmappedNamespace, {
            replace(" http://www.imsglobal.org/xsd/imsss imsss_v1p0.xsd", "")
        }),
        (Fault::SchemaMissing, {
            Box::new(|zip| zip.entries.retain(|entry| entry.name != b"imsss_v1p0.xsd"))
        }),
        (
            Fault::ElementOrder,
            Box::new(|zip| {
                let text = zip.text(MANIFEST).unwrap();
                let (before, after) = text.split_once("<metadata>").unwrap();
                let (metadata, after) = after.split_once("</metadata>").unwrap();
                let end = format!("<metadata>{metadata}</metadata></manifest>");
                let text = format!("{before}{}", after.replace("</manifest>", &end));
                zip.entry(MANIFEST).set(text.as_bytes());
            }),
        ),
        (
            Fault::XmlBase,
            replace("<resource ", "<resource xml:base=\"a/\" "),
        ),
        (
            Fault::InlineScript,
            page("</head>", "<script>x()</script></head>"),
        ),
        (Fault::Policy, page("Content-Security-Policy", "Nothing")),
        (
            Fault::RemoteReference,
            page("src=\"content/", "src=\"https://cdn.example/"),
        ),
        (
            Fault::AuthorsMarkup,
            Box::new(|zip| {
                zip.replace("content/course.js", "src=\\\"media/", "src=\\\"https://x/");
            }),
        ),
    ]
}

/// … of what the manifest says.
fn breakages_of_statement() -> Vec<(Fault, Breakage)> {
    vec![
        (Fault::SchemaName, replace("ADL SCORM", "SCORM")),
        (
            Fault::SchemaVersion,
            replace("2004 3rd Edition", "2004 3rd edition"),
        ),
        (
            Fault::Organizations,
            replace(
                "</organization>",
                "</organization><organization identifier=\"org-two\"><title>Two</title></organization>",
            ),
        ),
        (
            Fault::Items,
            replace("identifierref=\"res-", "identifierref=\"gone-"),
        ),
        (
            Fault::Title,
            Box::new(|zip| {
                let long = format!("<title>{}", "x".repeat(201));
                zip.replace(MANIFEST, "<title>", &long);
            }),
        ),
        (
            Fault::IdentifierForm,
            replace("\"item-coh_one\"", "\"1 item\""),
        ),
        (
            Fault::IdentifierTwice,
            replace("\"item-coh_one\"", "\"org-coh_one\""),
        ),
        (
            Fault::IdentifierUnstable,
            replace("\"item-coh_one\"", "\"item-8f14e45f\""),
        ),
        (
            Fault::Resource,
            replace("type=\"webcontent\"", "type=\"text/html\""),
        ),
        (
            Fault::ScormType,
            replace("adlcp:scormType", "adlcp:scormtype"),
        ),
        (
            Fault::LaunchAddress,
            replace("href=\"index.html\"", "href=\"index.html?start=1\""),
        ),
        (
            Fault::FileNotListed,
            replace("<file href=\"index.html\"/>", ""),
        ),
        (
            Fault::FileListedTwice,
            replace(
                "<file href=\"index.html\"/>",
                "<file href=\"index.html\"/><file href=\"index.html\"/>",
            ),
        ),
        (
            Fault::FileAbsent,
            replace("</resource>", "<file href=\"content/gone.js\"/></resource>"),
        ),
        (Fault::AddressNotEncoded, {
            replace("</resource>", "<file href=\"content/a b.js\"/></resource>")
        }),
        (
            Fault::PassMark,
            replace(
                "<imsss:minNormalizedMeasure>0.80",
                "<imsss:minNormalizedMeasure>0.5",
            ),
        ),
        (
            Fault::StatusByContent,
            replace(
                "completionSetByContent=\"true\"",
                "completionSetByContent=\"false\"",
            ),
        ),
        (
            Fault::CompletionThreshold,
            replace(
                "</item>",
                "<adlcp:completionThreshold>0.9</adlcp:completionThreshold></item>",
            ),
        ),
        (
            Fault::Prerequisites,
            replace(
                "</item>",
                "<adlcp:prerequisites>x</adlcp:prerequisites></item>",
            ),
        ),
        (
            Fault::SubManifest,
            replace("</manifest>", "<manifest/></manifest>"),
        ),
        (Fault::SequencingCollection, {
            replace("</manifest>", "<imsss:sequencingCollection/></manifest>")
        }),
        (
            Fault::LearningObject,
            replace("</metadata>", "<imsmd:lom/></metadata>"),
        ),
    ]
}

#[rstest]
#[case::v1_2(ScormEdition::V1_2)]
#[case::v2004(ScormEdition::V2004)]
#[case::v2004_fourth(ScormEdition::V2004Fourth)]
fn a_package_of_ours_has_no_fault(#[case] edition: ScormEdition) {
    let bytes = package(edition);
    assert!(
        package_faults(&bytes).is_empty(),
        "{:?}",
        package_faults(&bytes)
    );
    // Reading and writing without a breakage changes nothing that counts.
    let copy = RawZip::read(&bytes).write();
    assert!(
        package_faults(&copy).is_empty(),
        "{:?}",
        package_faults(&copy)
    );
}

#[test]
fn every_check_bites() {
    let sound = RawZip::read(&package(ScormEdition::V2004));
    assert!(sound.text(MANIFEST).unwrap().contains(COHORT));
    let mut breakages = breakages_of_archive();
    breakages.extend(breakages_of_document());
    breakages.extend(breakages_of_statement());
    let mut provoked: Vec<Fault> = breakages.iter().map(|(fault, _)| *fault).collect();
    provoked.sort_unstable();
    assert_eq!(provoked, Fault::ALL, "each fault is provoked once");
    for (fault, breakage) in breakages {
        let mut broken = sound.clone();
        breakage(&mut broken);
        let found = package_faults(&broken.write());
        assert!(
            found.contains(&fault),
            "{fault:?} was not seen, only {found:?}"
        );
    }
}

/// What is spelt in another way in 1.2.
#[rstest]
#[case("adlcp:scormtype", "adlcp:scormType", Fault::ScormType)]
#[case("<adlcp:masteryscore>80</adlcp:masteryscore>", "", Fault::PassMark)]
#[case("<schemaversion>1.2<", "<schemaversion>1.2.1<", Fault::SchemaVersion)]
#[case(
    "</item>",
    "<adlcp:prerequisites>x</adlcp:prerequisites></item>",
    Fault::Prerequisites
)]
fn the_checks_of_1_2_bite(#[case] from: &str, #[case] to: &str, #[case] fault: Fault) {
    let mut broken = RawZip::read(&package(ScormEdition::V1_2));
    broken.replace(MANIFEST, from, to);
    let found = package_faults(&broken.write());
    assert!(found.contains(&fault), "{found:?}");
}
