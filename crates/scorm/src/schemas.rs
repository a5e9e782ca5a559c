//! The schema documents a package carries, so that it can be checked without the network.
//!
//! Each is written by us and describes the profile we emit under the name importers expect: stricter than the
//! published sets, and free of anybody's text. The published sets stay outside this repository.

use lyceum_ports::exporting::scorm::ScormEdition;

/// A file name at the package's root, and the document.
pub type Schema = (&'static str, &'static str);

const V1_2: [Schema; 4] = [
    (
        "adlcp_rootv1p2.xsd",
        include_str!("../schemas/1.2/adlcp_rootv1p2.xsd"),
    ),
    ("ims_xml.xsd", include_str!("../schemas/1.2/ims_xml.xsd")),
    (
        "imscp_rootv1p1p2.xsd",
        include_str!("../schemas/1.2/imscp_rootv1p1p2.xsd"),
    ),
    (
        "imsmd_rootv1p2p1.xsd",
        include_str!("../schemas/1.2/imsmd_rootv1p2p1.xsd"),
    ),
];

const V2004: [Schema; 4] = [
    (
        "adlcp_v1p3.xsd",
        include_str!("../schemas/2004/adlcp_v1p3.xsd"),
    ),
    (
        "adlseq_v1p3.xsd",
        include_str!("../schemas/2004/adlseq_v1p3.xsd"),
    ),
    (
        "imscp_v1p1.xsd",
        include_str!("../schemas/2004/imscp_v1p1.xsd"),
    ),
    (
        "imsss_v1p0.xsd",
        include_str!("../schemas/2004/imsss_v1p0.xsd"),
    ),
];

/// The documents of an edition.
pub fn of(edition: ScormEdition) -> &'static [Schema] {
    match edition {
        ScormEdition::V1_2 => &V1_2,
        ScormEdition::V2004 | ScormEdition::V2004Fourth => &V2004,
    }
}
