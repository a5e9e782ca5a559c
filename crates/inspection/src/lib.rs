//! Looks at files of strangers before anybody is shown them: what they are by their bytes, whether they are whole, and what
//! has to be taken out of them.
//!
//! | What came | What is kept |
//! |---|---|
//! | JPEG, PNG, WebP | pixels alone, written anew, and two smaller pictures of the same |
//! | GIF | its frames, written anew |
//! | SVG | the elements and attributes of a list, written anew |
//! | MP3, M4A, Ogg, WAV, MP4, `WebM` | the file as it came, once its structure was read |
//! | `WebVTT`, PDF | the file as it came, once it was looked through |
//!
//! What is written anew holds no byte that a stranger chose beside what is seen: no place where a photo was taken, no
//! archive behind a picture, no script in a drawing. What is kept as it came may hold more than it shows, and is only ever
//! to be served as what it was found to be (`nosniff`).
//!
//! Knows files, formats and a scanner's protocol. Who uploaded something, where it is kept and what refers to it stay out.

mod captions;
mod documents;
mod drawings;
mod inspector;
mod kept;
mod kinds;
mod pictures;
mod reading;
mod recordings;
mod scanner;

pub use inspector::{Inspector, Settings};

#[cfg(test)]
mod tests;
