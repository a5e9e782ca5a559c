//! Which members of what courses are made of are texts of the dialect, and what each may have.
//!
//! One table for whoever shows them, warns of them or looks for what they refer to. It knows names of members alone.

use serde_json::{Map, Value};

use crate::forms::Form;

/// Texts of an object, and lists of objects that have texts.
#[derive(Debug)]
pub struct Shape {
    /// Name, form, and how a sentence calls it; empty where the object's own place says enough.
    pub texts: &'static [(&'static str, Form, &'static str)],
    /// Name, how a sentence calls an entry, and what an entry has. An entry that is no more than a text has it as `text`.
    pub lists: &'static [(&'static str, &'static str, &'static Shape)],
}

const COURSE: Shape = Shape {
    texts: &[("description", Form::Page, "")],
    lists: &[],
};
const LESSON: Shape = Shape {
    texts: &[("content", Form::Page, "")],
    lists: &[],
};
const ASSIGNMENT: Shape = Shape {
    texts: &[("instructions", Form::Page, "")],
    lists: &[],
};
const RUBRIC: Shape = Shape {
    texts: &[],
    lists: &[("criteria", "criterion", &CRITERION)],
};
const CRITERION: Shape = Shape {
    texts: &[("description", Form::Text, "the description")],
    lists: &[("levels", "level", &LEVEL)],
};
const LEVEL: Shape = Shape {
    texts: &[("description", Form::Text, "the description")],
    lists: &[],
};
const QUIZ: Shape = Shape {
    texts: &[],
    lists: &[("questions", "question", &QUESTION)],
};
const QUESTION: Shape = Shape {
    texts: &[
        ("prompt", Form::Text, ""),
        ("text", Form::Blanks, "the text"),
        ("explanation", Form::Text, "the explanation"),
        ("sample_answer", Form::Text, "the sample answer"),
    ],
    lists: &[
        ("options", "option", &OPTION),
        ("items", "item", &ENTRY),
        ("pairs", "pair", &PAIR),
    ],
};
const OPTION: Shape = Shape {
    texts: &[
        ("text", Form::Pressed, ""),
        ("feedback", Form::Text, "the feedback"),
    ],
    lists: &[],
};
const ENTRY: Shape = Shape {
    texts: &[("text", Form::Text, "")],
    lists: &[],
};
const PAIR: Shape = Shape {
    texts: &[
        ("left", Form::Pressed, "the left side"),
        ("right", Form::Words, "the right side"),
    ],
    lists: &[],
};
const DECK: Shape = Shape {
    texts: &[],
    lists: &[("cards", "card", &CARD)],
};
const CARD: Shape = Shape {
    texts: &[
        ("front", Form::Text, "the front"),
        ("back", Form::Text, "the back"),
        ("hint", Form::Line, "the hint"),
    ],
    lists: &[],
};
const EXPLAINER: Shape = Shape {
    texts: &[],
    lists: &[
        ("sections", "section", &SECTION),
        ("key_points", "key point", &ENTRY),
        ("glossary", "entry of the glossary", &GLOSS),
    ],
};
const SECTION: Shape = Shape {
    texts: &[("body", Form::Page, "the body")],
    lists: &[],
};
const GLOSS: Shape = Shape {
    texts: &[
        ("term", Form::Line, "the term"),
        ("definition", Form::Text, "the definition"),
    ],
    lists: &[],
};
const REFLECTION: Shape = Shape {
    texts: &[("prompt", Form::Text, "")],
    lists: &[],
};

/// The texts of an activity's content, by its kind; none where there are none.
pub fn shape_of_content(kind: &str) -> Option<&'static Shape> {
    match kind {
        "quiz" => Some(&QUIZ),
        "flashcards" => Some(&DECK),
        "explainer" => Some(&EXPLAINER),
        "reflection" => Some(&REFLECTION),
        _ => None,
    }
}

/// A text, and where it stands in the object it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Where, as problems of a request name it: `content.questions[2].options[0].text`.
    pub field: String,
    /// What it may have.
    pub form: Form,
    /// As it was written.
    pub raw: String,
}

/// The texts of a course, a lesson, an activity or an assignment as the interface has them (`object` says which), in their order;
/// none of anything else.
pub fn texts_of(object: &Map<String, Value>) -> Vec<Placed> {
    let word = |member: &str| object.get(member).and_then(Value::as_str);
    let mut found = Vec::new();
    match word("object").unwrap_or_default() {
        "course" => look(object, &COURSE, "", &mut found),
        "lesson" => look(object, &LESSON, "", &mut found),
        "assignment" => {
            look(object, &ASSIGNMENT, "", &mut found);
            below(object, "rubric", &RUBRIC, &mut found);
        }
        "activity" => {
            if let Some(shape) = shape_of_content(word("kind").unwrap_or_default()) {
                below(object, "content", shape, &mut found);
            }
        }
        _ => {}
    }
    found
}

fn below(object: &Map<String, Value>, member: &str, shape: &Shape, found: &mut Vec<Placed>) {
    if let Some(Value::Object(inner)) = object.get(member) {
        look(inner, shape, &format!("{member}."), found);
    }
}

/// `place` is what the object's own members are told behind.
fn look(object: &Map<String, Value>, shape: &Shape, place: &str, found: &mut Vec<Placed>) {
    for (name, form, _) in shape.texts {
        if let Some(raw) = raw_text(object, name, *form) {
            found.push(Placed {
                field: format!("{place}{name}"),
                form: *form,
                raw,
            });
        }
    }
    for (name, _, shape) in shape.lists {
        let list = object.get(*name).and_then(Value::as_array);
        for (number, entry) in list.into_iter().flatten().enumerate() {
            let place = format!("{place}{name}[{number}]");
            if let Value::Object(entry) = entry {
                look(entry, shape, &format!("{place}."), found);
            } else if let Some(raw) = plain(entry).filter(|_| holds_text(shape)) {
                let form = Form::Text;
                found.push(Placed {
                    field: place,
                    form,
                    raw,
                });
            }
        }
    }
}

fn holds_text(shape: &Shape) -> bool {
    shape.texts.iter().any(|(name, ..)| *name == "text")
}

/// The text under this name, if there is one: of a cloze alone its `text`.
pub fn raw_text(object: &Map<String, Value>, name: &str, form: Form) -> Option<String> {
    let is_cloze = || object.get("type").and_then(Value::as_str) == Some("cloze");
    if form == Form::Blanks && !is_cloze() {
        return None;
    }
    plain(object.get(name)?)
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(raw) => Some(raw.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(object: Value) -> Vec<String> {
        let Value::Object(object) = object else {
            panic!("no object")
        };
        texts_of(&object)
            .into_iter()
            .map(|text| text.field)
            .collect()
    }

    #[test]
    fn a_text_is_named_as_problems_of_a_request_are() {
        let quiz = json!({"object": "activity", "kind": "quiz", "content": {"questions": [
            {"prompt": "a", "type": "cloze", "text": "b", "items": ["c", {"text": "d"}]},
            {"prompt": 7, "text": "no cloze", "options": [{"text": "e", "rationale": "f"}]},
        ]}});
        assert_eq!(
            fields(quiz),
            [
                "content.questions[0].prompt",
                "content.questions[0].text",
                "content.questions[0].items[0]",
                "content.questions[0].items[1].text",
                "content.questions[1].prompt",
                "content.questions[1].options[0].text",
            ]
        );
        let assignment = json!({"object": "assignment", "instructions": "a", "rubric": {"criteria": [
            {"name": "b", "description": "c", "levels": [{"description": "d", "label": "e"}]}]}});
        assert_eq!(
            fields(assignment),
            [
                "instructions",
                "rubric.criteria[0].description",
                "rubric.criteria[0].levels[0].description"
            ]
        );
        assert_eq!(
            fields(json!({"object": "lesson", "content": "a", "summary": "b"})),
            ["content"]
        );
        let explainer = json!({"object": "activity", "kind": "explainer", "content": {"sections": [{"body": "a"}]}});
        assert_eq!(fields(explainer), ["content.sections[0].body"]);
        assert_eq!(fields(json!({"object": "unit", "name": "a"})), [""; 0]);
    }
}
