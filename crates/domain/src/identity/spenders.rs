//! Who spends AI: staff, learners, and the strangers whom a SCORM package lets in.

use std::fmt;

use crate::ids::ScormPackageId;
use crate::{Id, InvalidValue};

/// Who spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Spender {
    /// Whoever may ask for AI by a scope of their own, and what the service does for them.
    #[default]
    Staff,
    /// Learners whom the workspace knows.
    Learners,
    /// Whoever came with the public launch key of this package: a stranger, whatever they call themselves.
    Package(ScormPackageId),
}

const STAFF: &str = "staff";
const LEARNERS: &str = "learners";

impl Spender {
    /// Reads one.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        match text {
            STAFF => Ok(Self::Staff),
            LEARNERS => Ok(Self::Learners),
            package => package
                .parse::<Id<_>>()
                .map(Self::Package)
                .map_err(|_| InvalidValue::new("must be staff, learners or a package")),
        }
    }

    /// The kind in a word, of which there are few.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Staff => STAFF,
            Self::Learners => LEARNERS,
            Self::Package(_) => "package",
        }
    }
}

impl fmt::Display for Spender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Staff | Self::Learners => f.write_str(self.kind()),
            Self::Package(id) => write!(f, "{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_as_they_are_written() {
        for spender in [
            Spender::Staff,
            Spender::Learners,
            Spender::Package(Id::from_uuid(uuid::Uuid::from_bytes([7; 16]))),
        ] {
            assert_eq!(Spender::parse(&spender.to_string()), Ok(spender));
        }
        assert!(Spender::parse("anybody").is_err());
    }
}
