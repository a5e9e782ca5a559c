//! What the pages of the binary share, whichever they are: how they answer browsers, the style sheet they begin with, and texts as
//! they are put in and looked for.

mod answers;
mod folding;
mod markup;

pub use answers::{found, guarded, has, tag};
pub use folding::{folded_words, push_folded_words, words_of};
pub use markup::escaped;

/// Colours, type and the frame of a page. Whose pages they are adds what only they have.
pub const STYLE: &str = include_str!("../assets/pages.css");
