//! Enums that are words: written, stored and read by one name each.

/// Something that is always one of a few words.
pub trait Words {
    /// Every word there is.
    fn words() -> Vec<&'static str>;
}

/// Declares an enum whose variants are words, with `ALL`, `as_str`, `meaning`, `parse` and `Display`.
///
/// A macro because twenty enums need the same members and must not drift from each other.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[doc = $doc])* $variant),+ }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// What the word means, in a sentence: its documentation here is its documentation everywhere.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii()),+ }
            }

            /// Reads the word.
            ///
            /// # Errors
            /// [`crate::InvalidValue`] naming the words there are.
            pub fn parse(text: &str) -> Result<Self, crate::InvalidValue> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text).ok_or_else(|| {
                    crate::InvalidValue::new(concat!("must be one of", $(" ", $word),+))
                })
            }
        }

        impl crate::Words for $name {
            fn words() -> Vec<&'static str> {
                Self::ALL.iter().map(|value| value.as_str()).collect()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;
