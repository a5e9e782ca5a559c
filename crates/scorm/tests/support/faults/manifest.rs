//! Rules for the manifest: its form, and what it says.

use std::collections::{BTreeMap, BTreeSet};

use super::super::raw_zip::RawZip;
use super::super::xml::Node;
use super::Fault;

const TITLE_CHARS: usize = 200;
const IDENTIFIER_CHARS: usize = 100;
/// Every element we write, in the order in which it may stand among its siblings.
const ORDER: [&str; 22] = [
    "metadata",
    "organizations",
    "resources",
    "schema",
    "schemaversion",
    "imsmd:lom",
    "imsmd:general",
    "imsmd:title",
    "imsmd:langstring",
    "imsmd:language",
    "organization",
    "title",
    "item",
    "adlcp:masteryscore",
    "imsss:sequencing",
    "imsss:controlMode",
    "imsss:objectives",
    "imsss:primaryObjective",
    "imsss:minNormalizedMeasure",
    "imsss:deliveryControls",
    "resource",
    "file",
];

/// A manifest on the table.
struct Manifest<'a> {
    zip: &'a RawZip,
    root: Node,
    nodes: Vec<Node>,
    old: bool,
}

pub fn faults(zip: &RawZip) -> BTreeSet<Fault> {
    let Some(text) = zip.text("imsmanifest.xml") else {
        return BTreeSet::from([Fault::NotWellFormed]);
    };
    let mut found = BTreeSet::new();
    if !text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") {
        found.insert(Fault::ByteOrderMark);
    }
    if text.contains("<!DOCTYPE") {
        found.insert(Fault::Doctype);
    }
    let Some(root) = Node::parse(text.trim_start_matches('\u{feff}')) else {
        found.insert(Fault::NotWellFormed);
        return found;
    };
    let nodes = root.walk().into_iter().cloned().collect();
    let old = root.attribute("xmlns") == Some("http://www.imsproject.org/xsd/imscp_rootv1p1p2");
    let manifest = Manifest {
        zip,
        root,
        nodes,
        old,
    };
    for rules in [
        Manifest::form,
        Manifest::namespaces,
        Manifest::organization,
        Manifest::identifiers,
        Manifest::resource,
        Manifest::files,
        Manifest::absent,
    ] {
        let rules: Vec<(bool, Fault)> = rules(&manifest);
        found.extend(
            rules
                .into_iter()
                .filter_map(|(wrong, fault)| wrong.then_some(fault)),
        );
    }
    found
}

impl Manifest<'_> {
    fn text(&self, path: &[&str]) -> &str {
        self.root.at(path).map_or("", |node| &node.text)
    }

    fn item(&self) -> Node {
        let item = self.root.at(&["organizations", "organization", "item"]);
        item.cloned().unwrap_or_default()
    }

    fn the_resource(&self) -> Node {
        self.root
            .at(&["resources", "resource"])
            .cloned()
            .unwrap_or_default()
    }

    fn form(&self) -> Vec<(bool, Fault)> {
        let rank = |node: &Node| ORDER.iter().position(|name| *name == node.name);
        let in_order = self.nodes.iter().all(|node| {
            let ranks: Vec<_> = node.children.iter().filter_map(rank).collect();
            ranks.is_sorted()
        });
        let versions: &[&str] = if self.old {
            &["1.2"]
        } else {
            &["2004 3rd Edition", "2004 4th Edition"]
        };
        let described = self.root.at(&["metadata", "imsmd:lom"]).is_some();
        vec![
            (!in_order, Fault::ElementOrder),
            (
                self.text(&["metadata", "schema"]) != "ADL SCORM",
                Fault::SchemaName,
            ),
            (
                !versions.contains(&self.text(&["metadata", "schemaversion"])),
                Fault::SchemaVersion,
            ),
            (described != self.old, Fault::LearningObject),
        ]
    }

    fn namespaces(&self) -> Vec<(bool, Fault)> {
        let wanted: &[(&str, &str)] = if self.old {
            &[
                ("xmlns", "http://www.imsproject.org/xsd/imscp_rootv1p1p2"),
                ("xmlns:adlcp", "http://www.adlnet.org/xsd/adlcp_rootv1p2"),
                (
                    "xmlns:imsmd",
                    "http://www.imsglobal.org/xsd/imsmd_rootv1p2p1",
                ),
                ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ]
        } else {
            &[
                ("xmlns", "http://www.imsglobal.org/xsd/imscp_v1p1"),
                ("xmlns:adlcp", "http://www.adlnet.org/xsd/adlcp_v1p3"),
                ("xmlns:adlseq", "http://www.adlnet.org/xsd/adlseq_v1p3"),
                ("xmlns:imsss", "http://www.imsglobal.org/xsd/imsss"),
                ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ]
        };
        let declared: Vec<(&str, &str)> = self
            .root
            .attributes
            .iter()
            .filter(|(name, _)| name.starts_with("xmlns"))
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let names = self.nodes.iter().flat_map(|node| {
            let attributes = node.attributes.iter().map(|(name, _)| name.as_str());
            attributes.chain([node.name.as_str()])
        });
        let known = |name: &str| match name.split_once(':') {
            None | Some(("xmlns" | "xml", _)) => true,
            Some((prefix, _)) => wanted.contains(&(
                &format!("xmlns:{prefix}"),
                self.root
                    .attribute(&format!("xmlns:{prefix}"))
                    .unwrap_or_default(),
            )),
        };
        let location = self
            .root
            .attribute("xsi:schemaLocation")
            .unwrap_or_default();
        let words: Vec<&str> = location.split_whitespace().collect();
        let mapped: BTreeMap<&str, &str> = words
            .chunks(2)
            .map(|pair| (pair[0], *pair.last().unwrap()))
            .collect();
        let unmapped = declared
            .iter()
            .any(|(name, namespace)| *name != "xmlns:xsi" && !mapped.contains_key(namespace));
        vec![
            (declared != wanted, Fault::Namespaces),
            (!names.into_iter().all(known), Fault::Prefix),
            (unmapped, Fault::UnmappedNamespace),
            (
                mapped
                    .into_iter()
                    .any(|(namespace, file)| !self.describes(file, Some(namespace))),
                Fault::SchemaMissing,
            ),
        ]
    }

    /// Whether a schema document is at the root, with everything it wants.
    fn describes(&self, file: &str, namespace: Option<&str>) -> bool {
        let Some(schema) = self.zip.text(file).filter(|_| !file.contains('/')) else {
            return false;
        };
        let target = namespace
            .is_none_or(|namespace| schema.contains(&format!("targetNamespace=\"{namespace}\"")));
        let imports = schema.split("schemaLocation=\"").skip(1);
        target
            && imports
                .into_iter()
                .all(|rest| self.describes(rest.split('"').next().unwrap(), None))
    }

    fn organization(&self) -> Vec<(bool, Fault)> {
        let organizations = self
            .root
            .child("organizations")
            .cloned()
            .unwrap_or_default();
        let all: Vec<_> = organizations.all("organization").collect();
        let default = organizations.attribute("default");
        let item = self.item();
        let reference = item.attribute("identifierref");
        let titles = self
            .nodes
            .iter()
            .filter(|node| node.name == "title" || node.name == "imsmd:langstring");
        let good = |title: &Node| {
            !title.text.trim().is_empty()
                && title.text.chars().count() <= TITLE_CHARS
                && !title.text.chars().any(char::is_control)
        };
        let named = |node: &Node| node.child("title").is_some();
        let items = self.nodes.iter().filter(|node| node.name == "item").count();
        vec![
            (
                all.len() != 1 || default.is_none() || default != all[0].attribute("identifier"),
                Fault::Organizations,
            ),
            (
                items != 1
                    || reference.is_none()
                    || reference != self.the_resource().attribute("identifier"),
                Fault::Items,
            ),
            (
                !titles.into_iter().all(good)
                    || !named(&item)
                    || !all.first().is_some_and(|organization| named(organization)),
                Fault::Title,
            ),
            (self.wrong_pass_mark(&item), Fault::PassMark),
            (
                !self.old
                    && item
                        .at(&["imsss:sequencing", "imsss:deliveryControls"])
                        .is_none_or(|controls| {
                            controls.attribute("completionSetByContent") != Some("true")
                                || controls.attribute("objectiveSetByContent") != Some("true")
                        }),
                Fault::StatusByContent,
            ),
        ]
    }

    /// The outline says what the player thinks the pass mark is.
    fn wrong_pass_mark(&self, item: &Node) -> bool {
        let outline = self.zip.text("content/course.js").unwrap_or_default();
        let stated = outline.split("\"passMark\":").nth(1).unwrap_or_default();
        let stated = stated.split(',').next().unwrap().parse::<f64>().ok();
        let path = [
            "imsss:sequencing",
            "imsss:objectives",
            "imsss:primaryObjective",
        ];
        let objective = item.at(&path);
        let told = if self.old {
            item.child("adlcp:masteryscore")
                .and_then(|mark| mark.text.parse().ok())
        } else {
            objective
                .filter(|objective| objective.attribute("satisfiedByMeasure") == Some("true"))
                .and_then(|objective| objective.child("imsss:minNormalizedMeasure"))
                .and_then(|mark| mark.text.parse::<f64>().ok())
                .map(|share| (share * 100.0).round())
        };
        stated != told
    }

    fn identifiers(&self) -> Vec<(bool, Fault)> {
        let all: Vec<&str> = self
            .nodes
            .iter()
            .filter_map(|node| node.attribute("identifier"))
            .collect();
        let name = |id: &&str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && id.chars().all(plain)
                && id.len() <= IDENTIFIER_CHARS
        };
        let unique: BTreeSet<_> = all.iter().collect();
        let outline = self.zip.text("content/course.js").unwrap_or_default();
        let cohort = outline.split("\"id\":\"").nth(1).unwrap_or_default();
        let cohort = cohort.split('"').next().unwrap();
        let expected = ["course", "org", "item", "res"].map(|kind| format!("{kind}-{cohort}"));
        vec![
            (!all.iter().all(name), Fault::IdentifierForm),
            (unique.len() != all.len(), Fault::IdentifierTwice),
            (all != expected, Fault::IdentifierUnstable),
        ]
    }

    fn resource(&self) -> Vec<(bool, Fault)> {
        let resource = self.the_resource();
        let spelling = if self.old {
            "adlcp:scormtype"
        } else {
            "adlcp:scormType"
        };
        let count = self
            .nodes
            .iter()
            .filter(|node| node.name == "resource")
            .count();
        let launch = resource.attribute("href").unwrap_or_default();
        let listed = resource
            .all("file")
            .any(|file| file.attribute("href") == Some(launch));
        vec![
            (
                count != 1 || resource.attribute("type") != Some("webcontent"),
                Fault::Resource,
            ),
            (
                resource.attribute(spelling) != Some("sco"),
                Fault::ScormType,
            ),
            (
                !listed || launch.contains(['?', '#']) || self.zip.text(launch).is_none(),
                Fault::LaunchAddress,
            ),
        ]
    }

    fn files(&self) -> Vec<(bool, Fault)> {
        let resource = self.the_resource();
        let listed: Vec<&str> = resource
            .all("file")
            .filter_map(|file| file.attribute("href"))
            .collect();
        let unique: BTreeSet<_> = listed.iter().copied().collect();
        let names: Vec<String> = self
            .zip
            .entries
            .iter()
            .map(|entry| String::from_utf8_lossy(&entry.name).into_owned())
            .filter(|name| name != "imsmanifest.xml" && name.rsplit('.').next() != Some("xsd"))
            .collect();
        let present: BTreeSet<_> = names.iter().map(String::as_str).collect();
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~%".contains(c);
        vec![
            (unique.len() != listed.len(), Fault::FileListedTwice),
            (!present.is_subset(&unique), Fault::FileNotListed),
            (!unique.is_subset(&present), Fault::FileAbsent),
            (
                !listed.iter().all(|href| href.chars().all(plain)),
                Fault::AddressNotEncoded,
            ),
        ]
    }

    /// What importers trip over or take for something else.
    fn absent(&self) -> Vec<(bool, Fault)> {
        let local = |name: &str| name.rsplit(':').next().unwrap().to_ascii_lowercase();
        let element = |wanted: &str| self.nodes.iter().any(|node| local(&node.name) == wanted);
        let attribute = |wanted: &str| {
            let mut all = self.nodes.iter().flat_map(|node| &node.attributes);
            all.any(|(name, _)| name == wanted)
        };
        let within = |root: &Node| {
            root.children
                .iter()
                .flat_map(Node::walk)
                .any(|node| node.name == "manifest")
        };
        vec![
            (attribute("xml:base"), Fault::XmlBase),
            (element("completionthreshold"), Fault::CompletionThreshold),
            (element("prerequisites"), Fault::Prerequisites),
            (within(&self.root), Fault::SubManifest),
            (element("sequencingcollection"), Fault::SequencingCollection),
        ]
    }
}
