//! Which models may be named.

use lyceum_domain::Invalid;
use lyceum_domain::courses::Course;
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;

/// Refuses a model that nobody here may ask; the empty name is the provider's own.
///
/// # Errors
/// [`Error::Invalid`] at `field`.
pub fn refuse_unknown(ctx: &Context, model: &str, field: &str) -> Result<(), Error> {
    if model.is_empty() || ctx.ai.resolve(model).is_some() {
        return Ok(());
    }
    Err(Invalid::new(field, "is not a model that may be asked here").into())
}

/// The model that the course's work is graded with, where it names one.
pub fn of_course(course: &Course) -> &str {
    let named = course.ai.evaluator.get("model").and_then(Value::as_str);
    named.unwrap_or_default()
}
