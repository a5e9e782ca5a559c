//! No circle between the modules of a layer: what is below is understood without what is above it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources;
use crate::wings::{LAYERS, code, source};

/// Modules whose arrows do not count, and why that is so. None is added without a reason as good as these, and one that is
/// no longer needed has to go.
const EXCEPTIONS: [(&str, &str); 2] = [
    (
        "application/app",
        "the application holds what a node knows of itself, and that works on the application",
    ),
    (
        "application/running/trash",
        "what goes and comes back is told in the words of its wing",
    ),
];

/// The module of a file: in a folder of modules the one below it, with all that is inside it.
fn module(file: &Path, folder: &Path) -> String {
    let place = file.strip_prefix(folder).unwrap().with_extension("");
    let parts: Vec<String> = place
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    match parts.as_slice() {
        [first, second, ..] if is_list(&folder.join(first).with_extension("rs")) => {
            format!("{first}/{second}")
        }
        [first, ..] => first.clone(),
        [] => String::new(),
    }
}

/// Whether a file does nothing but say which modules there are.
fn is_list(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#'))
        .all(|line| line.starts_with("mod ") || line.starts_with("pub") && line.contains("mod "))
}

/// Every path behind `crate::`, those of groups one by one, as far as their second part.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let (head, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if let Some(group) = behind.strip_prefix('{') {
            found.extend(members(group).into_iter().map(|one| format!("{head}{one}")));
        } else {
            found.push(head.to_owned());
        }
    }
    found
}

/// The members of a group, as far as they are named in it: of `a, b::{c, d}};` these are `a` and `b`.
fn members(group: &str) -> Vec<String> {
    let (mut depth, mut found, mut member) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => found.push(std::mem::take(&mut member)),
            _ if depth == 0 && !c.is_whitespace() => member.push(c),
            _ => {}
        }
    }
    found.push(member);
    found
}

type Arrows = BTreeMap<String, BTreeSet<String>>;

fn arrows(layer: &str) -> Arrows {
    let folder = source(layer);
    let mut files = Vec::new();
    sources(&folder, &mut files);
    files.retain(|file| {
        let is_root = file.file_name().is_some_and(|name| name == "lib.rs");
        !is_root && !file.to_string_lossy().contains("test")
    });
    let known: BTreeSet<String> = files.iter().map(|file| module(file, &folder)).collect();
    let mut found = Arrows::new();
    for file in &files {
        let from = module(file, &folder);
        let to = found.entry(from.clone()).or_default();
        for path in paths(&code(file)) {
            let mut parts = path.split("::");
            let (first, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            let candidates = [format!("{first}/{second}"), first.to_owned()];
            let named = candidates.into_iter().find(|one| known.contains(one));
            to.extend(named.filter(|named| *named != from));
        }
    }
    found
}

/// What stands in circles, or between two: whatever is left when all that know nobody, and all that nobody knows, are gone.
fn knots(mut arrows: Arrows) -> Arrows {
    loop {
        let before = arrows.len();
        let all: BTreeSet<String> = arrows.keys().cloned().collect();
        for known in arrows.values_mut() {
            known.retain(|one| all.contains(one));
        }
        let known: BTreeSet<String> = arrows.values().flatten().cloned().collect();
        arrows.retain(|one, knows| known.contains(one) && !knows.is_empty());
        if arrows.len() == before {
            return arrows;
        }
    }
}

/// The knots of all layers, but for what these modules know.
fn found(excepted: &[&str]) -> Arrows {
    let mut found = Arrows::new();
    for layer in LAYERS {
        let mut arrows = arrows(layer);
        arrows.retain(|one, _| !excepted.contains(&format!("{layer}/{one}").as_str()));
        let named = |one: String| format!("{layer}/{one}");
        found.extend(knots(arrows).into_iter().map(|(one, knows)| {
            let knows = knows.into_iter().map(named).collect();
            (named(one), knows)
        }));
    }
    found
}

#[test]
fn no_module_knows_itself_through_others() {
    let excepted = EXCEPTIONS.map(|(module, _)| module);
    assert_eq!(found(&excepted), Arrows::new());
    for needless in excepted {
        let others: Vec<&str> = excepted
            .into_iter()
            .filter(|other| *other != needless)
            .collect();
        assert_ne!(
            found(&others),
            Arrows::new(),
            "{needless} needs no exception"
        );
    }
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let code = "use crate::a::b;\nuse crate::c::{d, e::{f, g}};\nfn h() { crate::i::j(); }";
    assert_eq!(paths(code), ["a::b", "c::d", "c::e::", "i::j"]);
    assert_eq!(paths("use crate::{Settings, k::l};"), ["Settings", "k::l"]);
}

#[test]
fn a_circle_is_seen_and_a_chain_is_none() {
    let arrows = |pairs: &[(&str, &str)]| {
        let mut arrows = Arrows::new();
        for (from, to) in pairs {
            arrows
                .entry((*from).to_owned())
                .or_default()
                .insert((*to).to_owned());
            arrows.entry((*to).to_owned()).or_default();
        }
        knots(arrows).into_keys().collect::<Vec<_>>()
    };
    assert_eq!(arrows(&[("a", "b"), ("b", "c"), ("a", "c")]), [""; 0]);
    let circle = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")];
    assert_eq!(arrows(&circle), ["b", "c"]);
}
