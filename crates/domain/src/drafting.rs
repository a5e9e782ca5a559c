//! What AI writes and says: generations, drafts, speech, the tutor, and what it may cost.

pub mod ai_calls;
pub mod budget_shares;
pub mod drafts;
pub mod generation_steps;
pub mod generations;
pub mod pieces;
pub mod pseudonyms;
pub mod speech;
pub mod support;
pub mod syllabus;
pub mod tutor;
