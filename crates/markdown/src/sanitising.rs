//! The second wall: what passes here can do nothing.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::allowed;
use crate::settings::Scope;

/// Whoever is linked to learns nothing of the page, and cannot reach it.
const REL: &str = "noopener noreferrer";
/// Links open beside the page.
const TARGET: &str = "_blank";

type Sanitiser = LazyLock<ammonia::Builder<'static>>;

static ANY: Sanitiser = LazyLock::new(|| built(false, false));
static INERT: Sanitiser = LazyLock::new(|| built(false, true));
static LINE: Sanitiser = LazyLock::new(|| built(true, false));
static INERT_LINE: Sanitiser = LazyLock::new(|| built(true, true));

fn built(is_line: bool, is_inert: bool) -> ammonia::Builder<'static> {
    let scope = Scope { is_line, is_inert };
    let mut builder = ammonia::Builder::empty();
    let own = allowed::elements(scope).map(|(name, own)| (name, own.iter().copied().collect()));
    builder
        .tags(allowed::elements(scope).map(|(name, _)| name).collect())
        .clean_content_tags(HashSet::from(allowed::WITH_CONTENT))
        .tag_attributes(own.collect::<HashMap<_, _>>())
        .generic_attributes(HashSet::from(allowed::EVERYWHERE))
        // Addresses of pictures pass here as they are, because no such element is left in the end; addresses of links
        // are held to a narrower list below.
        .url_schemes(HashSet::from(["https", "http", "mailto", "data", "media"]))
        .url_relative(ammonia::UrlRelative::PassThrough)
        .attribute_filter(|element, attribute, value| {
            let is_ours =
                element == "a" && [("rel", REL), ("target", TARGET)].contains(&(attribute, value));
            let passes = is_ours || allowed::attribute(element, attribute, value);
            passes.then_some(Cow::Borrowed(value))
        })
        .link_rel(None)
        .strip_comments(true);
    if !is_inert {
        builder
            .link_rel(Some(REL))
            .set_tag_attribute_value("a", "target", TARGET);
    }
    builder
}

/// Markup that does nothing, with places for pictures and fragments still in it.
pub fn sanitise(markup: &str, scope: Scope) -> String {
    let sanitiser = match (scope.is_line, scope.is_inert) {
        (false, false) => &ANY,
        (false, true) => &INERT,
        (true, false) => &LINE,
        (true, true) => &INERT_LINE,
    };
    sanitiser.clean(markup).to_string()
}
