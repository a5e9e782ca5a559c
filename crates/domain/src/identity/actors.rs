//! Who acts: a person, a program with an account, AI, or the service itself.
//!
//! Kept as kind and id. What somebody is called is looked up when it is told, so that whoever was renamed or erased is so
//! everywhere, and nobody's name lies about in rows.

use std::fmt;

use crate::InvalidValue;
use crate::ids::UserId;
use crate::words::words;

words!(
    /// Of which sort somebody is who acts.
    ActorKind {
        /// A member, or whoever held a one-time token or a launch key.
        Person = "person",
        /// A program, with an account of its own.
        Service = "service",
        /// AI, or the built-in engine.
        Agent = "agent",
        /// The service itself.
        System = "system",
    }
);

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ActedBy {
    /// A member; none where nobody was known yet.
    Person(Option<UserId>),
    /// A service account.
    Service(UserId),
    /// AI, by the name of its model where that is told.
    Agent(Option<String>),
    /// The service itself, in the background.
    System,
}

impl ActedBy {
    /// Of which sort.
    pub const fn kind(&self) -> ActorKind {
        match self {
            Self::Person(_) => ActorKind::Person,
            Self::Service(_) => ActorKind::Service,
            Self::Agent(_) => ActorKind::Agent,
            Self::System => ActorKind::System,
        }
    }

    /// The member, where it was one.
    pub const fn user_id(&self) -> Option<UserId> {
        match self {
            Self::Person(id) => *id,
            Self::Service(id) => Some(*id),
            Self::Agent(_) | Self::System => None,
        }
    }

    /// Reads what [`fmt::Display`] writes.
    ///
    /// # Errors
    /// [`InvalidValue`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let (kind, rest) = text
            .split_once(':')
            .map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        let no_user = |_| InvalidValue::new("must name a user");
        let user = |id: &str| id.parse::<UserId>().map_err(no_user);
        match (ActorKind::parse(kind)?, rest) {
            (ActorKind::Person, id) => Ok(Self::Person(id.map(user).transpose()?)),
            (ActorKind::Service, Some(id)) => Ok(Self::Service(user(id)?)),
            (ActorKind::Agent, model) => Ok(Self::Agent(model.map(str::to_owned))),
            (ActorKind::System, None) => Ok(Self::System),
            (ActorKind::Service | ActorKind::System, _) => {
                Err(InvalidValue::new("must name a user where it is a service"))
            }
        }
    }
}

impl fmt::Display for ActedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind())?;
        match self {
            Self::Person(Some(id)) | Self::Service(id) => write!(f, ":{id}"),
            Self::Agent(Some(model)) => write!(f, ":{model}"),
            Self::Person(None) | Self::Agent(None) | Self::System => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    #[test]
    fn who_acted_is_read_as_it_was_written() {
        let id = Id::from_uuid(uuid::Uuid::nil());
        let written = format!("person:{id}");
        assert_eq!(ActedBy::Person(Some(id)).to_string(), written);
        for by in [
            ActedBy::Person(Some(id)),
            ActedBy::Person(None),
            ActedBy::Service(id),
            ActedBy::Agent(None),
            ActedBy::Agent(Some("a:model".to_owned())),
            ActedBy::System,
        ] {
            assert_eq!(ActedBy::parse(&by.to_string()), Ok(by));
        }
    }

    #[test]
    fn nobody_acts_by_halves() {
        for text in ["", "service", "system:x", "person:ada", "owner"] {
            assert!(ActedBy::parse(text).is_err(), "{text}");
        }
    }
}
