//! Hands mails to a mail server, as texts in plain and in HTML that are files.
//!
//! [`SmtpMailer`] is the adapter behind the [`Mailer`] port: one attempt per call, over an encrypted connection unless it was said
//! otherwise, under one deadline. When to try again, what to record and when to give up is the application's business.
//!
//! [`Mailer`]: lyceum_ports::notifying::mailer::Mailer

mod dialogue;
mod message;
mod settings;
mod templates;

pub use dialogue::{SendError, SmtpMailer};
pub use settings::{Encryption, MailSettings, SettingsError, SmtpServer};
pub use templates::{TemplateError, Templates};

#[cfg(test)]
mod tests;
