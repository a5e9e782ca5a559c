//! The media of one package: what could be had, and under which name.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::Path;

use lyceum_markdown::is_medium;
use lyceum_ports::exporting::media::MediaProblem;
use lyceum_ports::exporting::scorm::PieceMedium;
use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageError, SnapshotMedia};

use super::address::Reference;
use super::data;
use super::item::{Item, Source, examine, kept};
use super::kind::Role;
use super::known::{self, Known};

/// What the library has for an address.
#[derive(Debug)]
pub enum Found<'a> {
    /// It travels in the package.
    Item(&'a Item),
    /// Its file is not of a kind that can be used there.
    Unsupported,
    /// There is no file.
    Missing,
}

/// The media of a package.
#[derive(Debug, Default)]
pub struct Library {
    by_address: HashMap<String, Option<String>>,
    known: HashMap<String, Known>,
    problems: HashMap<String, MediaProblem>,
    items: BTreeMap<String, Item>,
}

impl Library {
    /// What the texts refer to and what the snapshot or they themselves carry.
    ///
    /// # Errors
    /// A file that is there and cannot be read, or files that are larger than `limit` together.
    pub fn of(
        snapshot: &CourseSnapshot,
        references: Vec<Reference>,
        limit: u64,
    ) -> Result<Self, PackageError> {
        let mut files: HashMap<&str, &SnapshotMedia> = HashMap::new();
        for media in &snapshot.media {
            files.entry(&media.address).or_insert(media);
        }
        refuse_too_much(&files, limit)?;
        let mut library = Self {
            problems: snapshot.unavailable.iter().cloned().collect(),
            ..Self::default()
        };
        for Reference { address, role } in references {
            if matches!(library.find(&address, role), Found::Item(_)) {
                continue;
            }
            if data::is_data(&address) {
                let bytes = data::bytes(&address).map(Source::Bytes);
                library.take(address, bytes, role, "")?;
            } else if let Some(media) = files.get(address.as_str()) {
                let type_said = said_type(media);
                let file = Source::File(media.file.clone());
                library.take(address, Some(file), role, type_said)?;
                library.note(media)?;
            }
        }
        Ok(library)
    }

    /// What the texts refer to of media that stay where they are kept, and what the texts themselves carry.
    ///
    /// # Errors
    /// Never for what is not read.
    pub fn of_kept(
        media: &[PieceMedium],
        references: Vec<Reference>,
    ) -> Result<Self, PackageError> {
        let mut library = Self::default();
        for Reference { address, role } in references {
            if matches!(library.find(&address, role), Found::Item(_)) {
                continue;
            }
            let known = media.iter().position(|one| one.address == address);
            if data::is_data(&address) {
                let bytes = data::bytes(&address).map(Source::Bytes);
                library.take(address, bytes, role, "")?;
            } else if let Some((place, medium)) =
                known.and_then(|place| Some((place, media.get(place)?)))
            {
                library.keep(place, medium, role);
            }
        }
        Ok(library)
    }

    fn keep(&mut self, place: usize, medium: &PieceMedium, role: Role) {
        let files = medium
            .files
            .iter()
            .enumerate()
            .filter_map(|(number, facts)| {
                let source = Source::Kept {
                    medium: place,
                    number,
                };
                kept(facts, &medium.media_type, source)
            });
        let mut files = files.filter(|item| item.kind.serves(role));
        let address = medium.address.clone();
        let Some(item) = files.next() else {
            self.by_address.entry(address).or_insert(None);
            return;
        };
        let smaller: Vec<Item> = files.collect();
        let known = Known::of_kept(medium, &item);
        let known = smaller.iter().fold(known, Known::with_smaller);
        self.known.insert(address.clone(), known);
        self.by_address.insert(address, Some(item.name.clone()));
        for one in smaller.into_iter().chain([item]) {
            self.items.entry(one.name.clone()).or_insert(one);
        }
    }

    /// What else is known of the medium at an address.
    pub fn known(&self, address: &str) -> Option<&Known> {
        self.known.get(address)
    }

    /// What there is for an address.
    pub fn find(&self, address: &str, role: Role) -> Found<'_> {
        match self.by_address.get(address) {
            None => Found::Missing,
            Some(name) => name
                .as_ref()
                .and_then(|name| self.items.get(name))
                .filter(|item| item.kind.serves(role))
                .map_or(Found::Unsupported, Found::Item),
        }
    }

    /// Why there is no file for an address, in words.
    pub fn absence(&self, address: &str) -> String {
        match self.problems.get(address) {
            Some(problem) => format!("its file {problem}"),
            None if is_medium(address) => {
                "the media library has nothing of this id that is ready".to_owned()
            }
            None => "its file could not be had".to_owned(),
        }
    }

    /// Every file once, by name.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.values()
    }

    fn take(
        &mut self,
        address: String,
        source: Option<Source>,
        role: Role,
        said: &str,
    ) -> Result<(), PackageError> {
        let examined = source.map_or(Ok(None), |source| examine(source, said));
        let item = match examined {
            Ok(item) => item.filter(|item| item.kind.serves(role)),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        if let Some(item) = item {
            self.by_address.insert(address, Some(item.name.clone()));
            self.items.entry(item.name.clone()).or_insert(item);
        } else {
            // Of no use here, but perhaps elsewhere: what another text found in it stays.
            self.by_address.entry(address).or_insert(None);
        }
        Ok(())
    }

    /// Keeps what the snapshot knows of a medium that travels, with the smaller ones of a picture.
    fn note(&mut self, media: &SnapshotMedia) -> Result<(), PackageError> {
        let Found::Item(item) = self.find(&media.address, Role::Any) else {
            return Ok(());
        };
        let mut known = Known::of(media);
        for (width, smaller) in known::smaller(media, item)? {
            known.smaller.push((smaller.name.clone(), width));
            self.items.entry(smaller.name.clone()).or_insert(smaller);
        }
        self.known.insert(media.address.clone(), known);
        Ok(())
    }
}

/// What the snapshot says that a file is, as far as that counts: who delivered it says nothing.
fn said_type(media: &SnapshotMedia) -> &str {
    if is_medium(&media.address) {
        &media.media_type
    } else {
        ""
    }
}

/// Refuses before reading what could not be written anyway.
fn refuse_too_much(files: &HashMap<&str, &SnapshotMedia>, limit: u64) -> Result<(), PackageError> {
    let all = files.values().flat_map(|media| {
        let smaller = media.smaller.iter().map(|smaller| smaller.file.as_path());
        std::iter::once(media.file.as_path()).chain(smaller)
    });
    let mut paths: Vec<&Path> = all.collect();
    paths.sort();
    paths.dedup();
    let sizes = paths.iter().filter_map(|path| path.metadata().ok());
    let size_bytes = sizes.fold(0_u64, |sum, file| sum.saturating_add(file.len()));
    if size_bytes > limit {
        return Err(PackageError::TooLarge {
            size_bytes,
            limit_bytes: limit,
        });
    }
    Ok(())
}
