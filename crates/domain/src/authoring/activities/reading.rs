//! Reading content documents: every problem is noted with its path, and reading goes on behind it.

use std::cell::RefCell;

use serde_json::Value;

use crate::Invalid;
use crate::authoring::media::SCHEME;
use crate::ids::MediaId;
use crate::json::JsonObject;
use crate::text::LongText;

/// Most entries of any list in a document.
pub(super) const MAX_ENTRIES: usize = 500;
/// Longest id of a question, an option, a card …, in characters.
const MAX_ID_CHARS: usize = 64;

/// What is wrong with a document, in the order found.
#[derive(Default)]
pub(super) struct Problems(RefCell<Vec<Invalid>>);

impl Problems {
    /// Notes one.
    fn note(&self, problem: Invalid) {
        self.0.borrow_mut().push(problem);
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<Invalid> {
        self.0.into_inner()
    }
}

/// An object somewhere in a document. Members that nobody reads are nobody's business; `null` is absent.
#[derive(Clone)]
pub(super) struct Place<'a> {
    members: &'a JsonObject,
    path: String,
    problems: &'a Problems,
}

impl<'a> Place<'a> {
    /// The document itself.
    pub fn root(members: &'a JsonObject, path: &str, problems: &'a Problems) -> Self {
        Self {
            members,
            path: path.to_owned(),
            problems,
        }
    }

    /// Notes what is wrong with a member.
    pub fn wrong(&self, member: &str, problem: impl Into<String>) {
        self.problems.note(Invalid::new(self.at(member), problem));
    }

    /// A text that has to be there, with something visible in it.
    pub fn text(&self, member: &str) -> Option<&'a str> {
        let text = self.required(member)?;
        let text = self.as_text(member, text)?;
        if text.trim().is_empty() {
            self.wrong(member, "must not be blank");
            return None;
        }
        Some(text)
    }

    /// A text that may be absent, which is the same as empty.
    pub fn optional_text(&self, member: &str) -> &'a str {
        let text = self.get(member);
        text.and_then(|text| self.as_text(member, text))
            .unwrap_or_default()
    }

    /// An id, which `number_entries` has seen to be there.
    pub fn id(&self) -> &'a str {
        let id = self.text("id").unwrap_or_default();
        if id.chars().count() > MAX_ID_CHARS {
            let problem = format!("must have at most {MAX_ID_CHARS} characters");
            self.wrong("id", problem);
        }
        id
    }

    /// One of a few words; the first of them when absent.
    pub fn word(&self, member: &str, words: &[&'static str]) -> &'static str {
        let first = words.first().copied().unwrap_or_default();
        let Some(given) = self.get(member) else {
            return first;
        };
        let known = words.iter().find(|word| given.as_str() == Some(**word));
        known.copied().unwrap_or_else(|| {
            self.wrong(member, format!("must be one of {}", words.join(" ")));
            first
        })
    }

    /// Yes or no; no when absent.
    pub fn flag(&self, member: &str) -> bool {
        self.optional_flag(member).unwrap_or_default()
    }

    /// Yes or no, if it is there.
    pub fn optional_flag(&self, member: &str) -> Option<bool> {
        let flag = self.get(member)?;
        if !flag.is_boolean() {
            self.wrong(member, "must be of type boolean");
        }
        flag.as_bool()
    }

    /// Yes or no, which has to be there.
    pub fn required_flag(&self, member: &str) -> Option<bool> {
        self.required(member)?;
        self.optional_flag(member)
    }

    /// A number that has to be there.
    pub fn number(&self, member: &str) -> Option<f64> {
        self.required(member)?;
        self.optional_number(member)
    }

    /// A number that may be absent.
    pub fn optional_number(&self, member: &str) -> Option<f64> {
        let given = self.get(member)?;
        let number = given.as_f64();
        if number.is_none() {
            self.wrong(member, "must be of type number");
        }
        number
    }

    /// A number that is not negative, if it is there.
    pub fn optional_amount(&self, member: &str) -> Option<f64> {
        let number = self.optional_number(member)?;
        if number < 0.0 {
            self.wrong(member, "must be at least 0");
            return None;
        }
        Some(number)
    }

    /// A whole number from 0 to `most`, if it is there.
    pub fn optional_whole(&self, member: &str, most: u32) -> Option<u32> {
        self.whole_within(member, 0, most)
    }

    /// A whole number from 1 to `most`, if it is there.
    pub fn optional_whole_from_1(&self, member: &str, most: u32) -> Option<u32> {
        self.whole_within(member, 1, most)
    }

    fn whole_within(&self, member: &str, least: u32, most: u32) -> Option<u32> {
        let given = self.get(member)?;
        let whole = given.as_u64().and_then(|number| u32::try_from(number).ok());
        let whole = whole.filter(|number| (least..=most).contains(number));
        if whole.is_none() {
            self.wrong(
                member,
                format!("must be an integer between {least} and {most}"),
            );
        }
        whole
    }

    /// The value itself, if it is there.
    pub fn get(&self, member: &str) -> Option<&'a Value> {
        self.members.get(member).filter(|value| !value.is_null())
    }

    /// An address that has to be there: of the web, or of the media library.
    pub fn address(&self, member: &str) -> Option<&'a str> {
        let text = self.text(member)?;
        if !is_web_address(text) && !is_in_library(text) {
            self.wrong(
                member,
                "must be an absolute http or https address, or media:med_…",
            );
            return None;
        }
        Some(text)
    }

    /// A list of at least `least` objects that has to be there.
    pub fn objects(&self, member: &str, least: usize) -> Vec<Self> {
        if self.required(member).is_none() {
            return Vec::new();
        }
        let objects = self.optional_objects(member);
        let is_short = self
            .get(member)
            .and_then(Value::as_array)
            .is_some_and(|entries| entries.len() < least);
        if is_short {
            self.wrong(member, format!("must have at least {least} entries"));
        }
        objects
    }

    /// A list of objects that may be absent.
    pub fn optional_objects(&self, member: &str) -> Vec<Self> {
        let mut objects = Vec::new();
        for (index, entry) in self.entries(member).iter().enumerate() {
            let path = format!("{}[{index}]", self.at(member));
            if let Value::Object(members) = entry {
                objects.push(Self {
                    members,
                    path,
                    problems: self.problems,
                });
            } else {
                self.problems.note(Invalid::new(path, "must be an object"));
            }
        }
        objects
    }

    /// A list of visible texts, at least `least` of them.
    pub fn texts(&self, member: &str, least: usize) -> Vec<String> {
        if least > 0 && self.required(member).is_none() {
            return Vec::new();
        }
        let entries = self.entries(member);
        if self.get(member).is_some_and(Value::is_array) && entries.len() < least {
            self.wrong(member, "must not be empty");
        }
        let mut texts = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let member = format!("{member}[{index}]");
            match self.as_text(&member, entry) {
                Some(text) if text.trim().is_empty() => self.wrong(&member, "must not be blank"),
                Some(text) => texts.push(text.to_owned()),
                None => {}
            }
        }
        texts
    }

    /// An object that may be absent.
    pub fn optional_object(&self, member: &str) -> Option<Self> {
        let Value::Object(members) = self.get(member)? else {
            self.wrong(member, "must be an object");
            return None;
        };
        let path = self.at(member);
        Some(Self {
            members,
            path,
            problems: self.problems,
        })
    }

    fn required(&self, member: &str) -> Option<&'a Value> {
        let given = self.get(member);
        if given.is_none() {
            self.problems.note(Invalid::missing(self.at(member)));
        }
        given
    }

    fn entries(&self, member: &str) -> &'a [Value] {
        match self.get(member) {
            None => &[],
            Some(Value::Array(entries)) if entries.len() <= MAX_ENTRIES => entries,
            Some(Value::Array(_)) => {
                self.wrong(member, format!("must have at most {MAX_ENTRIES} entries"));
                &[]
            }
            Some(_) => {
                self.wrong(member, "must be an array");
                &[]
            }
        }
    }

    fn as_text(&self, member: &str, value: &'a Value) -> Option<&'a str> {
        let Some(text) = value.as_str() else {
            self.wrong(member, "must be of type string");
            return None;
        };
        if let Err(problem) = LongText::parse(text) {
            self.wrong(member, problem.to_string());
            return None;
        }
        Some(text)
    }

    fn at(&self, member: &str) -> String {
        format!("{}.{member}", self.path)
    }
}

/// Notes every id that another one before it has already.
pub(super) fn refuse_doubles(places: &[Place<'_>]) {
    let mut seen = Vec::new();
    for place in places {
        let id = place.members.get("id").and_then(Value::as_str);
        let Some(id) = id else { continue };
        if seen.contains(&id) {
            place.wrong("id", "must not be used twice");
        }
        seen.push(id);
    }
}

/// Whether it names a file of the media library.
fn is_in_library(text: &str) -> bool {
    let id = text.strip_prefix(SCHEME);
    id.is_some_and(|id| id.parse::<MediaId>().is_ok())
}

/// Whether a browser would open it: http or https, and a host behind it.
fn is_web_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !host.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control())
    })
}
