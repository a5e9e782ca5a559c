//! What is wrong with a value, and where it stood.

use thiserror::Error;

/// A value that breaks a rule; the text is for the person who sent it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvalidValue(pub String);

impl InvalidValue {
    /// From a sentence without a period, such as `must not be blank`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// A value that breaks a rule, with the path of the field that carried it, such as `rubric.criteria[0].name`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {problem}")]
pub struct Invalid {
    /// Path of the field.
    pub field: String,
    /// What is wrong, such as `must not be blank`.
    pub problem: String,
    /// Whether the field is required and was not given.
    pub missing: bool,
}

impl Invalid {
    /// A field whose value breaks a rule.
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            problem: problem.into(),
            missing: false,
        }
    }

    /// A required field that was not given.
    pub fn missing(field: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            problem: "is required".to_owned(),
            missing: true,
        }
    }
}

/// Says where a broken value stood.
pub trait At<T> {
    /// Adds the path of the field.
    ///
    /// # Errors
    /// The same problem, with its place.
    fn at(self, field: &str) -> Result<T, Invalid>;
}

impl<T, E: std::fmt::Display> At<T> for Result<T, E> {
    fn at(self, field: &str) -> Result<T, Invalid> {
        self.map_err(|error| Invalid::new(field, error.to_string()))
    }
}
