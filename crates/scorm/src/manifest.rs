//! `imsmanifest.xml`: one organization, one item, one SCO, every file once.
//!
//! Prefixes, letter case and the order of elements are as literal as they look: importers compare strings. Every
//! identifier comes from the cohort, because an LMS keeps a learner's records over a re-upload only then.

use std::io;

use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageError, ScormEdition};
use quick_xml::Writer;
use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::entries::{Entries, schema_version};
use crate::names::LAUNCH;
use crate::{quiz, text};

const NAMESPACES_1_2: [(&str, &str); 5] = [
    ("xmlns", "http://www.imsproject.org/xsd/imscp_rootv1p1p2"),
    ("xmlns:adlcp", "http://www.adlnet.org/xsd/adlcp_rootv1p2"),
    (
        "xmlns:imsmd",
        "http://www.imsglobal.org/xsd/imsmd_rootv1p2p1",
    ),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    (
        "xsi:schemaLocation",
        "http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd \
         http://www.imsglobal.org/xsd/imsmd_rootv1p2p1 imsmd_rootv1p2p1.xsd \
         http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd",
    ),
];

const NAMESPACES_2004: [(&str, &str); 6] = [
    ("xmlns", "http://www.imsglobal.org/xsd/imscp_v1p1"),
    ("xmlns:adlcp", "http://www.adlnet.org/xsd/adlcp_v1p3"),
    ("xmlns:adlseq", "http://www.adlnet.org/xsd/adlseq_v1p3"),
    ("xmlns:imsss", "http://www.imsglobal.org/xsd/imsss"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    (
        "xsi:schemaLocation",
        "http://www.imsglobal.org/xsd/imscp_v1p1 imscp_v1p1.xsd \
         http://www.adlnet.org/xsd/adlcp_v1p3 adlcp_v1p3.xsd \
         http://www.adlnet.org/xsd/adlseq_v1p3 adlseq_v1p3.xsd \
         http://www.imsglobal.org/xsd/imsss imsss_v1p0.xsd",
    ),
];

/// The longest description that metadata may have.
const DESCRIPTION_CHARS: usize = 2_000;

/// The manifest of a package with these entries.
pub fn write(snapshot: &CourseSnapshot, entries: &Entries<'_>) -> Result<Vec<u8>, PackageError> {
    let mut xml = Xml(Writer::new_with_indent(Vec::new(), b' ', 2));
    xml.0
        .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let identifier = format!("course-{}", snapshot.cohort_id);
    let mut root = vec![("identifier", identifier.as_str()), ("version", "1.0")];
    match snapshot.edition {
        ScormEdition::V1_2 => root.extend(NAMESPACES_1_2),
        ScormEdition::V2004 | ScormEdition::V2004Fourth => root.extend(NAMESPACES_2004),
    }
    xml.element("manifest", &root, |xml| {
        metadata(xml, snapshot)?;
        organizations(xml, snapshot)?;
        resources(xml, snapshot, entries)
    })?;
    let mut bytes = xml.0.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

fn metadata(xml: &mut Xml, snapshot: &CourseSnapshot) -> io::Result<()> {
    xml.element("metadata", &[], |xml| {
        xml.text("schema", &[], "ADL SCORM")?;
        xml.text("schemaversion", &[], schema_version(snapshot.edition))?;
        match snapshot.edition {
            ScormEdition::V1_2 => learning_object(xml, snapshot),
            // Inline metadata would need eleven more schema documents for nothing an LMS shows.
            ScormEdition::V2004 | ScormEdition::V2004Fourth => Ok(()),
        }
    })
}

fn learning_object(xml: &mut Xml, snapshot: &CourseSnapshot) -> io::Result<()> {
    let language = snapshot.language.as_str();
    xml.element("imsmd:lom", &[], |xml| {
        xml.element("imsmd:general", &[], |xml| {
            xml.element("imsmd:title", &[], |xml| {
                xml.text(
                    "imsmd:langstring",
                    &[("xml:lang", language)],
                    &course_title(snapshot),
                )
            })?;
            xml.text("imsmd:language", &[], language)?;
            let description = lyceum_markdown::in_words(&snapshot.description, DESCRIPTION_CHARS);
            if description.is_empty() {
                return Ok(());
            }
            xml.element("imsmd:description", &[], |xml| {
                xml.text("imsmd:langstring", &[("xml:lang", language)], &description)
            })
        })
    })
}

fn organizations(xml: &mut Xml, snapshot: &CourseSnapshot) -> io::Result<()> {
    let organization = format!("org-{}", snapshot.cohort_id);
    let item = format!("item-{}", snapshot.cohort_id);
    let resource = format!("res-{}", snapshot.cohort_id);
    let mut attributes = vec![("identifier", organization.as_str())];
    if snapshot.edition != ScormEdition::V1_2 {
        attributes.push(("adlseq:objectivesGlobalToSystem", "false"));
    }
    xml.element("organizations", &[("default", &organization)], |xml| {
        xml.element("organization", &attributes, |xml| {
            xml.text("title", &[], &course_title(snapshot))?;
            xml.element(
                "item",
                &[("identifier", &item), ("identifierref", &resource)],
                |xml| {
                    xml.text("title", &[], &course_title(snapshot))?;
                    item_rules(xml, snapshot)
                },
            )?;
            match snapshot.edition {
                ScormEdition::V1_2 => Ok(()),
                ScormEdition::V2004 | ScormEdition::V2004Fourth => {
                    xml.element("imsss:sequencing", &[], |xml| {
                        xml.empty("imsss:controlMode", &[("choice", "true"), ("flow", "true")])
                    })
                }
            }
        })
    })
}

/// The pass mark and who reports the status. Only a course with something to grade has a pass mark.
fn item_rules(xml: &mut Xml, snapshot: &CourseSnapshot) -> io::Result<()> {
    let mark = quiz::course_pass_mark(snapshot);
    match snapshot.edition {
        ScormEdition::V1_2 => mark.map_or(Ok(()), |percent| {
            xml.text("adlcp:masteryscore", &[], &percent.to_string())
        }),
        ScormEdition::V2004 | ScormEdition::V2004Fourth => {
            xml.element("imsss:sequencing", &[], |xml| {
                if let Some(percent) = mark {
                    xml.element("imsss:objectives", &[], |xml| {
                        pass_objective(xml, snapshot, percent)
                    })?;
                }
                xml.empty(
                    "imsss:deliveryControls",
                    &[
                        ("completionSetByContent", "true"),
                        ("objectiveSetByContent", "true"),
                    ],
                )
            })
        }
    }
}

fn pass_objective(xml: &mut Xml, snapshot: &CourseSnapshot, percent: u64) -> io::Result<()> {
    let objective = format!("obj-{}", snapshot.cohort_id);
    let attributes = [
        ("objectiveID", objective.as_str()),
        ("satisfiedByMeasure", "true"),
    ];
    xml.element("imsss:primaryObjective", &attributes, |xml| {
        xml.text("imsss:minNormalizedMeasure", &[], &normalized(percent))
    })
}

fn resources(xml: &mut Xml, snapshot: &CourseSnapshot, entries: &Entries<'_>) -> io::Result<()> {
    let identifier = format!("res-{}", snapshot.cohort_id);
    let kind = match snapshot.edition {
        ScormEdition::V1_2 => "adlcp:scormtype",
        ScormEdition::V2004 | ScormEdition::V2004Fourth => "adlcp:scormType",
    };
    let attributes = [
        ("identifier", identifier.as_str()),
        ("type", "webcontent"),
        (kind, "sco"),
        ("href", LAUNCH),
    ];
    xml.element("resources", &[], |xml| {
        xml.element("resource", &attributes, |xml| {
            for name in entries.listed() {
                xml.empty("file", &[("href", &text::percent_encode(name))])?;
            }
            Ok(())
        })
    })
}

/// A per cent between 0 and 1 with two decimals, without floating point.
fn normalized(percent: u64) -> String {
    if percent >= 100 {
        "1.0".to_owned()
    } else {
        format!("0.{percent:02}")
    }
}

fn course_title(snapshot: &CourseSnapshot) -> String {
    text::title(&snapshot.course_name, "Course")
}

/// Just enough writing: elements nest by closure, so none can be left open.
struct Xml(Writer<Vec<u8>>);

impl Xml {
    fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        inside: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.0.write_event(Event::Start(start))?;
        inside(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        let tag = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.0.write_event(Event::Empty(tag))
    }

    fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) -> io::Result<()> {
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.0.write_event(Event::Start(start))?;
        // Between tags quotes are signs like others; importers that show entities as they are written show none.
        let text = BytesText::from_escaped(partial_escape(text));
        self.0.write_event(Event::Text(text))?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }
}
