//! The texts: of each mail a subject, a plain text and a text in HTML, in each language a folder.
//!
//! Those in the binary can be replaced by a folder of the operator's. Whatever a text asks for that no mail of its kind has is found
//! when the service starts, and not when the first mail goes out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lyceum_domain::Timestamp;
use lyceum_domain::notifying::letters::{Letter, MailTemplate};
use lyceum_domain::text::LanguageTag;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use thiserror::Error;

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: {why}", .file.display())]
pub struct TemplateError {
    /// Where it is.
    pub file: PathBuf,
    /// What it is.
    pub why: String,
}

/// Parts of a mail, by how their files end.
const PARTS: [&str; 3] = ["subject", "txt", "html"];
/// Whose text is taken where there is none in the language asked for.
const FALLBACK: &str = "en";
/// Longest file that is read: a text, and no film.
const LONGEST: u64 = 256 * 1024;

/// A text that is in the binary.
macro_rules! built_in {
    ($language:literal, $name:literal) => {
        (
            $language,
            $name,
            [
                include_str!(concat!("../templates/", $language, "/", $name, ".subject")),
                include_str!(concat!("../templates/", $language, "/", $name, ".txt")),
                include_str!(concat!("../templates/", $language, "/", $name, ".html")),
            ],
        )
    };
}

/// Language, name, and the three parts.
type BuiltIn = (&'static str, &'static str, [&'static str; 3]);

/// In the languages of the console.
const BUILT_IN: &[BuiltIn] = &[
    built_in!("ar", "invitation"),
    built_in!("ar", "sign_in_link"),
    built_in!("ar", "key_made"),
    built_in!("ar", "passkey_added"),
    built_in!("ar", "passkey_removed"),
    built_in!("ar", "digest"),
    built_in!("ar", "test"),
    built_in!("de", "invitation"),
    built_in!("de", "sign_in_link"),
    built_in!("de", "key_made"),
    built_in!("de", "passkey_added"),
    built_in!("de", "passkey_removed"),
    built_in!("de", "digest"),
    built_in!("de", "test"),
    built_in!("en", "invitation"),
    built_in!("en", "sign_in_link"),
    built_in!("en", "key_made"),
    built_in!("en", "passkey_added"),
    built_in!("en", "passkey_removed"),
    built_in!("en", "digest"),
    built_in!("en", "test"),
    built_in!("es", "invitation"),
    built_in!("es", "sign_in_link"),
    built_in!("es", "key_made"),
    built_in!("es", "passkey_added"),
    built_in!("es", "passkey_removed"),
    built_in!("es", "digest"),
    built_in!("es", "test"),
    built_in!("fr", "invitation"),
    built_in!("fr", "sign_in_link"),
    built_in!("fr", "key_made"),
    built_in!("fr", "passkey_added"),
    built_in!("fr", "passkey_removed"),
    built_in!("fr", "digest"),
    built_in!("fr", "test"),
];

/// A mail in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// What it is about, in a line.
    pub subject: String,
    /// Plain.
    pub text: String,
    /// With links and paragraphs.
    pub html: String,
    /// In which language.
    pub language: String,
    /// Where whoever gets it says that they want no more of its kind.
    pub unsubscribe: Option<String>,
}

/// All texts.
pub struct Templates {
    environment: Environment<'static>,
    languages: BTreeSet<String>,
}

impl Templates {
    /// Those in the binary.
    ///
    /// # Errors
    /// Never, unless one of ours is wrong.
    pub fn built_in() -> Result<Self, TemplateError> {
        Self::of(BTreeMap::new())
    }

    /// Those in the binary, with those of a folder in their places: `de/invitation.txt` takes the place of that text, and a
    /// language that we do not have needs all of them.
    ///
    /// # Errors
    /// The first that cannot be, by its file.
    pub fn with_folder(folder: &Path) -> Result<Self, TemplateError> {
        Self::of(texts_in(folder)?)
    }

    fn of(others: BTreeMap<String, (PathBuf, String)>) -> Result<Self, TemplateError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|name| {
            if is_html(name) {
                AutoEscape::Html
            } else {
                AutoEscape::None
            }
        });
        let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
        for (language, name, parts) in BUILT_IN {
            for (part, text) in PARTS.iter().zip(parts) {
                let key = format!("{language}/{name}.{part}");
                files.insert(key.clone(), PathBuf::from(format!("templates/{key}")));
                add(&mut environment, &files, &key, (*text).to_owned())?;
            }
        }
        for (key, (file, text)) in others {
            files.insert(key.clone(), file);
            add(&mut environment, &files, &key, text)?;
        }
        let languages = files.keys().filter_map(|key| key.split('/').next());
        let languages: BTreeSet<String> = languages.map(str::to_owned).collect();
        let templates = Self {
            environment,
            languages,
        };
        templates.check(&files)?;
        Ok(templates)
    }

    /// The languages that there are texts in.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(String::as_str)
    }

    /// Every text of every language is there, asks for nothing that its mails do not have, and has what it needs.
    fn check(&self, files: &BTreeMap<String, PathBuf>) -> Result<(), TemplateError> {
        for language in &self.languages {
            for template in MailTemplate::ALL {
                for part in PARTS {
                    let key = format!("{language}/{template}.{part}");
                    let Some(file) = files.get(&key) else {
                        return Err(TemplateError {
                            file: PathBuf::from(key),
                            why: format!("is missing, and there is no other in {language}"),
                        });
                    };
                    self.check_one(&key, *template, part).map_err(|why| {
                        let file = file.clone();
                        TemplateError { file, why }
                    })?;
                }
            }
        }
        Ok(())
    }

    fn check_one(&self, key: &str, template: MailTemplate, part: &str) -> Result<(), String> {
        let parsed = self
            .environment
            .get_template(key)
            .map_err(|error| error.to_string())?;
        let asked = parsed.undeclared_variables(false);
        let is_subject = part == "subject";
        let has = |name: &str| {
            let known = template.values().contains(&name) || MailTemplate::COMMON.contains(&name);
            // A subject is shown where a mail is not open, and kept by whoever handles it.
            known && !(is_subject && name == "link")
        };
        if let Some(unknown) = asked.iter().find(|name| !has(name)) {
            let all = template.values().iter().chain(MailTemplate::COMMON);
            let all: Vec<&str> = all.copied().filter(|name| has(name)).collect();
            return Err(format!(
                "asks for {unknown}, and may ask for {}",
                all.join(", ")
            ));
        }
        let lacks = |name: &&&str| !asked.contains(**name);
        if let Some(missing) = template.needed().iter().find(lacks)
            && !is_subject
        {
            return Err(format!("does not say {{{{ {missing} }}}}"));
        }
        let sample = Letter::sample(template, Timestamp::from_unix_millis(0));
        let written = self.part(key, &sample, "https://lyceum.example")?;
        if written.trim().is_empty() {
            return Err("says nothing".to_owned());
        }
        Ok(())
    }

    fn part(&self, key: &str, letter: &Letter, service: &str) -> Result<String, String> {
        let values = letter.values().iter();
        let values = values.map(|(name, value)| (name.as_str(), value.as_str()));
        let values = Value::from_pairs(values.chain([("service", service)]));
        let parsed = self.environment.get_template(key);
        parsed
            .and_then(|parsed| parsed.render(values))
            .map_err(|error| error.to_string())
    }

    /// The language that comes nearest: the same with its region, the same, or English.
    fn nearest(&self, wanted: &LanguageTag) -> &str {
        let exact = wanted.as_str().to_lowercase();
        let primary = wanted.primary().to_lowercase();
        [exact.as_str(), primary.as_str()]
            .into_iter()
            .find_map(|tag| self.languages.get(tag))
            .map_or(FALLBACK, String::as_str)
    }

    /// A letter in words.
    ///
    /// # Errors
    /// What is wrong, where a text does not fit what it is about.
    pub fn write(
        &self,
        letter: &Letter,
        language: &LanguageTag,
        service: &str,
    ) -> Result<Written, String> {
        let language = self.nearest(language);
        let part = |part| {
            let key = format!("{language}/{}.{part}", letter.template());
            self.part(&key, letter, service)
        };
        let subject = part("subject")?;
        Ok(Written {
            // In one line, whatever the file is like.
            subject: subject.split_whitespace().collect::<Vec<_>>().join(" "),
            text: part("txt")?,
            html: part("html")?,
            language: language.to_owned(),
            unsubscribe: letter.unsubscribe().map(str::to_owned),
        })
    }
}

fn is_html(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "html")
}

fn add(
    environment: &mut Environment<'static>,
    files: &BTreeMap<String, PathBuf>,
    key: &str,
    text: String,
) -> Result<(), TemplateError> {
    let added = environment.add_template_owned(key.to_owned(), text);
    added.map_err(|error| TemplateError {
        file: files.get(key).cloned().unwrap_or_default(),
        why: error.to_string(),
    })
}

/// Every file of a folder: `language/name.part`, where it is, and what it says.
fn texts_in(folder: &Path) -> Result<BTreeMap<String, (PathBuf, String)>, TemplateError> {
    let mut texts = BTreeMap::new();
    for (language, place) in entries(folder)? {
        let is_tag = LanguageTag::parse(&language).is_ok() && language == language.to_lowercase();
        if !place.is_dir() || !is_tag {
            return wrong(&place, "is no folder of a language, such as de or pt-br");
        }
        for (name, file) in entries(&place)? {
            let parts = name.rsplit_once('.');
            let is_one = parts.is_some_and(|(stem, part)| {
                MailTemplate::parse(stem).is_ok() && PARTS.contains(&part)
            });
            if !is_one {
                let all: Vec<&str> = MailTemplate::ALL.iter().map(|it| it.as_str()).collect();
                let why = format!(
                    "is no text: they are called {} with .subject, .txt or .html",
                    all.join(", ")
                );
                return wrong(&file, &why);
            }
            let text = read(&file)?;
            texts.insert(format!("{language}/{name}"), (file, text));
        }
    }
    Ok(texts)
}

fn wrong<T>(file: &Path, why: &str) -> Result<T, TemplateError> {
    Err(TemplateError {
        file: file.to_owned(),
        why: why.to_owned(),
    })
}

fn read(file: &Path) -> Result<String, TemplateError> {
    match std::fs::metadata(file) {
        Ok(about) if about.len() > LONGEST => return wrong(file, "is longer than 256 KiB"),
        Ok(_) | Err(_) => {}
    }
    std::fs::read_to_string(file).or_else(|error| wrong(file, &error.to_string()))
}

/// What is in a folder, without what is hidden, such as `.git`.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, TemplateError> {
    let unreadable = |error: std::io::Error| TemplateError {
        file: folder.to_owned(),
        why: error.to_string(),
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name.filter(|name| !name.starts_with('.')) {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}
