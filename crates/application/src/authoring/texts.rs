//! Texts of courses as whoever reads them sees them: their HTML, and what they lose on the way to it.
//!
//! What is rendered is what an answer holds already, so nobody is shown more than they were told.

use std::collections::{BTreeMap, HashMap};

use lyceum_domain::authoring::media::{MediaFile, MediaKind, SCHEME, referred};
use lyceum_domain::ids::MediaId;
/// What has a class in such HTML looks like this.
pub use lyceum_markdown::STYLE;
use lyceum_markdown::{
    Element, Form, Kind, LEVELS, Labels, Media, Picture, Placed, Reference, Refused, TEXT_BYTES,
    escape_text, is_medium, references, render_with, shortened, texts_of,
};
use lyceum_wire::authoring::texts::TextWarningView;
use serde_json::{Map, Value};

use crate::authoring::media;
use crate::prelude::*;

mod languages;

use languages::Languages;

/// What marks a field in the text of a cloze.
const GAP: &str = "{{";
/// What texts have that anything could become of but letters: all others have no warnings.
const SIGNS: [&str; 8] = ["<", "$", "\\\\", "](", "][", "]:", "://", "media:"];
/// What blocks and marks nest with.
const NESTING: [&str; 9] = [">", "- -", "* *", "+ +", ". 1", "*_", "_*", "****", "____"];
/// A shorter answer holds no text that nests too deep by its indentation.
const DEEP_BYTES: usize = 16 * 1024;

/// What the texts of an object lose when they are shown, by place; `answer` is the object as the interface has it, and `shown` what
/// they refer to.
pub fn warnings(answer: &Map<String, Value>, mut shown: Shown) -> Vec<TextWarningView> {
    let texts = texts_of(answer);
    texts
        .iter()
        .flat_map(|text| told(text, &mut shown))
        .collect()
}

/// Whether there can be any, told by a look at the answer as it is written.
pub fn may_warn(answer: &str) -> bool {
    let mut signs = SIGNS.iter().chain(&NESTING);
    answer.len() > DEEP_BYTES || signs.any(|sign| answer.contains(sign))
}

/// The media that the texts of an object refer to, each once.
pub fn media_of(answer: &Map<String, Value>) -> Vec<MediaId> {
    referred_by(&texts_of(answer))
}

pub(super) fn referred_by<'t>(texts: impl IntoIterator<Item = &'t Placed>) -> Vec<MediaId> {
    let mut ids: Vec<MediaId> = texts
        .into_iter()
        .flat_map(|text| referred(&text.raw))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// What texts lose that nobody has kept yet; media are not looked for.
pub fn warnings_of_draft(answer: &Map<String, Value>) -> Vec<TextWarningView> {
    let texts = texts_of(answer);
    let mut unseen = Unseen;
    texts
        .iter()
        .flat_map(|text| dialect(text, &mut unseen))
        .collect()
}

/// The HTML of every text of each object, by place; no more than there is room for.
///
/// # Errors
/// [`Error::TooLargeToExpand`] by way of `take`, and those of storage.
pub fn html(
    tx: &mut dyn Tx,
    ctx: &Context,
    objects: &mut [&mut Map<String, Value>],
    mut take: impl FnMut(usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let texts: Vec<Vec<Placed>> = objects.iter().map(|object| texts_of(object)).collect();
    let mut shown = Shown::load(tx, ctx, &referred_by(texts.iter().flatten()))?;
    let languages = Languages::load(tx, ctx, objects)?;
    let mut number = 0_usize;
    for (object, texts) in objects.iter_mut().zip(texts) {
        let mut html = Map::new();
        let labels = languages.labels(object);
        for text in texts {
            number = number.saturating_add(1);
            // A list is one page, and so may be an answer and those after it.
            let id = object.get("id").and_then(Value::as_str).unwrap_or_default();
            let anchors = format!("{}n{number}", id.replace('_', ""));
            shown.is_inert = text.form.is_inert();
            let made = rendered(&text, Some(&anchors), labels, &mut shown);
            take(made.len().saturating_add(text.field.len()))?;
            html.insert(text.field, Value::String(made));
        }
        object.insert("html".to_owned(), Value::Object(html));
    }
    Ok(())
}

/// The HTML of what a model said to a learner in this language. It shows nothing from elsewhere: a picture that a reader's browser loads would tell
/// whoever keeps it what the model was brought to write into its address.
pub fn html_of_reply(message: &str, language: &str) -> String {
    let text = Placed {
        field: String::new(),
        form: Form::Text,
        raw: message.to_owned(),
    };
    rendered(&text, None, Labels::in_language(language), &mut Unseen)
}

pub(super) fn rendered(
    text: &Placed,
    anchors: Option<&str>,
    labels: &Labels<'_>,
    media: &mut dyn Media,
) -> String {
    let mut settings = text.form.settings(&text.raw, anchors, GAP);
    settings.labels = Some(labels);
    match render_with(&text.raw, &settings, media) {
        Ok(rendered) if text.form == Form::Words => escape_text(&rendered.words),
        Ok(rendered) => rendered.html,
        Err(_) => format!("<pre>{}</pre>", escape_text(&text.raw)),
    }
}

pub(super) fn told(text: &Placed, shown: &mut Shown) -> Vec<TextWarningView> {
    shown.is_inert = text.form.is_inert();
    let mut found = dialect(text, shown);
    let settings = text.form.settings(&text.raw, None, GAP);
    for reference in references(&text.raw, &settings) {
        if let Some(sentence) = shown.loss(text.form, &reference)
            && !found.iter().any(|one| one.message == sentence)
        {
            found.push(warning(text, None, sentence));
        }
    }
    for address in std::mem::take(&mut shown.undescribed) {
        let address = shortened(&address);
        found.push(warning(text, None, format!(
            "the picture {address} has no description: people who cannot see it learn nothing of it"
        )));
    }
    found
}

/// What the dialect itself has to say of a text.
fn dialect(text: &Placed, media: &mut dyn Media) -> Vec<TextWarningView> {
    let settings = text.form.settings(&text.raw, None, GAP);
    match render_with(&text.raw, &settings, media) {
        Ok(rendered) => {
            let lines = rendered.warnings.iter();
            let lines = lines.filter(|one| one.kind != Kind::PlainHttp || text.form != Form::Words);
            lines
                .map(|one| warning(text, u32::try_from(one.line).ok(), one.told()))
                .collect()
        }
        Err(Refused::TooLong) => vec![warning(
            text,
            None,
            format!(
                "it has more than {TEXT_BYTES} bytes: it is shown as it was written, and no package takes it"
            ),
        )],
        Err(Refused::TooDeep) => vec![warning(
            text,
            None,
            format!(
                "it nests more than {LEVELS} levels deep: it is shown as it was written, and no package takes it"
            ),
        )],
    }
}

fn warning(text: &Placed, line: Option<u32>, message: String) -> TextWarningView {
    TextWarningView {
        field: text.field.clone(),
        line,
        message,
    }
}

/// The media that texts refer to, with addresses that work for whoever reads the answer.
#[derive(Debug, Default)]
pub struct Shown {
    found: HashMap<MediaId, MediaFile>,
    addresses: BTreeMap<(MediaId, usize), String>,
    /// Whether nothing that can be played or followed may stand in the text.
    is_inert: bool,
    undescribed: Vec<String>,
}

impl Shown {
    /// Looks them up.
    ///
    /// # Errors
    /// Those of storage.
    pub fn load(tx: &mut dyn Tx, ctx: &Context, ids: &[MediaId]) -> Result<Self, Error> {
        let mut found = Vec::new();
        for ids in ids.chunks(AT_ONCE) {
            found.extend(tx.media_files().with_ids(ctx.workspace_id(), ids)?);
        }
        let mut shown = Self::default();
        for media in found {
            for (number, _) in media
                .content()
                .iter()
                .flat_map(|content| content.files())
                .enumerate()
            {
                let address = media::address(&ctx.settings, &media, number, ctx.now);
                shown.addresses.insert((media.id, number), address);
            }
            shown.found.insert(media.id, media);
        }
        Ok(shown)
    }

    /// The medium of such an address, with its own; none that is not ready.
    fn at(&self, address: &str) -> Option<(&MediaFile, &str)> {
        let id: MediaId = address.strip_prefix(SCHEME)?.parse().ok()?;
        let own = self.addresses.get(&(id, 0))?;
        Some((self.found.get(&id)?, own))
    }

    /// Why what a text refers to is not shown; nothing where it is.
    fn loss(&self, form: Form, reference: &Reference) -> Option<String> {
        let (address, is_picture) = match reference {
            Reference::Picture(address) => (address, true),
            Reference::Link(address) => (address, false),
        };
        let reason = if is_medium(address) && self.at(address).is_none() {
            "there is no such medium in the library that could be shown"
        } else if is_picture && form == Form::Words {
            "what is chosen from a list has words alone"
        } else if is_picture && self.is_inert && self.is_played(address) {
            "only pictures can stand where something is chosen or filled in"
        } else if is_picture && !is_medium(address) && !is_of_the_web(address) {
            "pictures are of the library, or begin with https:"
        } else {
            return None;
        };
        let address = shortened(address);
        Some(format!(
            "{address} is left out and its words stay: {reason}"
        ))
    }

    /// Whether it is a medium of the library that is no picture.
    fn is_played(&self, address: &str) -> bool {
        let content = self.at(address).and_then(|(media, _)| media.content());
        content.is_some_and(|content| content.file.media_type.kind() != MediaKind::Image)
    }

    fn element(&self, picture: &Picture) -> Option<String> {
        let (media, address) = self.at(&picture.address)?;
        let content = media.content()?;
        let alt = described(picture, Some(media)).unwrap_or_default();
        let size = content.file.dimensions.map(pixels);
        let element = Element { address, alt, size };
        let kind = content.file.media_type.kind();
        if kind == MediaKind::Image {
            return Some(element.image(&self.smaller(media)));
        }
        if self.is_inert {
            return None;
        }
        Some(match kind {
            MediaKind::Audio => element.audio(),
            MediaKind::Video => element.video(),
            MediaKind::Image | MediaKind::Captions | MediaKind::Document => Element {
                alt: if alt.is_empty() {
                    media.uploaded.file_name.as_str()
                } else {
                    alt
                },
                ..element
            }
            .link(),
        })
    }

    /// Addresses of the same picture with their widths.
    fn smaller(&self, media: &MediaFile) -> Vec<(String, usize)> {
        let files = media.content().map_or(&[][..], |content| &content.smaller);
        (1..)
            .zip(files)
            .filter_map(|(number, file)| {
                let (width, _) = pixels(file.dimensions?);
                Some((self.addresses.get(&(media.id, number))?.clone(), width))
            })
            .collect()
    }
}

/// How many media are looked up at once.
const AT_ONCE: usize = 200;

impl Media for Shown {
    fn picture(&mut self, picture: &Picture) -> String {
        let media = self.at(&picture.address).map(|(media, _)| media);
        let is_image = |media: &MediaFile| {
            media
                .content()
                .is_some_and(|content| content.file.media_type.kind() == MediaKind::Image)
        };
        let alt = described(picture, media).map(str::to_owned);
        let is_named = self.undescribed.contains(&picture.address);
        if alt.is_none() && media.is_none_or(is_image) && !is_named {
            self.undescribed.push(picture.address.clone());
        }
        if let Some(element) = self.element(picture) {
            return element;
        }
        if is_of_the_web(&picture.address) {
            let alt = picture.alt.trim();
            return Element {
                address: &picture.address,
                alt,
                size: None,
            }
            .image(&[]);
        }
        in_words(picture)
    }

    fn words(&self, picture: &Picture) -> String {
        let media = self.at(&picture.address).map(|(media, _)| media);
        described(picture, media).unwrap_or_default().to_owned()
    }

    fn link(&mut self, address: &str) -> Option<String> {
        self.at(address).map(|(_, own)| own.to_owned())
    }
}

/// Whether a browser loads it from elsewhere, or has it in the text itself. Nothing in a picture can do anything.
fn is_of_the_web(address: &str) -> bool {
    address.starts_with("https://") || address.starts_with("data:image/")
}

/// For whoever only wants to know what the dialect leaves out.
struct Unseen;

impl Media for Unseen {
    fn picture(&mut self, picture: &Picture) -> String {
        in_words(picture)
    }

    fn link(&mut self, _: &str) -> Option<String> {
        None
    }
}

/// The description of a picture that is not there.
fn in_words(picture: &Picture) -> String {
    match picture.alt.trim() {
        "" => String::new(),
        alt => format!("[{}]", escape_text(alt)),
    }
}

/// What is said of it where it stands, else where it is kept; none where nobody said anything.
fn described<'a>(picture: &'a Picture, media: Option<&'a MediaFile>) -> Option<&'a str> {
    let here = picture.alt.trim();
    if !here.is_empty() {
        return Some(here);
    }
    let kept = media?.description.alt_text.as_ref()?;
    Some(kept.as_str().trim())
}

fn pixels((width, height): (u32, u32)) -> (usize, usize) {
    let pixels = |side| usize::try_from(side).unwrap_or(usize::MAX);
    (pixels(width), pixels(height))
}
