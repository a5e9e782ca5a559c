//! What AI writes and says: generations, drafts, speech, the tutor, and what it may cost.

pub(crate) mod ai_calls;
pub(crate) mod ai_reservations;
pub(crate) mod generation_steps;
pub(crate) mod generations;
pub(crate) mod pieces;
pub(crate) mod step_documents;
pub(crate) mod tutor;
