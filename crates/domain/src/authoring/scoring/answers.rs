//! Reading answers, which come in the form that their question asks for.

use std::collections::BTreeMap;

use serde_json::Value;

use super::MAX_TEXT_CHARS;
use crate::Invalid;
use crate::authoring::activities::quiz::{ChoiceOption, OrderedItem, Pair};

fn problem<T>(path: &str, problem: &str) -> Result<T, Vec<Invalid>> {
    Err(vec![Invalid::new(path, problem)])
}

/// A text, empty when it is only white space.
pub(super) fn text<'a>(answer: &'a Value, path: &str) -> Result<&'a str, Vec<Invalid>> {
    let Some(text) = answer.as_str() else {
        return problem(path, "must be of type string");
    };
    // Bytes bound characters from above, so most texts never need counting.
    if text.len() > MAX_TEXT_CHARS && text.chars().count() > MAX_TEXT_CHARS {
        let text = format!("must have at most {MAX_TEXT_CHARS} characters");
        return problem(path, &text);
    }
    Ok(text.trim())
}

/// A text of at least so many words.
pub(super) fn written(answer: &Value, path: &str, least: u64) -> Result<(), Invalid> {
    let text = text(answer, path).map_err(|problems| {
        let first = problems.into_iter().next();
        first.unwrap_or_else(|| Invalid::new(path, "is not valid"))
    })?;
    let words = u64::try_from(text.split_whitespace().count()).unwrap_or(u64::MAX);
    match least {
        _ if words >= least => Ok(()),
        1 => Err(Invalid::new(path, "must not be blank")),
        _ => Err(Invalid::new(
            path,
            format!("must have at least {least} words"),
        )),
    }
}

/// The option that an answer names by its id.
pub(super) fn option<'o>(
    answer: &Value,
    path: &str,
    options: &'o [ChoiceOption],
) -> Result<&'o ChoiceOption, Vec<Invalid>> {
    let named = text(answer, path)?;
    let option = options.iter().find(|option| option.id == named);
    option.map_or_else(|| problem(path, "must be the id of one of the options"), Ok)
}

/// The options that a list of ids names, each once.
pub(super) fn options<'o>(
    answer: &Value,
    path: &str,
    options: &'o [ChoiceOption],
) -> Result<Vec<&'o ChoiceOption>, Vec<Invalid>> {
    let (mut chosen, mut problems) = (Vec::new(), Vec::new());
    for (index, id) in list(answer, path)?.iter().enumerate() {
        let path = format!("{path}[{index}]");
        match option(id, &path, options) {
            Ok(found) if chosen.contains(&found) => {
                problems.push(Invalid::new(path, "must not be chosen twice"));
            }
            Ok(found) => chosen.push(found),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        Ok(chosen)
    } else {
        Err(problems)
    }
}

/// True or false.
pub(super) fn truth(answer: &Value, path: &str) -> Result<bool, Vec<Invalid>> {
    let truth = answer.as_bool();
    truth.map_or_else(|| problem(path, "must be of type boolean"), Ok)
}

/// A number, or one as learners write it: `3,5`, `1 000`, `−2`; `None` for a blank.
pub(super) fn number(answer: &Value, path: &str) -> Result<Option<f64>, Vec<Invalid>> {
    if let Some(number) = answer.as_f64() {
        return Ok(Some(number));
    }
    let Some(text) = answer.as_str() else {
        return problem(path, "must be of type number");
    };
    if text.trim().is_empty() {
        return Ok(None);
    }
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\'')
        .map(|c| if c == '\u{2212}' { '-' } else { c })
        .collect();
    let plain = plain.replacen(',', ".", 1);
    // Rust also reads words such as `inf`, which no learner means.
    let is_plain = plain
        .chars()
        .all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    let number = plain.parse::<f64>().ok();
    match number.filter(|number| is_plain && number.is_finite()) {
        Some(number) => Ok(Some(number)),
        None => problem(path, "must be a number"),
    }
}

/// Texts by the id of what they belong to; every id must be known.
pub(super) fn texts<'a>(
    answer: &'a Value,
    path: &str,
    ids: &[&str],
) -> Result<BTreeMap<&'a str, &'a str>, Vec<Invalid>> {
    let Some(given) = answer.as_object() else {
        return problem(path, "must be of type object");
    };
    let (mut texts, mut problems) = (BTreeMap::new(), Vec::new());
    for (id, value) in given.iter().filter(|(_, value)| !value.is_null()) {
        let path = format!("{path}.{id}");
        if !ids.contains(&id.as_str()) {
            problems.push(Invalid::new(path, "is not a part of this question"));
            continue;
        }
        match text(value, &path) {
            Ok(text) => drop(texts.insert(id.as_str(), text)),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        Ok(texts)
    } else {
        Err(problems)
    }
}

/// The order of things, named by what they say or by their ids, as texts; every one of them once.
pub(super) fn order<'o>(
    answer: &Value,
    path: &str,
    items: &'o [OrderedItem],
) -> Result<Vec<&'o str>, Vec<Invalid>> {
    let mut named = Vec::new();
    for (index, entry) in list(answer, path)?.iter().enumerate() {
        named.push(text(entry, &format!("{path}[{index}]"))?);
    }
    // What things say goes first: it is all that learners are shown.
    let ordered = arranged(&named, items, |item| item.text.trim());
    let ordered = ordered.or_else(|| arranged(&named, items, |item| &item.id));
    ordered.map_or_else(|| problem(path, "must name every item once"), Ok)
}

fn arranged<'o>(
    named: &[&str],
    items: &'o [OrderedItem],
    name: impl Fn(&'o OrderedItem) -> &'o str,
) -> Option<Vec<&'o str>> {
    let mut left: Vec<&OrderedItem> = items.iter().collect();
    let mut order = Vec::new();
    for wanted in named {
        let at = left.iter().position(|item| name(item) == *wanted)?;
        order.push(left.remove(at).text.as_str());
    }
    left.is_empty().then_some(order)
}

/// What was put beside each left side; every right side must be one of the question's.
pub(super) fn matches<'o>(
    answer: &Value,
    path: &str,
    pairs: &'o [Pair],
) -> Result<BTreeMap<String, &'o str>, Vec<Invalid>> {
    let ids: Vec<&str> = pairs.iter().map(|pair| pair.id.as_str()).collect();
    let (mut matches, mut problems) = (BTreeMap::new(), Vec::new());
    for (id, named) in texts(answer, path, &ids)? {
        if named.is_empty() {
            continue;
        }
        let by_text = pairs.iter().find(|pair| pair.right.trim() == named);
        match by_text.or_else(|| pairs.iter().find(|pair| pair.id == named)) {
            Some(pair) => drop(matches.insert(id.to_owned(), pair.right.as_str())),
            None => problems.push(Invalid::new(
                format!("{path}.{id}"),
                "must be one of the right sides",
            )),
        }
    }
    if problems.is_empty() {
        Ok(matches)
    } else {
        Err(problems)
    }
}

fn list<'a>(answer: &'a Value, path: &str) -> Result<&'a [Value], Vec<Invalid>> {
    let entries = answer.as_array();
    entries.map_or_else(
        || problem(path, "must be an array"),
        |entries| Ok(entries.as_slice()),
    )
}
