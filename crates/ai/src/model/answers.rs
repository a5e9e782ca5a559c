//! From a model's text to a checked document: found, parsed, held against its schema.

use serde_json::Value;

/// Most broken rules that are told to the model or to anybody else.
const MAX_RULES: usize = 10;

/// The JSON object in a text: the text itself, the inside of one code fence, or the first balanced object.
pub(super) fn object_in(text: &str) -> Option<Value> {
    let parse = |text: &str| {
        serde_json::from_str::<Value>(text.trim())
            .ok()
            .filter(Value::is_object)
    };
    parse(text)
        .or_else(|| parse(fenced(text)?))
        .or_else(|| parse(balanced(text)?))
}

fn fenced(text: &str) -> Option<&str> {
    let (_, inside) = text.split_once("```")?;
    let (_, inside) = inside.split_once('\n')?;
    inside.rsplit_once("```").map(|(inside, _)| inside)
}

fn balanced(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let rest = text.get(start..)?;
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return rest.get(..=at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The rules of a schema that a document breaks, and where; empty when there are none.
pub(super) fn broken_rules(schema: &Value, document: &Value) -> Vec<String> {
    let validator = match jsonschema::draft202012::new(schema) {
        Ok(validator) => validator,
        Err(error) => return vec![format!("the schema itself is broken: {error}")],
    };
    validator
        .iter_errors(document)
        .take(MAX_RULES)
        .map(|error| {
            // The message may quote a whole document.
            let said: String = error.to_string().chars().take(200).collect();
            format!("{}: {said}", error.instance_path())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    #[rstest]
    #[case("{\"a\": 1}")]
    #[case("```json\n{\"a\": 1}\n```")]
    #[case("Sure! Here it is:\n```\n{\"a\": 1}\n```\nAnything else?")]
    #[case("I think {\"a\": 1} is it. {}")]
    fn objects_are_found_in_what_models_write(#[case] text: &str) {
        assert_eq!(object_in(text), Some(json!({"a": 1})));
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert_eq!(
            object_in("x {\"a\": \"}\\\"{\"} y"),
            Some(json!({"a": "}\"{"}))
        );
        assert_eq!(object_in("{\"a\": "), None);
        assert_eq!(object_in("[1]"), None);
    }

    proptest! {
        #[test]
        fn any_text_can_be_looked_at(text in "[{}\"`\\\\a\n é]{0,60}") {
            let _ = object_in(&text);
        }
    }
}
