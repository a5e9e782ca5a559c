//! What AI writes and says: generations, drafts, speech, the tutor, and what it may cost.

pub mod ai_calls;
pub mod generations;
pub mod pieces;
pub mod tutor;
