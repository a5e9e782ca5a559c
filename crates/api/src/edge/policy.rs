//! What a route asks of its callers and their bodies, and how it is counted: all that is asked of a request before its
//! handler is. Each row of the route table says it; of a path itself only the document and the names
//! that may be expanded depend.

use std::time::Duration;

use lyceum_application::identity::access::Requirement;

/// How long a request may take in all, where nothing else is said.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(30);
/// Largest body where nothing else is said: 1 MiB.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// Against which quota a request counts, beside those of keys and of AI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// None, nor does it take a place among those that are worked on: whoever watches over the service must always be
    /// answered.
    Never,
    /// That of its address, where it needs no key.
    Usually,
    /// That of launches, apart from other routes that need no key: a whole school has one address.
    Launch,
    /// That of the tutor, by user.
    Tutor,
    /// That of signing in, by address: a stranger leaves rows behind by it, and has others get mail.
    SignIn,
}

/// When a person has to have signed in, in a browser; keys are not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignedInWhen {
    /// However long ago.
    Ever,
    /// A short while ago, because it opens doors to others or cannot be undone.
    Recently,
}

/// What a route asks.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Whether a key is needed.
    pub needs_key: bool,
    /// Scopes.
    pub requirement: Requirement,
    /// Largest body, in bytes.
    pub body_limit: usize,
    /// How long a request may take in all.
    pub deadline: Duration,
    /// Against which quota it counts.
    pub counted: Counted,
    /// Whether what a POST or PATCH sends is kept for long, and takes room.
    pub is_kept: bool,
    /// Whether the answer holds an API key: it is for whoever asked with the same key, because a narrower one of the same
    /// person must not be answered with a wider one.
    pub reveals_key: bool,
    /// When whoever asks in a browser has to have signed in.
    pub signed_in: SignedInWhen,
}

impl Policy {
    /// With a key of these scopes, or without any.
    pub const fn new(needs_key: bool, requirement: Requirement) -> Self {
        Self {
            needs_key,
            requirement,
            body_limit: BODY_LIMIT,
            deadline: REQUEST_DEADLINE,
            counted: Counted::Usually,
            is_kept: true,
            reveals_key: false,
            signed_in: SignedInWhen::Ever,
        }
    }
}
