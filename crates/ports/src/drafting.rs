//! What AI writes and says: generations, drafts, speech, the tutor, and what it may cost.

pub mod ai;
pub mod ai_calls;
pub mod ai_outcome;
pub mod ai_reservations;
pub mod generation_steps;
pub mod generations;
pub mod pieces;
pub mod tutor;
