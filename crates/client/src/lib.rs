//! A typed client of the service: a method for every operation.
//!
//! It speaks the service's own wire types, waits and tries again where that can help (429, 5xx, a connection that broke),
//! gives every write an idempotency key that its retries share, follows pages, waits for work in the background, checks
//! webhooks, and turns every refusal into an error that says what, where and under which request id.
//!
//! ```no_run
//! use futures_util::TryStreamExt;
//! use lyceum_client::{Client, ClientSettings, Expanded, Platform};
//! use lyceum_wire::authoring::courses::CreateCourse;
//! use lyceum_wire::drafting::generations::StartSyllabus;
//! use lyceum_wire::authoring::units::UnitView;
//!
//! # async fn example() -> Result<(), lyceum_client::ClientError> {
//! let mut settings = ClientSettings::new("http://127.0.0.1:8080", "lyc_k…");
//! settings.platform = Platform::Code("main".to_owned());
//! let client = Client::new(settings)?;
//!
//! // A call is sent when it is awaited, and takes its options before that.
//! let new = CreateCourse { name: "Knife skills".into(), language: "en".into(), ..CreateCourse::default() };
//! let course = client.courses().create(&new).idempotency_key("knives-1").max_retries(5).await?;
//!
//! // Work in the background is waited for.
//! let generation = client.courses().generate_syllabus(&course.id, &StartSyllabus::default()).await?;
//! let drafted = generation.wait().await?;
//! println!("{}", drafted.status);
//!
//! // What a thing refers to comes with it.
//! let course = client.courses().retrieve(&course.id).expand("units.lessons").await?;
//! for unit in course.many::<Expanded<UnitView>>("units")? {
//!     println!("{}: {} lessons", unit.name, unit.lesson_count);
//! }
//!
//! // Lists are streams, fetched page by page.
//! let mut published = client.courses().list().filter("status", "published").all();
//! while let Some(course) = published.try_next().await? {
//!     println!("{}", course.name);
//! }
//!
//! // A refusal says what is wrong with which field.
//! if let Err(error) = client.courses().create(&CreateCourse::default()).await {
//!     for (field, problem) in error.fields() {
//!         println!("{field}: {problem}");
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod call;
mod client;
mod download;
mod error;
mod expanded;
mod follow;
mod listing;
mod media;
mod media_uploads;
mod request;
mod retry;
mod settings;
mod wait;

// What the service has, by its names.
pub mod activities;
pub mod ai;
pub mod assignments;
pub mod audit;
pub mod background_work;
pub mod batches;
pub mod bulk_writes;
pub mod cohorts;
pub mod courses;
pub mod events;
pub mod generations;
pub mod invitations;
pub mod keys;
pub mod lessons;
pub mod passkeys;
pub mod platforms;
pub mod scorm;
pub mod service;
pub mod sessions;
pub mod sso_connections;
pub mod submissions;
pub mod texts;
pub mod tokens;
mod trash;
pub mod units;
pub mod users;
mod versions;
pub mod webhooks;
pub mod workspaces;

pub use call::{Answer, Call, Sent};
pub use client::Client;
pub use error::{ClientError, ErrorKind};
pub use expanded::Expanded;
pub use follow::Changes;
pub use listing::{Listing, Things};
pub use request::RequestOptions;
pub use settings::{ClientSettings, Platform};
pub use wait::{Started, Wait, wait_until};
