//! Texts that nobody has saved yet, as whoever reads them would see them. Nothing of them is kept.

use lyceum_markdown::{Form, Labels, Placed};
use lyceum_wire::authoring::texts::{RenderedTextView, UnsavedText};

use crate::authoring::texts::{self, Shown};
use crate::prelude::*;

/// What the names of places within such a text begin with.
const ANCHORS: &str = "unsaved";

/// A text, with all that it takes to show it.
#[derive(Debug)]
pub struct FoundText {
    text: Placed,
    language: String,
    shown: Shown,
}

/// Reads what the text refers to: media of the caller's own workspace, and the language that the words of ours are in.
///
/// # Errors
/// [`Error::Reference`] where it names a lesson or a course that is not there.
pub fn find(tx: &mut dyn Tx, ctx: &Context, unsaved: &UnsavedText) -> Result<FoundText, Error> {
    let text = Placed {
        field: "text".to_owned(),
        form: Form::Page,
        raw: unsaved.text.to_string(),
    };
    let language = language_of(tx, ctx, unsaved)?;
    let shown = Shown::load(tx, ctx, &texts::referred_by([&text]))?;
    Ok(FoundText {
        text,
        language,
        shown,
    })
}

fn language_of(tx: &mut dyn Tx, ctx: &Context, unsaved: &UnsavedText) -> Result<String, Error> {
    let workspace = ctx.workspace_id();
    let (field, course) = match (unsaved.lesson_id, unsaved.course_id) {
        (Some(id), _) => {
            let lesson = tx.lessons().find(workspace, id)?;
            let lesson = referenced(lesson, "lesson_id", "lesson")?;
            if let Some(language) = lesson.language {
                return Ok(language.to_string());
            }
            ("lesson_id", lesson.course_id)
        }
        (None, Some(id)) => ("course_id", id),
        (None, None) => return Ok(String::new()),
    };
    let course = referenced(tx.courses().find(workspace, course)?, field, "course")?;
    Ok(course.language.to_string())
}

/// The text as it is shown, and what it loses. A long one takes a while: no thread that others wait for should do it.
pub fn render(found: FoundText) -> RenderedTextView {
    let FoundText {
        text,
        language,
        mut shown,
    } = found;
    let labels = Labels::in_language(&language);
    let html = texts::rendered(&text, Some(ANCHORS), labels, &mut shown);
    RenderedTextView::new(html, texts::told(&text, &mut shown))
}

#[cfg(test)]
mod tests {
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::text::LongText;
    use lyceum_ports::mocks::MockTx;

    use super::*;
    use crate::identity::visibility::tests::{context, id};

    fn unsaved(text: &str) -> UnsavedText {
        UnsavedText {
            text: LongText::parse(text).unwrap(),
            lesson_id: None,
            course_id: None,
        }
    }

    #[test]
    fn a_text_is_shown_with_what_it_loses_and_where() {
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let text = unsaved("One *two*\n\n<iframe src=x></iframe>");
        let found = find(&mut MockTx::default(), &ctx, &text).unwrap();
        let shown = render(found);
        assert!(shown.html.contains("<em>two</em>") && !shown.html.contains("iframe"));
        assert_eq!(shown.warnings[0].line, Some(3));
    }

    #[test]
    fn a_lesson_that_is_not_there_lends_no_language() {
        let mut tx = MockTx::default();
        tx.lessons.expect_find().returning(|_, _| Ok(None));
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let text = UnsavedText {
            lesson_id: Some(id(4)),
            ..unsaved("x")
        };
        let refused = find(&mut tx, &ctx, &text);
        assert!(matches!(
            refused,
            Err(Error::Reference {
                field: "lesson_id",
                ..
            })
        ));
    }
}
