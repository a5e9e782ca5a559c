//! The texts of activities that are Markdown, and what stands in their places in a package.
//!
//! The dialect's table says which they are and what each may have; the pictures to be fetched are looked for by it as well. In a
//! package a text is its words, and what is shown stands under its name in the member `html` of the object that it is of.

use lyceum_markdown::{Form, Reference, Settings, Shape, raw_text, shape_of_content};
use lyceum_ports::exporting::scorm::PackageError;
use serde_json::{Map, Value, json};

use crate::rendering::Rendering;
use crate::{blanks, markdown, pictures, quiz};

/// Exchanges each text of an activity for its words, and puts what is shown beside it.
pub fn mark_up(
    kind: &str,
    content: &mut Map<String, Value>,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> Result<(), PackageError> {
    shape_of_content(kind).map_or(Ok(()), |shape| mark(content, shape, place, rendering))
}

fn mark(
    object: &mut Map<String, Value>,
    shape: &Shape,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> Result<(), PackageError> {
    let mut shown = Map::new();
    for (name, form, called) in shape.texts {
        let Some(raw) = raw(object, name, *form) else {
            continue;
        };
        let place = if called.is_empty() {
            place.to_owned()
        } else {
            format!("{place}, {called}")
        };
        let (html, words) = in_package(&raw, *form, &place, rendering)?;
        object.insert((*name).to_owned(), Value::String(words));
        if *form != Form::Words && !html.is_empty() {
            shown.insert((*name).to_owned(), Value::String(html));
        }
    }
    if !shown.is_empty() {
        object.insert("html".to_owned(), Value::Object(shown));
    }
    for (name, called, below) in shape.lists {
        let list = object.get_mut(*name).and_then(Value::as_array_mut);
        for (number, entry) in (1_usize..).zip(list.into_iter().flatten()) {
            if entry.is_string() || entry.is_number() {
                *entry = json!({"text": entry.take()});
            }
            if let Value::Object(entry) = entry {
                mark(
                    entry,
                    below,
                    &format!("{place}, {called} {number}"),
                    rendering,
                )?;
            }
        }
    }
    Ok(())
}

/// What an activity's text is in a package: HTML, without a paragraph around it if it is one alone, and its words.
fn in_package(
    raw: &str,
    form: Form,
    place: &str,
    rendering: &mut Rendering<'_>,
) -> Result<(String, String), PackageError> {
    let anchors = rendering.next_anchors();
    let settings = settings(raw, form, Some(&anchors));
    let embed = match form {
        Form::Words => pictures::told,
        Form::Pressed | Form::Blanks => pictures::still,
        Form::Page | Form::Text | Form::Line => pictures::embed,
    };
    let rendered = markdown::rendered(raw, &settings, place, rendering, embed)?;
    Ok((without_paragraph(rendered.html), rendered.words))
}

/// Legends, labels and the like hold no paragraphs, and a text that is one alone needs none.
fn without_paragraph(html: String) -> String {
    let inside = html.strip_prefix("<p").and_then(|rest| {
        let rest = rest.strip_prefix(" dir=\"auto\"").unwrap_or(rest);
        rest.strip_prefix('>')?.trim_end().strip_suffix("</p>")
    });
    match inside {
        // Nothing but a paragraph ends so, and none stands within another.
        Some(inside) if !inside.contains("</p>") => inside.to_owned(),
        _ => html,
    }
}

/// The text under this name as it is to be rendered: a cloze with its blanks by number.
fn raw(object: &Map<String, Value>, name: &str, form: Form) -> Option<String> {
    let raw = raw_text(object, name, form)?;
    if form != Form::Blanks {
        return Some(raw);
    }
    let blanks = object.get("blanks").and_then(Value::as_array);
    Some(blanks::numbered(&raw, blanks.map_or(&[], Vec::as_slice)))
}

/// What an activity's texts refer to, in their order.
pub fn references(kind: &str, content: &Value) -> Vec<Reference> {
    let mut found = Vec::new();
    if let (Some(shape), Value::Object(content)) = (shape_of_content(kind), content) {
        look(content, shape, &mut found);
    }
    found
}

fn look(object: &Map<String, Value>, shape: &Shape, found: &mut Vec<Reference>) {
    for (name, form, _) in shape.texts {
        let shown = raw(object, name, *form).filter(|_| *form != Form::Words);
        if let Some(raw) = shown {
            let settings = settings(&raw, *form, None);
            found.extend(lyceum_markdown::references(&raw, &settings));
        }
    }
    let object = Value::Object(object.clone());
    for (name, _, below) in shape.lists {
        for entry in quiz::items(&object, name) {
            match entry {
                Value::Object(entry) => look(entry, below, found),
                Value::String(_) => {
                    let entry = Map::from_iter([("text".to_owned(), entry.clone())]);
                    look(&entry, below, found);
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
            }
        }
    }
}

/// What a text of this form is rendered with. The player says the labels, in the language that it speaks.
fn settings<'a>(raw: &str, form: Form, anchors: Option<&'a str>) -> Settings<'a> {
    form.settings(raw, anchors, blanks::MARK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::Library;

    fn marked(kind: &str, content: Value) -> (Value, Vec<String>) {
        let nothing = Library::default();
        let mut rendering = Rendering::new(&nothing);
        let Value::Object(mut content) = content else {
            panic!("no object")
        };
        mark_up(kind, &mut content, "the activity \"Check\"", &mut rendering).unwrap();
        (Value::Object(content), rendering.warnings.into_sentences())
    }

    fn question(question: &Value) -> (Value, Vec<String>) {
        let (mut quiz, warnings) = marked("quiz", json!({"questions": [question]}));
        (quiz["questions"][0].take(), warnings)
    }

    #[test]
    fn a_question_has_its_words_and_what_is_shown() {
        let (question, warnings) = question(&json!({
            "type": "single_choice", "prompt": "What is **it**?\nLook:\n\n| a |\n|---|\n| b |",
            "explanation": "*So*", "sample_answer": "1. Januar", "accepted_answers": ["*raw*"],
            "options": [{"text": "$x^2$", "feedback": "~~no~~"}, {"text": "# 2 * 3 * 4"}],
            "items": ["_a_", {"text": "b"}, 5], "pairs": [{"left": "`l`", "right": "**r**"}]}));
        assert_eq!(warnings, [""; 0]);
        assert_eq!(question["prompt"], "What is it? Look: a b");
        let prompt = question["html"]["prompt"].as_str().unwrap();
        assert!(
            prompt
                .starts_with("<p dir=\"auto\">What is <strong>it</strong>?<br>\nLook:</p>\n<table"),
            "{prompt}"
        );
        assert_eq!(question["html"]["explanation"], "<em>So</em>");
        assert_eq!(question["html"]["sample_answer"], "1. Januar");
        assert_eq!(question["accepted_answers"], json!(["*raw*"]));
        assert_eq!(question["options"][0]["text"], "x^2");
        let option = question["options"][0]["html"]["text"].as_str().unwrap();
        assert!(option.contains("<math"), "{option}");
        assert_eq!(question["options"][0]["html"]["feedback"], "<del>no</del>");
        assert_eq!(question["options"][1]["html"]["text"], "# 2 * 3 * 4");
        assert_eq!(
            question["items"],
            json!([{"text": "a", "html": {"text": "<em>a</em>"}}, {"text": "b", "html": {"text": "b"}},
                {"text": "5", "html": {"text": "5"}}])
        );
        assert_eq!(
            question["pairs"],
            json!([{"left": "l", "html": {"left": "<code dir=\"ltr\">l</code>"}, "right": "r"}])
        );
    }

    #[test]
    fn other_activities_have_their_texts_marked_up_too() {
        let (deck, _) = marked(
            "flashcards",
            json!({"cards": [{"front": "*a*", "back": "- b\n- c", "hint": "- d"}]}),
        );
        assert_eq!(
            deck["cards"][0]["html"],
            json!({"front": "<em>a</em>", "hint": "- d",
                "back": "<ul dir=\"ltr\">\n<li dir=\"auto\">b</li>\n<li dir=\"auto\">c</li>\n</ul>\n"})
        );
        assert_eq!(deck["cards"][0]["back"], "b c");
        let (explainer, _) = marked(
            "explainer",
            json!({"key_points": ["**k**"], "glossary": [{"term": "`t`", "definition": "*d*"}]}),
        );
        assert_eq!(
            explainer,
            json!({"key_points": [{"text": "k", "html": {"text": "<strong>k</strong>"}}],
                "glossary": [{"term": "t", "definition": "d",
                    "html": {"term": "<code dir=\"ltr\">t</code>", "definition": "<em>d</em>"}}]})
        );
        let (reflection, _) = marked("reflection", json!({"prompt": "a\nb"}));
        assert_eq!(
            reflection,
            json!({"prompt": "a b", "html": {"prompt": "a<br>\nb"}})
        );
    }

    #[test]
    fn a_cloze_keeps_its_blanks_whatever_they_are_called() {
        let blanks = json!([{"id": "a_b"}, {"id": "c_d"}, {"id": 3}]);
        let (cloze, warnings) = question(&json!({"type": "cloze", "blanks": blanks,
            "text": "**{{a_b}}** and _{{c_d}}_, $x = {{3}}$, [link](https://x.example) $y$ {{a_b}}"}));
        let html = cloze["html"]["text"].as_str().unwrap();
        assert!(
            html.starts_with("<strong>{{#0}}</strong> and <em>{{#1}}</em>, $x = {{#2}}$, link <"),
            "{html}"
        );
        assert!(html.contains("<math") && html.ends_with(" …"), "{html}");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        let (open, _) = question(&json!({"type": "open", "text": "*not shown*"}));
        assert_eq!(open, json!({"type": "open", "text": "*not shown*"}));
    }

    #[test]
    fn blanks_in_code_stay_in_one_piece_beside_words_that_are_told_apart() {
        let (cloze, _) = question(
            &json!({"type": "cloze", "blanks": [{"id": "a"}, {"id": "b"}],
            "text": "Fill it in:\n\n```python\nif {{a}} > 1: x = \"{{b}}\"\n```"}),
        );
        let html = cloze["html"]["text"].as_str().unwrap();
        assert!(
            html.contains("<span class=\"k\">if</span> {{#0}} &gt; ")
                && html.contains("<span class=\"s\">\"{{#1}}\"</span>"),
            "{html}"
        );
    }

    #[test]
    fn what_a_text_loses_is_told_with_its_place_in_the_activity() {
        let (_, warnings) = question(&json!({
            "prompt": "One\n\n<iframe src='x'></iframe>", "explanation": "$\\nosuch$",
            "options": [{"text": "a"}, {"text": "[b](https://x.example)", "feedback": "![](https://x/y.png)"}],
            "pairs": [{"left": "a", "right": "![c](https://x/c.png)"}]}));
        for (warning, begins) in warnings.iter().zip([
            "In the activity \"Check\", question 1, line 3: the element <iframe> is not taken",
            "In the activity \"Check\", question 1, the explanation, line 1: a formula is shown as it was written",
            "In the activity \"Check\", question 1, option 2, line 1: the link to https://x.example is not taken here",
            "A picture without a description in the activity \"Check\", question 1, option 2, the feedback was left out",
            "The picture \"c\" in the activity \"Check\", question 1, pair 1, the right side was left out (https://x/c.png): \
             what is chosen from a list has words alone.",
        ]) {
            assert!(warning.starts_with(begins), "{warning}");
        }
        assert_eq!(warnings.len(), 5, "{warnings:?}");
    }

    #[test]
    fn html_on_one_line_is_what_it_is() {
        let (reflection, _) = marked("reflection", json!({"prompt": "<p>What is <b>x</b>?</p>"}));
        assert_eq!(reflection["html"]["prompt"], "What is <b>x</b>?");
        assert_eq!(reflection["prompt"], "What is x?");
        let (reflection, _) = marked("reflection", json!({"prompt": "<p>a</p><p>b</p>"}));
        assert_eq!(
            reflection["html"]["prompt"],
            "<p dir=\"auto\">a</p><p dir=\"auto\">b</p>"
        );
    }

    /// What was written before texts were Markdown reads as it did.
    #[test]
    fn texts_that_were_written_as_plain_ones_stay_what_they_were() {
        for plain in [
            "2 * 3 * 4",
            "a_b_c",
            "x < y",
            "#1",
            "# 1",
            "1. Januar",
            "5 $ und 10 $",
            "C:\\new",
            "> 5",
            "* * *",
            "- 5",
        ] {
            let (made, _) = question(
                &json!({"type": "cloze", "prompt": plain, "explanation": plain, "text": plain,
                "options": [{"text": plain, "feedback": plain}], "items": [plain],
                "pairs": [{"left": plain, "right": plain}]}),
            );
            let shown = |html: &Value| {
                html.as_str()
                    .unwrap()
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
            };
            for html in [
                &made["html"]["prompt"],
                &made["html"]["explanation"],
                &made["html"]["text"],
                &made["options"][0]["html"]["text"],
                &made["options"][0]["html"]["feedback"],
                &made["items"][0]["html"]["text"],
                &made["pairs"][0]["html"]["left"],
            ] {
                assert_eq!(shown(html), plain);
            }
            assert_eq!(made["pairs"][0]["right"], plain);
            assert_eq!(made["prompt"], plain);
        }
    }

    #[test]
    fn pictures_are_looked_for_where_they_are_shown() {
        let quiz = json!({"questions": [{"type": "cloze", "prompt": "![a](https://x/1)", "text": "![b](https://x/2)",
            "explanation": "![c](https://x/3)", "accepted_answers": ["![d](https://x/no)"],
            "options": [{"text": "![e](https://x/4)", "feedback": "![f](https://x/5)"}], "items": ["![g](https://x/6)"],
            "pairs": [{"left": "![h](https://x/7)", "right": "![i](https://x/no)"}]},
            {"type": "open", "text": "![j](https://x/no)", "sample_answer": "![k](https://x/8)"}]});
        let addresses = (1..=8).map(|n| Reference::Picture(format!("https://x/{n}")));
        assert_eq!(references("quiz", &quiz), addresses.collect::<Vec<_>>());
        assert_eq!(references("video", &quiz), []);
    }
}
