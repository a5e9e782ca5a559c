//! How AI and a teacher agree on one assignment, and which answers tell most when they are graded next.
//!
//! [`agreement`] is about answers that a teacher graded without knowing what AI says; [`choice`] picks answers. Nothing here
//! promises anything about answers that nobody has graded: that is [`release`](super::release).

pub mod agreement;
pub mod choice;
