//! Sending one mail to one address.

use async_trait::async_trait;
use lyceum_domain::ids::MailId;
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::notifying::mails::MailFailure;
use lyceum_domain::text::{Email, LanguageTag};

/// One attempt at sending one mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailToSend {
    /// What tells it from all others, also when it arrives twice.
    pub id: MailId,
    /// To whom.
    pub to: Email,
    /// In which language, if there is a text in it.
    pub language: LanguageTag,
    /// What it says.
    pub letter: Letter,
}

/// Hands mails to a mail server.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait Mailer: Send + Sync {
    /// One attempt, which ends within half of the lease of a mail.
    ///
    /// # Errors
    /// [`MailFailure`], which says whether another attempt may help.
    async fn send(&self, mail: MailToSend) -> Result<(), MailFailure>;

    /// Greets the mail server, and says goodbye: nothing is sent.
    ///
    /// # Errors
    /// [`MailFailure`]: what would be in the way of a mail now.
    async fn greet(&self) -> Result<(), MailFailure>;
}
