//! Texts of a package: Markdown as [`lyceum_markdown`] renders it, with the package's pictures, and its warnings in sentences
//! that say where.
//!
//! Nothing may reach a package as HTML without passing through [`render`].

use lyceum_markdown::{
    Kind, LEVELS, Media, Picture, Refused, Rendered, Settings, TEXT_BYTES, Warning,
};
use lyceum_ports::exporting::scorm::PackageError;

use crate::rendering::Rendering;
use crate::{links, pictures};

/// The longest field a package takes.
pub const FIELD_BYTES: usize = TEXT_BYTES;

/// Renders `raw` for display; `place` says in warnings and errors where the text stands.
pub fn render(
    raw: &str,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    render_behind(raw, 0, place, rendering)
}

/// The same for a text of which these first lines are not rendered.
pub fn render_behind(
    raw: &str,
    lines_before: usize,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> Result<String, PackageError> {
    let anchors = rendering.next_anchors();
    let settings = Settings {
        anchors: Some(&anchors),
        // The player says them, in the language that it speaks.
        labels: None,
        lines_before,
        ..Settings::default()
    };
    let rendered = rendered(raw, &settings, place, rendering, pictures::embed)?;
    Ok(rendered.html)
}

/// The same by these settings; `embed` says what stands in the place of each picture.
pub fn rendered(
    raw: &str,
    settings: &Settings<'_>,
    place: &str,
    rendering: &mut Rendering<'_>,
    embed: fn(&Picture, &str, &mut Rendering<'_>) -> String,
) -> Result<Rendered, PackageError> {
    let mut embedding = Embedding {
        place,
        rendering,
        embed,
    };
    let rendered = lyceum_markdown::render_with(raw, settings, &mut embedding)
        .map_err(|refused| refusal(refused, raw, place))?;
    for warning in &rendered.warnings {
        rendering.warn(sentence(warning, place));
    }
    Ok(rendered)
}

/// What a text refers to, as the package has it.
struct Embedding<'a, 'm> {
    place: &'a str,
    rendering: &'a mut Rendering<'m>,
    embed: fn(&Picture, &str, &mut Rendering<'_>) -> String,
}

impl Media for Embedding<'_, '_> {
    fn picture(&mut self, picture: &Picture) -> String {
        (self.embed)(picture, self.place, self.rendering)
    }

    fn words(&self, picture: &Picture) -> String {
        let known = self.rendering.media.known(&picture.address);
        let said = pictures::description(picture, known);
        said.unwrap_or_default().to_owned()
    }

    fn link(&mut self, address: &str) -> Option<String> {
        links::lead(address, self.place, self.rendering)
    }
}

fn refusal(refused: Refused, raw: &str, place: &str) -> PackageError {
    PackageError::Invalid(match refused {
        Refused::TooLong => format!(
            "{place} is {} bytes long; a package takes at most {FIELD_BYTES} per text",
            raw.len()
        ),
        Refused::TooDeep => {
            format!("{place} nests more than {LEVELS} levels deep and cannot be put into a package")
        }
    })
}

fn sentence(warning: &Warning, place: &str) -> String {
    if warning.kind == Kind::PlainHttp {
        return format!("{place} links to an http: address; browsers may block or warn about it.");
    }
    format!("In {place}, line {}: {}.", warning.line, warning.told())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::Library;
    use std::time::{Duration, Instant};

    fn html(raw: &str) -> (String, Vec<String>) {
        let nothing = Library::default();
        let mut rendering = Rendering::new(&nothing);
        let html = render(raw, "the lesson", &mut rendering).unwrap();
        (html, rendering.warnings.into_sentences())
    }

    #[test]
    fn links_open_elsewhere_and_plain_http_is_named() {
        let (html, warnings) = html("[a](http://example.com) and [b](https://example.com)");
        assert_eq!(html.matches("target=\"_blank\"").count(), 2);
        assert_eq!(html.matches("rel=\"noopener noreferrer\"").count(), 2);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("http:"));
    }

    #[test]
    fn pictures_become_their_descriptions() {
        let (html, warnings) = html("![A map](https://example.com/map.png) ![](x.png)");
        assert!(html.contains("[A map]"));
        assert!(!html.contains("img"));
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn a_link_leads_to_a_whole_address_or_nowhere() {
        for nowhere in [
            "other.html",
            "#part",
            "//x/y",
            "data:text/html,x",
            "file:///x",
        ] {
            let (html, _) = html(&format!("<a href='{nowhere}'>x</a>"));
            assert!(!html.contains("href"), "{nowhere} gave {html}");
        }
        assert!(
            html("<a href='mailto:a@b.c'>x</a>")
                .0
                .contains("href=\"mailto:a@b.c\"")
        );
    }

    #[test]
    fn a_picture_within_a_description_is_part_of_it() {
        let (html, warnings) = html("![a ![b](https://x/c) `d`\ne](https://x/f) g");
        assert_eq!(html, "<p dir=\"auto\">[a b d e] g</p>\n");
        assert!(
            warnings.len() == 1 && warnings[0].contains("(https://x/f)"),
            "{warnings:?}"
        );
    }

    #[test]
    fn headings_start_below_the_page_heading() {
        assert_eq!(
            html("# A\n\n## B").0.trim(),
            "<h2 dir=\"auto\">A</h2>\n<h3 dir=\"auto\">B</h3>"
        );
        assert_eq!(
            html("### A\n\n#### B").0.trim(),
            "<h2 dir=\"auto\">A</h2>\n<h3 dir=\"auto\">B</h3>"
        );
    }

    #[test]
    fn what_a_text_loses_is_told_with_its_place() {
        let (_, warnings) = html("One\n\nand <script>x</script> and $\\nosuch$");
        assert_eq!(
            warnings[0],
            "In the lesson, line 3: the element <script> is not taken and was left out."
        );
        assert!(
            warnings[1].starts_with(
                "In the lesson, line 3: a formula is shown as it was written, because "
            )
        );
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn notes_of_several_texts_on_a_page_have_names_of_their_own() {
        let nothing = Library::default();
        let mut rendering = Rendering::new(&nothing);
        let mut named = || render("a[^1]\n\n[^1]: b", "the lesson", &mut rendering).unwrap();
        let (first, second) = (named(), named());
        assert!(
            first.contains("<span id=\"t1-1\">") && first.contains("href=\"#t1-1\""),
            "{first}"
        );
        assert!(
            second.contains("<span id=\"t2-1\">") && second.contains("href=\"#t2-1\""),
            "{second}"
        );
    }

    /// Quadratic work on these would take far longer, on any machine and however busy it is.
    const PATIENCE: Duration = Duration::from_mins(1);

    #[test]
    fn a_depth_bomb_is_refused_quickly() {
        let bombs = [
            ">".repeat(FIELD_BYTES - 1),
            "<div>".repeat(50_000),
            "<b><i>".repeat(40_000),
            format!("{}x", "- ".repeat(100_000)),
        ];
        for bomb in bombs {
            let start = Instant::now();
            let refused = render(
                &bomb,
                "the lesson",
                &mut Rendering::new(&Library::default()),
            );
            assert!(
                matches!(refused, Err(PackageError::Invalid(_))),
                "{} bytes",
                bomb.len()
            );
            assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
        }
    }

    #[test]
    fn a_long_field_is_refused() {
        let long = "x".repeat(FIELD_BYTES + 1);
        let refused = render(
            &long,
            "the lesson",
            &mut Rendering::new(&Library::default()),
        );
        assert!(
            matches!(refused, Err(PackageError::Invalid(message)) if message.contains("the lesson"))
        );
    }
}
