//! Identifiers: a kind, in the type and as a prefix, over a `UUIDv7`.
//!
//! They are [TypeIDs](https://github.com/jetify-com/typeid/tree/main/spec) (version 0.3.0 of that specification), with
//! prefixes of three letters, which [`crate::ids`] lists: `<prefix>_` and 26 lower-case Crockford base32 characters.
//! `UUIDv7` values are ordered by time, so sorting ids sorts by creation and the id alone is a keyset cursor.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

/// Something that has identifiers of its own.
pub trait Identified {
    /// What stands before the underscore, such as `crs`.
    const PREFIX: &'static str;
    /// The name of the kind, such as `course`.
    const OBJECT: &'static str;
}

/// An identifier of a `K`.
pub struct Id<K> {
    value: Uuid,
    kind: PhantomData<fn() -> K>,
}

/// The text is not an identifier of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not an identifier of this kind")]
pub struct MalformedId;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const ENCODED_LENGTH: usize = 26;

impl<K> Id<K> {
    /// Gives a UUID (version 7, from the one generator of the process) the kind `K`.
    pub const fn from_uuid(value: Uuid) -> Self {
        Self {
            value,
            kind: PhantomData,
        }
    }

    /// The UUID inside.
    pub const fn uuid(&self) -> Uuid {
        self.value
    }
}

impl<K: Identified> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_", K::PREFIX)?;
        let bits = self.value.as_u128();
        for position in (0..ENCODED_LENGTH).rev() {
            let digit = (bits >> (position * 5)) & 31;
            let index = usize::try_from(digit).unwrap_or_default();
            let character = ALPHABET.get(index).copied().unwrap_or(b'0');
            f.write_str(char::from(character).encode_utf8(&mut [0; 4]))?;
        }
        Ok(())
    }
}

impl<K: Identified> FromStr for Id<K> {
    type Err = MalformedId;

    fn from_str(text: &str) -> Result<Self, MalformedId> {
        let encoded = text
            .strip_prefix(K::PREFIX)
            .and_then(|rest| rest.strip_prefix('_'))
            .filter(|encoded| encoded.len() == ENCODED_LENGTH)
            .ok_or(MalformedId)?;
        let mut bits: u128 = 0;
        for (position, character) in encoded.bytes().enumerate() {
            let digit = ALPHABET
                .iter()
                .position(|known| *known == character)
                .ok_or(MalformedId)?;
            // 26 digits hold 130 bits; the first may carry only 3.
            if position == 0 && digit > 7 {
                return Err(MalformedId);
            }
            bits = (bits << 5) | u128::try_from(digit).map_err(|_| MalformedId)?;
        }
        Ok(Self::from_uuid(Uuid::from_u128(bits)))
    }
}

impl<K: Identified> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{CourseId, UnitId};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_reads_back_as_it_was_written(bits: u128) {
            let id = CourseId::from_uuid(Uuid::from_u128(bits));
            let text = id.to_string();
            prop_assert_eq!(text.len(), "crs_".len() + 26);
            prop_assert_eq!(text.parse::<CourseId>(), Ok(id));
        }

        #[test]
        fn ids_sort_as_text_as_they_sort_as_values(a: u128, b: u128) {
            let (a, b) = (Uuid::from_u128(a), Uuid::from_u128(b));
            let texts = CourseId::from_uuid(a).to_string().cmp(&CourseId::from_uuid(b).to_string());
            prop_assert_eq!(texts, a.cmp(&b));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,40}") {
            let _ = text.parse::<CourseId>();
        }
    }

    #[test]
    fn another_kind_and_malformed_texts_are_refused() {
        let course = CourseId::from_uuid(Uuid::from_u128(7)).to_string();
        assert_eq!(course.parse::<UnitId>(), Err(MalformedId));
        assert_eq!(course.to_uppercase().parse::<CourseId>(), Err(MalformedId));
        assert_eq!(
            format!("crs_{}", "z".repeat(26)).parse::<CourseId>(),
            Err(MalformedId)
        );
        assert_eq!("crs_".parse::<CourseId>(), Err(MalformedId));
    }

    /// A kind whose ids begin as those of the specification's examples.
    #[derive(Debug)]
    enum Example {}

    impl Identified for Example {
        const PREFIX: &'static str = "prefix";
        const OBJECT: &'static str = "example";
    }

    /// `spec/valid.yml` of the `TypeID` specification, version 0.3.0. Its examples without a prefix, or with another, are
    /// written with this one: what our ids never are is a prefix alone or none.
    #[test]
    fn the_examples_of_the_specification_are_read_and_written() {
        for (suffix, uuid) in [
            (
                "00000000000000000000000000",
                "00000000-0000-0000-0000-000000000000",
            ),
            (
                "00000000000000000000000001",
                "00000000-0000-0000-0000-000000000001",
            ),
            (
                "0000000000000000000000000a",
                "00000000-0000-0000-0000-00000000000a",
            ),
            (
                "0000000000000000000000000g",
                "00000000-0000-0000-0000-000000000010",
            ),
            (
                "00000000000000000000000010",
                "00000000-0000-0000-0000-000000000020",
            ),
            (
                "7zzzzzzzzzzzzzzzzzzzzzzzzz",
                "ffffffff-ffff-ffff-ffff-ffffffffffff",
            ),
            (
                "0123456789abcdefghjkmnpqrs",
                "0110c853-1d09-52d8-d73e-1194e95b5f19",
            ),
            (
                "01h455vb4pex5vsknk084sn02q",
                "01890a5d-ac96-774b-bcce-b302099a8057",
            ),
        ] {
            let id = Id::<Example>::from_uuid(uuid.parse().unwrap());
            let text = format!("prefix_{suffix}");
            assert_eq!(id.to_string(), text);
            assert_eq!(text.parse::<Id<Example>>(), Ok(id));
        }
    }

    /// `spec/invalid.yml` of the same.
    #[test]
    fn what_the_specification_refuses_is_refused() {
        for text in [
            "PREFIX_00000000000000000000000000",
            "12345_00000000000000000000000000",
            "pre.fix_00000000000000000000000000",
            "préfix_00000000000000000000000000",
            "  prefix_00000000000000000000000000",
            "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl_00000000000000000000000000",
            "_00000000000000000000000000",
            "_",
            "prefix_1234567890123456789012345",
            "prefix_123456789012345678901234567",
            "prefix_1234567890123456789012345 ",
            "prefix_0123456789ABCDEFGHJKMNPQRS",
            "prefix_123456789-123456789-123456",
            "prefix_ooooooiiiiiiuuuuuuulllllll",
            "prefix_i23456789ol23456789oi23456",
            "prefix_123456789-0123456789-0123456",
            "prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz",
            "_prefix_00000000000000000000000000",
            "prefix__00000000000000000000000000",
        ] {
            assert_eq!(text.parse::<Id<Example>>(), Err(MalformedId), "{text}");
        }
    }
}
