//! Which models may be named.

use lyceum_domain::Invalid;
use lyceum_domain::authoring::courses::Course;
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
    let usual = ctx.ai.default_model();
    let problem = format!(
        "is not a model that may be asked here; {usual} is the one that is asked when none is named"
    );
    Err(Invalid::new(field, problem).into())
}

/// Refuses to start what would be asked of a model that nobody here may ask: the one that the call names, or else the one
/// that stands where it is asked for. What was allowed once may no longer be.
///
/// # Errors
/// [`Error::Invalid`] at `model`.
pub fn refuse_to_ask(ctx: &Context, own: &str, usual: &str) -> Result<(), Error> {
    refuse_unknown(ctx, own, "model")?;
    if !own.is_empty() || usual.is_empty() || ctx.ai.resolve(usual).is_some() {
        return Ok(());
    }
    let problem = format!("is {usual:?} here, which may not be asked any more: name another");
    Err(Invalid::new("model", problem).into())
}

/// The model that the course's tutor speaks by, where it names one.
pub fn of_tutor(course: &Course) -> &str {
    let named = course.tutor.get("model").and_then(Value::as_str);
    named.map(str::trim).unwrap_or_default()
}

/// The model that the course's work is graded with, where it names one.
pub fn of_course(course: &Course) -> &str {
    course.ai.model()
}
