//! A typed client of the service.
//!
//! It speaks the service's own wire types, waits and tries again where that can help (429, 5xx, a connection
//! that broke), gives every write an idempotency key that its retries share, follows pages, and turns every
//! refusal into an error that says what, where and under which request id.
//!
//! ```no_run
//! use lyceum_client::{Client, ClientSettings, Platform};
//! use lyceum_wire::courses::CreateCourse;
//!
//! # async fn example() -> Result<(), lyceum_client::ClientError> {
//! let mut settings = ClientSettings::new("http://127.0.0.1:8080", "lyc_k…");
//! settings.platform = Platform::Code("main".to_owned());
//! let client = Client::new(settings)?;
//! let new = CreateCourse { name: "Knife skills".into(), language: "en".into(), ..CreateCourse::default() };
//! let course = client.courses().create(&new).await?;
//! client.publish_course(&course.id).await?;
//! # Ok(())
//! # }
//! ```

mod actions;
mod client;
mod collection;
mod download;
mod error;
mod retry;
mod settings;
mod wait;

pub use client::{Client, RequestOptions};
pub use collection::{Collection, ListQuery, Never};
pub use error::ClientError;
pub use settings::{ClientSettings, Platform};
pub use wait::wait_until;
