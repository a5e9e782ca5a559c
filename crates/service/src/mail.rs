//! The mail server of a service, if it has one.

use std::sync::Arc;

use anyhow::Context;
use lyceum_mail::{MailSettings, SmtpMailer};

/// Who hands mail over, with every text looked through.
///
/// # Errors
/// If a text is wrong, by its file.
pub fn mailer(settings: Option<&MailSettings>) -> anyhow::Result<Option<Arc<SmtpMailer>>> {
    let made = settings.map(|settings| SmtpMailer::new(settings.clone()).map(Arc::new));
    made.transpose().context("mail")
}
