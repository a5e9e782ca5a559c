//! Filters (RFC 7644, 3.4.2.2): `eq`, `ne`, `co`, `sw`, `ew` and `pr`, with `and`, `or`, `not`, parentheses and filters of
//! values. What orders (`gt`, `ge`, `lt`, `le`) is refused.

use serde_json::{Map, Value};

use super::attributes::{AttributePath, member};
use super::errors::{ScimError, ScimType};

/// How long a filter may be, in bytes.
const LONGEST: usize = 4_000;
/// How deep its parentheses may go.
const DEEPEST: usize = 16;

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// They are the same.
    Equal,
    /// They are not.
    NotEqual,
    /// One has the other in it.
    Contains,
    /// It begins with the other.
    StartsWith,
    /// It ends with the other.
    EndsWith,
}

/// A filter.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// Both hold.
    And(Box<Self>, Box<Self>),
    /// One of them holds.
    Or(Box<Self>, Box<Self>),
    /// It does not hold.
    Not(Box<Self>),
    /// There is a value.
    Present(AttributePath),
    /// A value compares so with another.
    Compare(AttributePath, Operator, Value),
    /// One of several values fits.
    Within(String, Box<Self>),
}

impl Filter {
    /// Reads one.
    ///
    /// # Errors
    /// [`ScimType::InvalidFilter`]
    pub fn parse(text: &str) -> Result<Self, ScimError> {
        if text.len() > LONGEST {
            return Err(invalid("it is too long"));
        }
        let mut reader = Reader {
            tokens: tokens(text)?,
            at: 0,
        };
        let filter = reader.either(0)?;
        match reader.next() {
            None => Ok(filter),
            Some(_) => Err(invalid("something follows it")),
        }
    }

    /// Whether a resource fits.
    pub fn fits(&self, resource: &Map<String, Value>) -> bool {
        match self {
            Self::And(one, other) => one.fits(resource) && other.fits(resource),
            Self::Or(one, other) => one.fits(resource) || other.fits(resource),
            Self::Not(filter) => !filter.fits(resource),
            Self::Present(path) => !values(resource, path).is_empty(),
            Self::Compare(path, Operator::NotEqual, wanted) => {
                let found = values(resource, path);
                !found
                    .iter()
                    .any(|value| compares(path, value, Operator::Equal, wanted))
            }
            Self::Compare(path, operator, wanted) => {
                let found = values(resource, path);
                found
                    .iter()
                    .any(|value| compares(path, value, *operator, wanted))
            }
            Self::Within(name, filter) => {
                let found = member(resource, name).and_then(Value::as_array);
                let mut found = found.into_iter().flatten().filter_map(Value::as_object);
                found.any(|value| filter.fits(value))
            }
        }
    }

    /// The text that an attribute is to be, where that is all that is asked.
    pub fn equals(&self, name: &str) -> Option<&str> {
        let Self::Compare(path, Operator::Equal, Value::String(text)) = self else {
            return None;
        };
        let is_it = path.sub.is_none() && path.name.eq_ignore_ascii_case(name);
        is_it.then_some(text)
    }
}

/// The values at a path: of several that have parts their `value`, and none that is empty.
fn values<'a>(resource: &'a Map<String, Value>, path: &AttributePath) -> Vec<&'a Value> {
    let each: Vec<&Value> = match member(resource, &path.name) {
        Some(Value::Array(several)) => several.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    };
    let part = |value: &'a Value| match (value, &path.sub) {
        (Value::Object(members), Some(sub)) => member(members, sub),
        (Value::Object(members), None) => member(members, "value").or(Some(value)),
        (_, Some(_)) => None,
        (plain, None) => Some(plain),
    };
    let found = each.into_iter().filter_map(part);
    found
        .filter(|value| !value.is_null() && **value != Value::String(String::new()))
        .collect()
}

fn compares(path: &AttributePath, value: &Value, operator: Operator, wanted: &Value) -> bool {
    let (Value::String(value), Value::String(wanted)) = (value, wanted) else {
        return operator == Operator::Equal && value == wanted;
    };
    // Ids of others are told apart by their case, nothing else is.
    let is_exact = ["id", "externalId"]
        .iter()
        .any(|name| path.name.eq_ignore_ascii_case(name));
    let folded = |text: &str| {
        if is_exact {
            text.to_owned()
        } else {
            text.to_lowercase()
        }
    };
    let (value, wanted) = (folded(value), folded(wanted));
    match operator {
        Operator::Equal => value == wanted,
        Operator::NotEqual => value != wanted,
        Operator::Contains => value.contains(&wanted),
        Operator::StartsWith => value.starts_with(&wanted),
        Operator::EndsWith => value.ends_with(&wanted),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    OpenValues,
    CloseValues,
    Word(String),
    Text(String),
}

fn invalid(why: &str) -> ScimError {
    ScimError::bad(
        ScimType::InvalidFilter,
        format!("The filter cannot be read: {why}."),
    )
}

fn tokens(text: &str) -> Result<Vec<Token>, ScimError> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '[' => (Token::OpenValues, 1),
            ']' => (Token::CloseValues, 1),
            '"' => quoted(rest)?,
            _ => {
                let end =
                    rest.find(|letter: char| letter.is_whitespace() || "()[]\"".contains(letter));
                let end = end.unwrap_or(rest.len());
                let word = rest.get(..end).unwrap_or_default();
                (Token::Word(word.to_owned()), end)
            }
        };
        found.push(token);
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Ok(found)
}

/// A text in quotes, written as in JSON, and how long it is there.
fn quoted(rest: &str) -> Result<(Token, usize), ScimError> {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => {
                let written = rest.get(..=at).unwrap_or_default();
                let text = serde_json::from_str(written);
                let text = text.map_err(|_| invalid("a text is not written as in JSON"))?;
                return Ok((Token::Text(text), at + 1));
            }
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    Err(invalid("a text does not end"))
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next =
            matches!(self.peek(), Some(Token::Word(found)) if found.eq_ignore_ascii_case(word));
        self.at += usize::from(is_next);
        is_next
    }

    fn either(&mut self, depth: usize) -> Result<Filter, ScimError> {
        let mut filter = self.both(depth)?;
        while self.takes("or") {
            filter = Filter::Or(Box::new(filter), Box::new(self.both(depth)?));
        }
        Ok(filter)
    }

    fn both(&mut self, depth: usize) -> Result<Filter, ScimError> {
        let mut filter = self.one(depth)?;
        while self.takes("and") {
            filter = Filter::And(Box::new(filter), Box::new(self.one(depth)?));
        }
        Ok(filter)
    }

    fn one(&mut self, depth: usize) -> Result<Filter, ScimError> {
        if depth > DEEPEST {
            return Err(invalid("it goes too deep"));
        }
        if self.takes("not") {
            if self.peek() != Some(&Token::Open) {
                return Err(invalid("parentheses follow \"not\""));
            }
            return Ok(Filter::Not(Box::new(self.one(depth + 1)?)));
        }
        match self.next() {
            Some(Token::Open) => {
                let filter = self.either(depth + 1)?;
                self.end(&Token::Close)?;
                Ok(filter)
            }
            Some(Token::Word(word)) => self.of_attribute(&word, depth),
            _ => Err(invalid("an attribute is missing")),
        }
    }

    fn of_attribute(&mut self, word: &str, depth: usize) -> Result<Filter, ScimError> {
        let path = AttributePath::parse(word).ok_or_else(|| invalid("an attribute has no name"))?;
        if self.peek() == Some(&Token::OpenValues) {
            self.at += 1;
            let filter = self.either(depth + 1)?;
            self.end(&Token::CloseValues)?;
            return Ok(Filter::Within(path.name, Box::new(filter)));
        }
        let Some(Token::Word(operator)) = self.next() else {
            return Err(invalid("an operator is missing"));
        };
        let operator = match operator.to_ascii_lowercase().as_str() {
            "pr" => return Ok(Filter::Present(path)),
            "eq" => Operator::Equal,
            "ne" => Operator::NotEqual,
            "co" => Operator::Contains,
            "sw" => Operator::StartsWith,
            "ew" => Operator::EndsWith,
            _ => return Err(invalid("it takes eq, ne, co, sw, ew and pr")),
        };
        let value = match self.next() {
            Some(Token::Text(text)) => Value::String(text),
            Some(Token::Word(word)) => serde_json::from_str(&word.to_ascii_lowercase())
                .map_err(|_| invalid("a value is none of JSON"))?,
            _ => return Err(invalid("a value is missing")),
        };
        Ok(Filter::Compare(path, operator, value))
    }

    fn end(&mut self, with: &Token) -> Result<(), ScimError> {
        if self.next().as_ref() == Some(with) {
            return Ok(());
        }
        Err(invalid("a parenthesis does not end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fits(filter: &str) -> bool {
        let user = json!({
            "id": "usr_1", "userName": "ada@school.example", "externalId": "A-1", "displayName": "Ada \"L\"",
            "active": true, "nickName": "", "emails": [{"value": "ada@school.example", "type": "work"}],
        });
        let filter = Filter::parse(filter).unwrap();
        filter.fits(user.as_object().unwrap())
    }

    #[test]
    fn the_examples_of_rfc_7644_are_read() {
        // Section 3.4.2.2, those without an order.
        for filter in [
            "userName eq \"bjensen\"",
            "name.familyName co \"O'Malley\"",
            "userName sw \"J\"",
            "urn:ietf:params:scim:schemas:core:2.0:User:userName sw \"J\"",
            "title pr",
            "title pr and userType eq \"Employee\"",
            "title pr or userType eq \"Intern\"",
            "userType eq \"Employee\" and (emails co \"example.com\" or emails.value co \"example.org\")",
            "userType ne \"Employee\" and not (emails co \"example.com\" or emails.value co \"example.org\")",
            "userType eq \"Employee\" and (emails.type eq \"work\")",
            "userType eq \"Employee\" and emails[type eq \"work\" and value co \"@example.com\"]",
            "emails[type eq \"work\" and value co \"@example.com\"] or ims[type eq \"xmpp\" and value co \"@foo.com\"]",
        ] {
            assert!(Filter::parse(filter).is_ok(), "{filter}");
        }
    }

    #[test]
    fn what_fits_and_what_does_not() {
        for filter in [
            "userName eq \"ADA@school.example\"",
            "USERNAME Eq \"ada@school.example\"",
            "externalId eq \"A-1\"",
            "displayName eq \"ada \\\"l\\\"\"",
            "active eq true and active eq True",
            "emails.value sw \"ada\" and emails co \"SCHOOL\"",
            "emails[type eq \"work\" and value ew \".example\"]",
            "not (userName eq \"bob\") and displayName pr",
            "userName eq \"bob\" or userName eq \"ada@school.example\" and active eq true",
            "title ne \"Dr\"",
        ] {
            assert!(fits(filter), "{filter}");
        }
        for filter in [
            "externalId eq \"a-1\"",
            "active eq false",
            "active eq \"true\"",
            "title pr",
            "nickName pr",
            "emails[type eq \"home\"]",
            "(userName eq \"bob\" or userName eq \"ada@school.example\") and active eq false",
        ] {
            assert!(!fits(filter), "{filter}");
        }
    }

    #[test]
    fn what_is_not_answered_is_refused() {
        let deep = format!("{}a pr{}", "(".repeat(40), ")".repeat(40));
        let long = format!("a eq \"{}\"", "x".repeat(LONGEST));
        for filter in [
            "",
            "userName",
            "userName eq",
            "eq \"a\"",
            "a gt 1",
            "a lt \"b\"",
            "a eq \"b",
            "a eq b",
            "(a pr",
            "a pr)",
            "a pr b pr",
            "not a pr",
            "a[b pr",
            "a eq \"\\x\"",
            &deep,
            &long,
        ] {
            let refused = Filter::parse(filter).unwrap_err();
            assert_eq!(refused.scim_type, Some(ScimType::InvalidFilter), "{filter}");
        }
    }

    #[test]
    fn a_name_alone_is_looked_up() {
        let filter = Filter::parse("UserName eq \"Ada\"").unwrap();
        assert_eq!(filter.equals("userName"), Some("Ada"));
        assert_eq!(filter.equals("externalId"), None);
    }
}
