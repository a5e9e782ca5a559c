//! What AI writes and says: generations, drafts, speech, the tutor, and what it may cost.

pub mod accepting;
pub mod ai_calls;
pub mod ai_reservations;
pub mod ai_starts;
pub mod ai_tally;
pub(crate) mod drafts;
pub mod generations;
pub(crate) mod jobs;
pub mod pieces;
pub mod tutor;
