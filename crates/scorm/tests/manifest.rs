//! The manifest of both editions: order, escaping, pass marks, and that it fits the schemas beside it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod support;

use std::collections::BTreeSet;

use lyceum_ports::exporting::scorm::ScormEdition;
use quick_xml::Reader;
use quick_xml::events::Event;
use rstest::rstest;
use support::faults::package_faults;
use support::{Package, activity, course, lesson, write};

const EDITIONS: [ScormEdition; 3] = [
    ScormEdition::V1_2,
    ScormEdition::V2004,
    ScormEdition::V2004Fourth,
];

/// Element names in document order, indented by depth.
fn outline(xml: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let (mut names, mut depth) = (Vec::new(), 0);
    loop {
        let name = |b: &quick_xml::events::BytesStart<'_>| b.name().as_ref().to_owned();
        match reader.read_event().unwrap() {
            Event::Start(b) => {
                names.push(format!("{}{}", " ".repeat(depth), name(&b)));
                depth += 1;
            }
            Event::Empty(b) => names.push(format!("{}{}", " ".repeat(depth), name(&b))),
            Event::End(_) => depth -= 1,
            Event::Eof => return names.into_iter().filter(|n| n.trim() != "file").collect(),
            Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => {}
        }
    }
}

fn attribute_values<'a>(xml: &'a str, before: &str) -> Vec<&'a str> {
    xml.split(before)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

fn title(package: &Package) -> String {
    let inside = package
        .manifest()
        .split("<title>")
        .nth(1)
        .unwrap()
        .split("</title>")
        .next()
        .unwrap();
    inside.to_owned()
}

#[test]
fn the_elements_of_1_2_stand_in_order() {
    assert_eq!(
        outline(write(&course(ScormEdition::V1_2)).manifest()),
        [
            "manifest",
            " metadata",
            "  schema",
            "  schemaversion",
            "  imsmd:lom",
            "   imsmd:general",
            "    imsmd:title",
            "     imsmd:langstring",
            "    imsmd:language",
            "    imsmd:description",
            "     imsmd:langstring",
            " organizations",
            "  organization",
            "   title",
            "   item",
            "    title",
            "    adlcp:masteryscore",
            " resources",
            "  resource",
        ]
    );
}

#[test]
fn the_elements_of_2004_stand_in_order() {
    assert_eq!(
        outline(write(&course(ScormEdition::V2004)).manifest()),
        [
            "manifest",
            " metadata",
            "  schema",
            "  schemaversion",
            " organizations",
            "  organization",
            "   title",
            "   item",
            "    title",
            "    imsss:sequencing",
            "     imsss:objectives",
            "      imsss:primaryObjective",
            "       imsss:minNormalizedMeasure",
            "     imsss:deliveryControls",
            "   imsss:sequencing",
            "    imsss:controlMode",
            " resources",
            "  resource",
        ]
    );
}

#[test]
fn the_literal_parts_are_literal() {
    let old = write(&course(ScormEdition::V1_2));
    assert!(
        old.manifest()
            .contains("<schemaversion>1.2</schemaversion>")
    );
    assert!(old.manifest().contains("adlcp:scormtype=\"sco\""));
    let new = write(&course(ScormEdition::V2004));
    assert!(
        new.manifest()
            .contains("<schemaversion>2004 3rd Edition</schemaversion>")
    );
    assert!(new.manifest().contains("adlcp:scormType=\"sco\""));
    let fourth = write(&course(ScormEdition::V2004Fourth));
    assert_eq!(
        fourth.manifest(),
        new.manifest().replace("3rd Edition", "4th Edition")
    );
    for package in [old, new, fourth] {
        assert!(
            package
                .manifest()
                .contains("organizations default=\"org-coh_one\"")
        );
        assert!(
            package
                .manifest()
                .contains("item identifier=\"item-coh_one\" identifierref=\"res-coh_one\"")
        );
        assert!(!package.manifest().contains("completionThreshold"));
        assert!(!package.manifest().contains("xml:base"));
    }
}

#[test]
fn every_file_is_listed_once_and_present() {
    for edition in EDITIONS {
        let package = write(&course(edition));
        let listed = attribute_values(package.manifest(), "<file href=\"");
        let unique: BTreeSet<_> = listed.iter().map(ToString::to_string).collect();
        assert_eq!(unique.len(), listed.len());
        let extension = |name: &str| {
            std::path::Path::new(name)
                .extension()
                .map(ToOwned::to_owned)
        };
        let content: BTreeSet<_> = package
            .names
            .iter()
            .filter(|n| *n != "imsmanifest.xml" && extension(n).is_none_or(|e| e != "xsd"))
            .cloned()
            .collect();
        assert_eq!(unique, content);
    }
}

#[test]
fn every_namespace_is_mapped_to_a_schema_at_the_root() {
    for edition in EDITIONS {
        let package = write(&course(edition));
        let manifest = package.manifest();
        let location = attribute_values(manifest, "xsi:schemaLocation=\"")[0];
        let pairs: Vec<_> = location.split(' ').collect();
        let mapped: BTreeSet<_> = pairs.chunks(2).map(|pair| pair[0]).collect();
        let declared: BTreeSet<_> = manifest
            .split("xmlns")
            .skip(1)
            .filter_map(|rest| rest.split('"').nth(1))
            .filter(|uri| !uri.ends_with("XMLSchema-instance"))
            .collect();
        assert_eq!(mapped, declared);
        for pair in pairs.chunks(2) {
            assert!(package.files[pair[1]].contains(&format!("targetNamespace=\"{}\"", pair[0])));
        }
        for (name, schema) in package
            .files
            .iter()
            .filter(|(_, text)| text.contains("<xs:schema"))
        {
            for imported in attribute_values(schema, "schemaLocation=\"") {
                assert!(
                    package.files.contains_key(imported),
                    "{name} wants {imported}"
                );
            }
        }
    }
}

/// Our schemas are the profile we emit: whatever the manifest says must be declared in one of them.
#[test]
fn the_carried_schemas_declare_what_the_manifest_uses() {
    for edition in EDITIONS {
        let package = write(&course(edition));
        let schemas: String = package
            .files
            .values()
            .filter(|text| text.contains("<xs:schema"))
            .map(String::as_str)
            .collect();
        for element in outline(package.manifest()) {
            let local = element.trim().rsplit(':').next().unwrap().to_owned();
            assert!(
                schemas.contains(&format!("element name=\"{local}\"")),
                "{local}"
            );
        }
    }
}

#[test]
fn the_pass_mark_is_the_average_of_graded_quizzes() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons[0].activities = vec![activity("act_one", "quiz", support::quiz(61))];
    assert!(
        write(&snapshot)
            .manifest()
            .contains("<imsss:minNormalizedMeasure>0.71<")
    );
    snapshot.edition = ScormEdition::V1_2;
    assert!(
        write(&snapshot)
            .manifest()
            .contains("<adlcp:masteryscore>71<")
    );
}

#[test]
fn without_graded_activities_there_is_no_pass_mark() {
    for edition in EDITIONS {
        let mut snapshot = course(edition);
        for lesson in &mut snapshot.units[0].lessons {
            lesson.activities.clear();
        }
        let package = write(&snapshot);
        assert!(!package.manifest().contains("masteryscore"));
        assert!(!package.manifest().contains("Objective"));
        assert!(package.files["content/course.js"].contains("\"passMark\":null"));
    }
}

#[test]
fn hostile_titles_stay_titles() {
    let long = "a".repeat(4096);
    let cases = [
        ("../../x", "../../x"),
        ("]]><x>&\"'", "]]&gt;&lt;x&gt;&amp;\"'"),
        ("a\u{0}\u{8}\u{1b}b\r\n\tc", "a b c"),
        (long.as_str(), &"a".repeat(200)),
        ("\u{202e}\u{7}", "Course"),
        ("Žluťoučký 🐎 العربية", "Žluťoučký 🐎 العربية"),
        // Marks that only order text stay, as right-to-left titles need them.
        ("\u{200f}مرحبا\u{200e}", "\u{200f}مرحبا\u{200e}"),
    ];
    for edition in [ScormEdition::V1_2, ScormEdition::V2004] {
        for (raw, shown) in &cases {
            let mut snapshot = course(edition);
            snapshot.course_name = (*raw).to_owned();
            snapshot.units[0].name = (*raw).to_owned();
            snapshot.units[0].lessons[0].name = (*raw).to_owned();
            let package = write(&snapshot);
            assert_eq!(title(&package), *shown);
            assert_eq!(package_faults(&package.bytes), BTreeSet::new());
        }
    }
}

#[test]
fn a_name_is_written_once_and_the_same_everywhere() {
    let name = " Bob's \"R&D\":  4\u{a0}°C &amp; <b> \u{200f}مرحبا 👩\u{200d}🍳 ";
    let shown = "Bob's \"R&D\": 4\u{a0}°C &amp; <b> \u{200f}مرحبا 👩\u{200d}🍳";
    let escaped = "Bob's \"R&amp;D\": 4\u{a0}°C &amp;amp; &lt;b&gt; \u{200f}مرحبا 👩\u{200d}🍳";
    for edition in EDITIONS {
        let mut snapshot = course(edition);
        name.clone_into(&mut snapshot.course_name);
        name.clone_into(&mut snapshot.units[0].name);
        name.clone_into(&mut snapshot.units[0].lessons[0].name);
        name.clone_into(&mut snapshot.units[0].lessons[0].activities[0].name);
        name.clone_into(&mut snapshot.assignments[0].name);
        let package = write(&snapshot);
        assert_eq!(title(&package), escaped);
        let page = &package.files["index.html"];
        assert!(
            page.contains(&format!("<title>{escaped}</title>")),
            "{page}"
        );
        assert!(page.contains(&format!("<h1>{escaped}</h1>")), "{page}");
        let outline = support::document_of(&package.files["content/course.js"]);
        assert_eq!(outline["title"], shown);
        assert_eq!(outline["units"][0]["title"], shown);
        let steps = outline["units"][0]["steps"].as_array().unwrap();
        let named = steps.iter().filter(|step| step["title"] == shown).count();
        assert_eq!(named, 3, "{steps:?}");
        assert_eq!(package_faults(&package.bytes), BTreeSet::new());
    }
}

#[test]
fn a_description_in_the_metadata_loses_no_space_between_its_parts() {
    let mut snapshot = course(ScormEdition::V1_2);
    "# Stars\n\n**Bold** *and*\nbright<br>suns & <b>\"moons\"</b> <i>too</i>: ![a map](https://x/a.png), `2 < 3`.\n\n| a | b |\n|---|---|\n| c | d |\n\n\
     <p>In <em>HTML</em></p><p>as well</p>\n\nHalf\\\nlines[^1].\n\n[^1]: A note."
        .clone_into(&mut snapshot.description);
    let manifest = write(&snapshot).manifest().to_owned();
    let (_, description) = manifest.split_once("<imsmd:description>").unwrap();
    let (_, description) = description.split_once("\">").unwrap();
    let (description, _) = description.split_once("</").unwrap();
    assert_eq!(
        description,
        "Stars Bold and bright suns &amp; \"moons\" too: a map, 2 &lt; 3. a b c d In HTML as well Half lines. A note."
    );
}

#[test]
fn identifiers_come_from_the_cohort_alone() {
    let mut first = course(ScormEdition::V2004);
    first.service = None;
    first.course_name = "Another name".to_owned();
    let manifest = |snapshot| {
        let package = write(snapshot);
        attribute_values(package.manifest(), "identifier=\"")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(manifest(&first), manifest(&course(ScormEdition::V2004)));
}

/// The whole manifest as it was agreed on; what changes here, every LMS sees.
#[rstest]
#[case::v1_2("1.2", ScormEdition::V1_2)]
#[case::v2004_3("2004-3", ScormEdition::V2004)]
#[case::v2004_4("2004-4", ScormEdition::V2004Fourth)]
fn the_manifest_is_the_agreed_one(#[case] name: &str, #[case] edition: ScormEdition) {
    let package = write(&course(edition));
    assert_eq!(package_faults(&package.bytes), BTreeSet::new());
    let player = package
        .names
        .iter()
        .filter(|n| n.starts_with("assets/player."));
    let manifest = player.fold(package.manifest().to_owned(), |text, name| {
        let hash = name.split('.').nth(1).unwrap();
        text.replace(hash, "<hash>")
    });
    insta::assert_snapshot!(name, in_order(&manifest));
}

/// The files by their names without the player's hash, which decides which of its two comes first.
fn in_order(manifest: &str) -> String {
    let is_file = |line: &&str| line.trim_start().starts_with("<file ");
    let mut files: Vec<&str> = manifest.lines().filter(is_file).collect();
    files.sort_unstable();
    let mut files = files.into_iter();
    let lines = manifest.lines().map(|line| {
        if is_file(&line) {
            files.next().unwrap()
        } else {
            line
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_unit_without_lessons_is_no_fault() {
    for edition in EDITIONS {
        let mut snapshot = course(edition);
        let mut empty = snapshot.units[0].clone();
        empty.id = "unt_empty".to_owned();
        empty.lessons.clear();
        snapshot.units.insert(0, empty);
        let package = write(&snapshot);
        assert_eq!(package_faults(&package.bytes), BTreeSet::new());
        assert!(!package.files["content/course.js"].contains("unt_empty"));
    }
}

#[test]
fn three_hundred_lessons_are_no_fault() {
    let mut snapshot = course(ScormEdition::V1_2);
    snapshot.units[0].lessons = (0..300).map(|n| lesson(&format!("les_{n:03}"))).collect();
    let package = write(&snapshot);
    assert_eq!(package_faults(&package.bytes), BTreeSet::new());
    assert_eq!(
        package
            .names
            .iter()
            .filter(|n| n.contains("unt_one-les_"))
            .count(),
        300
    );
}

#[test]
fn the_longest_ids_still_make_names_that_old_tools_take() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.cohort_id = format!("coh_{}", "c".repeat(76));
    snapshot.units[0].id = format!("unt_{}", "u".repeat(76));
    snapshot.units[0].lessons[0].id = format!("les_{}", "l".repeat(76));
    let package = write(&snapshot);
    assert_eq!(package_faults(&package.bytes), BTreeSet::new());
}

#[test]
fn a_step_in_a_language_of_its_own_says_so_and_no_other() {
    let mut snapshot = course(ScormEdition::V2004);
    snapshot.units[0].lessons[0].language = Some("ar".to_owned());
    snapshot.units[0].lessons[0].activities[0].language = Some("ja".to_owned());
    let outline = support::document_of(&write(&snapshot).files["content/course.js"]);
    let steps = outline["units"][0]["steps"].as_array().unwrap();
    let languages: Vec<Option<&str>> = steps
        .iter()
        .map(|step| step.get("language").and_then(|tag| tag.as_str()))
        .collect();
    assert_eq!(languages[..3], [Some("ar"), Some("ja"), None], "{outline}");
}
