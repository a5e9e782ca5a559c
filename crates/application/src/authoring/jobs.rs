//! What jobs do for the media library: uploads are looked at, files are removed.

pub(crate) mod inspect_media;
pub(crate) mod remove_media;
