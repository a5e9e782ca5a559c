//! Media of the library: what texts refer to as `media:…`, by an id that stays while addresses come and go.

use crate::pictures::Picture;

/// What such a reference begins with.
const SCHEME: &str = "media:";

/// What a text refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// The address of a picture, of whatever scheme.
    Picture(String),
    /// The medium of the library that a link leads to.
    Link(String),
}

/// What stands in a text in the places of what is kept elsewhere.
pub trait Media {
    /// HTML in the place of a picture, which a medium of any kind may be written as.
    fn picture(&mut self, picture: &Picture) -> String;

    /// What it says to those who only want the words.
    fn words(&self, picture: &Picture) -> String {
        picture.alt.clone()
    }

    /// Where a link to a medium of the library leads. Where it leads nowhere its words stay, and whoever says so tells why.
    fn link(&mut self, address: &str) -> Option<String>;
}

/// Whether an address is that of a medium of the library.
pub fn is_medium(address: &str) -> bool {
    let id = address.strip_prefix(SCHEME).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !id.is_empty() && id.chars().all(plain)
}

/// For whoever has nothing but pictures: no link leads to a medium.
pub(crate) struct PicturesAlone<'a>(pub &'a mut dyn FnMut(&Picture) -> String);

impl Media for PicturesAlone<'_> {
    fn picture(&mut self, picture: &Picture) -> String {
        (self.0)(picture)
    }

    fn link(&mut self, _: &str) -> Option<String> {
        None
    }
}

/// Notes what a text refers to and shows nothing.
#[derive(Default)]
pub(crate) struct Looking(pub Vec<Reference>);

impl Media for Looking {
    fn picture(&mut self, picture: &Picture) -> String {
        if !picture.address.is_empty() {
            self.0.push(Reference::Picture(picture.address.clone()));
        }
        String::new()
    }

    fn link(&mut self, address: &str) -> Option<String> {
        self.0.push(Reference::Link(address.to_owned()));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_medium_is_named_by_its_id_and_nothing_else() {
        assert!(is_medium("media:med_01h2x"));
        for other in [
            "media:",
            "media:med_1?x",
            "media:med_1/../x",
            "MEDIA:med_1",
            "media://med_1",
            "https://x/media:med_1",
            "media:med_1 \"",
        ] {
            assert!(!is_medium(other), "{other}");
        }
    }
}
