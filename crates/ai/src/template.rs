//! Sentences with holes: `{name}` is replaced by a value.
//!
//! Values go in as they are; what they may contain is the caller's business.

/// Fills the holes of a template in one pass, so that a value is never searched for holes itself.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let hole = behind
            .split_once('}')
            .and_then(|(name, after)| Some((find(values, name)?, after)));
        rest = if let Some((value, after)) = hole {
            filled.push_str(value);
            after
        } else {
            filled.push('{');
            behind
        };
    }
    filled.push_str(rest);
    filled
}

fn find<'a>(values: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    values
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_once() {
        assert_eq!(
            fill("a {x} b {y} {{1}}", &[("x", "{y}"), ("y", "2")]),
            "a {y} b 2 {{1}}"
        );
    }
}
