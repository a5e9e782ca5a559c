//! The blanks of a cloze: marked in its text by their ids, which may be anything, and in a package by their places.

use serde_json::Value;

/// What such a mark begins with; no formula has it.
pub const MARK: &str = "{{#";

/// The text with `{{#n}}` for each blank of the list, where it stands first. A blank that is named again is an ellipsis; a
/// name that no blank has stays for the player, as it may be a part of a formula.
pub fn numbered(raw: &str, blanks: &[Value]) -> String {
    let ids: Vec<Option<String>> = blanks.iter().map(id).collect();
    let mut used = vec![false; ids.len()];
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once("{{") {
        let end = after.find(['{', '}']).unwrap_or(after.len());
        let (name, tail) = after.split_at_checked(end).unwrap_or((after, ""));
        let place = ids
            .iter()
            .rposition(|id| id.as_deref() == Some(name.trim()));
        let (Some(place), Some(tail)) = (place, tail.strip_prefix("}}")) else {
            // A third brace may be the first of a mark.
            out.push_str(before);
            out.push('{');
            rest = rest
                .get(before.len().saturating_add(1)..)
                .unwrap_or_default();
            continue;
        };
        out.push_str(before);
        match used.get_mut(place) {
            Some(used) if !*used => {
                *used = true;
                out.push_str(MARK);
                out.push_str(&place.to_string());
                out.push_str("}}");
            }
            _ => out.push('…'),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

fn id(blank: &Value) -> Option<String> {
    match blank.get("id")? {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_blank_is_marked_once_by_its_place() {
        let blanks = [json!({"id": "*a*"}), json!({"id": 2}), json!({"id": "a_b"})];
        for (raw, marked) in [
            ("x {{*a*}} y {{ 2 }}.", "x {{#0}} y {{#1}}."),
            ("{{a_b}} {{a_b}} {{c}}", "{{#2}} … {{c}}"),
            (r"$\frac{{2}}{x}$ {{{2}}}", r"$\frac{{#1}}{x}$ {…}"),
            ("{{2} {{", "{{2} {{"),
        ] {
            assert_eq!(numbered(raw, &blanks), marked);
        }
    }
}
