//! The second wall: what passes here can do nothing.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::allowed;

/// Whoever is linked to learns nothing of the page, and cannot reach it.
const REL: &str = "noopener noreferrer";
/// Links open beside the page.
const TARGET: &str = "_blank";

static SANITISER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let mut builder = ammonia::Builder::empty();
    let own = allowed::elements().map(|(name, own)| (name, own.iter().copied().collect()));
    builder
        .tags(allowed::elements().map(|(name, _)| name).collect())
        .clean_content_tags(HashSet::from(allowed::WITH_CONTENT))
        .tag_attributes(own.collect::<HashMap<_, _>>())
        .generic_attributes(HashSet::from(allowed::EVERYWHERE))
        // Addresses of pictures pass here as they are, because no such element is left in the end; addresses of links
        // are held to a narrower list below.
        .url_schemes(HashSet::from(["https", "http", "mailto", "data"]))
        .url_relative(ammonia::UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| {
            let is_ours =
                element == "a" && [("rel", REL), ("target", TARGET)].contains(&(attribute, value));
            let passes = is_ours || allowed::attribute(element, attribute, value);
            passes.then_some(Cow::Borrowed(value))
        })
        .link_rel(Some(REL))
        .set_tag_attribute_value("a", "target", TARGET)
        .strip_comments(true);
    builder
});

/// Markup that does nothing, with places for pictures and fragments still in it.
pub fn sanitise(markup: &str) -> String {
    SANITISER.clean(markup).to_string()
}
