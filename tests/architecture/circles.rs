//! No circle between the modules of a crate: what is below is understood without what is above it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::wings::{LAYERS, code, source};
use crate::{root, sources};

/// The crates beside the layers, each looked at like one of them.
const BESIDE: [&str; 19] = [
    "ai",
    "blobs",
    "cli",
    "client",
    "console",
    "demo",
    "eval",
    "guides",
    "inspection",
    "markdown",
    "media",
    "otlp",
    "outbound",
    "pages",
    "reference",
    "scorm",
    "service",
    "terminal",
    "webhooks",
];

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
        [first, second, ..] if second != "mod" && is_list(&of_folder(&folder.join(first))) => {
            format!("{first}/{second}")
        }
        [first, ..] => first.clone(),
        [] => String::new(),
    }
}

/// The file of a module that has others in its folder: beside the folder, or in it.
fn of_folder(folder: &Path) -> PathBuf {
    let beside = folder.with_extension("rs");
    if beside.exists() {
        beside
    } else {
        folder.join("mod.rs")
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
    code.split("crate::").skip(1).flat_map(heads).collect()
}

/// What a path begins with, as far as it is plain: each member of a group by itself.
fn heads(rest: &str) -> Vec<String> {
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let (head, behind) = rest.split_at(end.unwrap_or(rest.len()));
    match behind.strip_prefix('{') {
        Some(group) => members(group)
            .into_iter()
            .map(|one| format!("{head}{one}"))
            .collect(),
        None => vec![head.to_owned()],
    }
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

/// The files of a crate but for its root and its tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(folder, &mut files);
    files.retain(|file| {
        let is_root = ["lib.rs", "main.rs"]
            .iter()
            .any(|name| file.ends_with(name));
        !is_root && !file.to_string_lossy().contains("test")
    });
    files
}

fn arrows(folder: &Path) -> Arrows {
    let files = files(folder);
    let known: BTreeSet<String> = files.iter().map(|file| module(file, folder)).collect();
    let mut found = Arrows::new();
    for file in &files {
        let from = module(file, folder);
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

/// The path of the module that a file is, from the root of its crate.
fn own_path(file: &Path, folder: &Path) -> Vec<String> {
    let place = file.strip_prefix(folder).unwrap().with_extension("");
    let parts = place.iter().map(|part| part.to_string_lossy().into_owned());
    parts.filter(|part| part != "mod").collect()
}

/// Every path that a module names from the root of its crate or from where it stands itself.
fn named(own: &[String], code: &str) -> Vec<Vec<String>> {
    let joined = |above: &[String], path: String| {
        let parts = path.split("::").map(str::to_owned);
        above.iter().cloned().chain(parts).collect()
    };
    let mut found: Vec<Vec<String>> = paths(code)
        .into_iter()
        .map(|path| joined(&[], path))
        .collect();
    let mut above = own;
    for rest in code.split("super::").skip(1) {
        above = above.split_last().map_or(&[][..], |(_, above)| above);
        if !rest.is_empty() {
            found.extend(heads(rest).into_iter().map(|path| joined(above, path)));
            above = own;
        }
    }
    found
}

/// Who knows whom within each folder of a crate: of two modules that know each other, those above them that stand side by
/// side. What stands side by side in the crate itself is not among them.
fn neighbours(folder: &Path) -> BTreeMap<String, Arrows> {
    let files = files(folder);
    let known: BTreeSet<Vec<String>> = files.iter().map(|file| own_path(file, folder)).collect();
    let mut found: BTreeMap<String, Arrows> = BTreeMap::new();
    for file in &files {
        let own = own_path(file, folder);
        for path in named(&own, &code(file)) {
            let shared = own.iter().zip(&path).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (own.get(shared), path.get(shared)) else {
                continue;
            };
            if shared > 0 && known.contains(&path[..=shared]) {
                let arrows = found.entry(own[..shared].join("/")).or_default();
                arrows.entry(to.clone()).or_default();
                arrows.entry(from.clone()).or_default().insert(to.clone());
            }
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

/// Every crate that is looked at, and where its sources are.
fn watched() -> Vec<(&'static str, PathBuf)> {
    let crates = LAYERS.into_iter().chain(BESIDE);
    let mut watched: Vec<_> = crates.map(|name| (name, source(name))).collect();
    watched.push(("bench", root().join("bench/src")));
    watched
}

/// The knots of all that is watched, but for what these modules know.
fn found(excepted: &[&str]) -> Arrows {
    let mut found = Arrows::new();
    for (place, folder) in watched() {
        let mut arrows = arrows(&folder);
        arrows.retain(|one, _| !excepted.contains(&format!("{place}/{one}").as_str()));
        let named = |one: String| format!("{place}/{one}");
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
fn no_file_knows_itself_through_its_neighbours() {
    let mut found = BTreeMap::new();
    for (place, folder) in watched() {
        let folders = neighbours(&folder).into_iter();
        found.extend(folders.map(|(inside, arrows)| (format!("{place}/{inside}"), knots(arrows))));
    }
    found.retain(|_, knots| !knots.is_empty());
    assert_eq!(found, BTreeMap::new());
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let code = "use crate::a::b;\nuse crate::c::{d, e::{f, g}};\nfn h() { crate::i::j(); }";
    assert_eq!(paths(code), ["a::b", "c::d", "c::e::", "i::j"]);
    assert_eq!(paths("use crate::{Settings, k::l};"), ["Settings", "k::l"]);
}

#[test]
fn paths_are_found_from_where_a_module_stands() {
    let own = ["a", "b", "c"].map(str::to_owned);
    let code = "use super::d::{e, f};\nuse super::super::g;\nuse super::h;\nuse crate::i::j;";
    let found: Vec<String> = named(&own, code)
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(
        found,
        ["i::j", "a::b::d::e", "a::b::d::f", "a::g", "a::b::h"]
    );
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
