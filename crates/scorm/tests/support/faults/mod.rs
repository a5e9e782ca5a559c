//! What is wrong with a package, by name: every rule that importers hold packages to, as a check.
//!
//! `tests/mutations.rs` breaks a package once for every fault, so that no check can be there without biting.

mod archive;
mod content;
mod manifest;

use std::collections::BTreeSet;

use super::raw_zip::RawZip;

macro_rules! faults {
    ($($name:ident: $meaning:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault { $(#[doc = $meaning] $name,)* }

        impl Fault {
            pub const ALL: &[Fault] = &[$(Fault::$name,)*];
        }
    };
}

faults! {
    // The archive.
    ManifestNotFirst: "The manifest is not the first entry at the root.",
    DirectoryEntry: "A folder has an entry of its own.",
    DataDescriptor: "Sizes come after the bytes.",
    Encrypted: "An entry wants a password.",
    ExtraField: "A header has extra fields: zip64, times, owners.",
    ArchiveComment: "The archive has a comment.",
    EntryTime: "An entry's time is not the fixed one.",
    EntryName: "A name is not of plain ASCII path characters, or too long.",
    PathEscape: "A name leads out of the package.",
    ForbiddenExtension: "A server might run it, or a tool has left it behind.",
    NameTwice: "Two names differ in case only, or not at all.",
    NotSorted: "Entries are not in the order of their names.",
    Compression: "A text is not deflated, or compressed media are.",
    NotAFile: "An entry is a symbolic link or a device.",
    Checksum: "The bytes are not what the header says.",
    // The manifest as a document.
    ByteOrderMark: "Something stands before the XML declaration.",
    Doctype: "A document type is declared.",
    NotWellFormed: "It is not XML.",
    Namespaces: "A namespace is not the edition's, or not under its literal prefix.",
    Prefix: "A name has a prefix that no importer looks for.",
    UnmappedNamespace: "A namespace has no schema document.",
    SchemaMissing: "A schema document is not at the root, or wants one that is not.",
    ElementOrder: "Elements do not stand in the order of the schema.",
    XmlBase: "Addresses depend on a base.",
    // What it says.
    SchemaName: "The schema is not ADL SCORM.",
    SchemaVersion: "The edition is not spelt as importers compare it.",
    Organizations: "There is not one organization, or the default one is not it.",
    Items: "There is not one item with a resource that exists.",
    Title: "A title is missing, too long, or has control characters.",
    IdentifierForm: "An identifier is not a name, or too long.",
    IdentifierTwice: "Two things have the same identifier.",
    IdentifierUnstable: "An identifier is not derived from the cohort.",
    Resource: "There is not one resource of web content.",
    ScormType: "The resource is not marked as a SCO in the edition's spelling.",
    LaunchAddress: "The launch address is not a plain file of the package, listed.",
    FileNotListed: "A file is not listed.",
    FileListedTwice: "A file is listed twice.",
    FileAbsent: "A listed file is not there.",
    AddressNotEncoded: "An address has characters that addresses may not have.",
    PassMark: "There is a pass mark without anything graded, or none, or another.",
    StatusByContent: "The LMS is not told that the content sets the status.",
    CompletionThreshold: "The LMS would set completion itself.",
    Prerequisites: "The launch depends on something else.",
    SubManifest: "There is a manifest within the manifest.",
    SequencingCollection: "There are sequencing rules to share.",
    LearningObject: "Metadata are where the edition's schemas do not take them, or missing.",
    // The content.
    InlineScript: "The launch page has a script or style of its own.",
    Policy: "The launch page does not limit itself.",
    RemoteReference: "The launch page loads something from elsewhere.",
    AuthorsMarkup: "A text could do something.",
}

/// Everything that is wrong with a package.
pub fn package_faults(bytes: &[u8]) -> BTreeSet<Fault> {
    let zip = RawZip::read(bytes);
    let mut faults = archive::faults(&zip);
    faults.extend(manifest::faults(&zip));
    faults.extend(content::faults(&zip));
    faults
}
