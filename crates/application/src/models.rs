//! Which models may be named.

use lyceum_domain::Invalid;
use lyceum_domain::courses::Course;
use lyceum_domain::text::is_model_name;
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;

/// Refuses what is no name of a model, and a model that nobody here may ask; the empty name is the provider's own.
///
/// # Errors
/// [`Error::Invalid`] at `field`.
pub fn refuse_unknown(ctx: &Context, model: &str, field: &str) -> Result<(), Error> {
    let known = || is_model_name(model) && ctx.ai.resolve(model).is_some();
    if model.is_empty() || known() {
        return Ok(());
    }
    Err(Invalid::new(field, "is not a model that may be asked here").into())
}

/// The model that the course's work is graded with, where it names one.
pub fn of_course(course: &Course) -> &str {
    let named = course.ai.evaluator.get("model").and_then(Value::as_str);
    named.unwrap_or_default()
}
