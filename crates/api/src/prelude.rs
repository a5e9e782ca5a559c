//! What nearly every handler is written with: a call, what it reads, and what it answers.

pub use crate::http::answer::{Created, Deleted, Found, Listed, ListedWith, Outcome};
pub use crate::http::call::Call;
pub use crate::http::error::Failure;
pub use crate::http::force::Force;
pub use crate::http::input::{Json, Listing, Nothing, Params};
pub use crate::http::narrowing::Tagged;
pub use crate::http::query::{FromQuery, Parameter, Query};
