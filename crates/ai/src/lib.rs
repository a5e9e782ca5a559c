//! The AI provider: a built-in engine that needs nothing, and servers with language models.
//!
//! Both propose; checking, summing up and storing is for the layers above, which see only
//! [`lyceum_ports::drafting::ai::AiProvider`]. Nothing here knows the database, the web edge or who a student is.

mod abilities;
mod account;
pub mod attacks;
pub mod builtin;
mod denials;
mod language;
mod matching;
pub mod model;
mod numbers;
mod opposites;
mod outline;
mod passages;
mod prices;
mod profiles;
mod protocols;
mod quoting;
mod retrieval;
mod settings;
mod speech;
mod template;
mod transport;
mod verbs;
mod words;

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;

pub use builtin::{Builtin, BuiltinGrouper};
pub use model::LanguageModel;
pub use prices::Price;
pub use profiles::{Profile, Structured};
pub use settings::{BreakerSettings, ServerSettings, SetupError, SpeechSettings};

/// Which provider answers.
#[allow(
    clippy::large_enum_variant,
    reason = "made once, when the service starts"
)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderSettings {
    /// The built-in engine; whatever model a request names, it answers as `builtin`.
    Builtin,
    /// A server; requests that name the model `builtin` are still answered by the built-in engine.
    Server(ServerSettings),
}

/// Makes the provider that settings describe; nothing is sent yet.
///
/// # Errors
/// [`SetupError`] if no client can be made from the settings.
pub fn provider(settings: ProviderSettings) -> Result<Arc<dyn AiProvider>, SetupError> {
    Ok(match settings {
        ProviderSettings::Builtin => Arc::new(Builtin),
        ProviderSettings::Server(settings) => Arc::new(LanguageModel::new(settings)?),
    })
}
