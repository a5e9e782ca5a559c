//! One dialogue with the mail server for each mail, step by step: who failed where decides whether another attempt may help.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use lettre::address::Envelope;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lyceum_domain::notifying::mails::{MailFailure, MailTrouble};
use lyceum_ports::notifying::mailer::{MailToSend, Mailer};
use tokio::time::timeout;

use crate::message;
use crate::settings::{Encryption, MailSettings};
use crate::templates::{TemplateError, Templates};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long the whole may take: less than half of the lease of a mail.
const WHOLE: Duration = Duration::from_secs(45);
/// How long saying goodbye may take, of a server that has taken the mail.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why a mail was not sent, with what was said: for the operator's own eyes, because a mail server says to whom.
#[derive(Debug)]
pub struct SendError {
    /// What is kept of it.
    pub failure: MailFailure,
    /// What was said.
    pub said: String,
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.failure, self.said)
    }
}

impl std::error::Error for SendError {}

impl SendError {
    fn passing(trouble: MailTrouble, error: &SmtpError) -> Self {
        Self {
            failure: MailFailure::passing(trouble, code(error)),
            said: chain(error),
        }
    }

    fn unwritable(said: String) -> Self {
        Self {
            failure: MailFailure::lasting(MailTrouble::Unwritable, None),
            said,
        }
    }

    /// Of a step before anybody was named: what is refused there is ours to mend, and the mail waits meanwhile.
    fn before(error: &SmtpError) -> Self {
        let trouble = match (code(error), is_of_tls(error)) {
            (Some(_), _) => MailTrouble::Refused,
            (None, true) => MailTrouble::Tls,
            (None, false) => MailTrouble::NoAnswer,
        };
        Self::passing(trouble, error)
    }

    /// Of a step that is about this mail: a 5xx is for good.
    fn about_it(error: &SmtpError) -> Self {
        if error.is_permanent() {
            return Self {
                failure: MailFailure::lasting(MailTrouble::Refused, code(error)),
                said: chain(error),
            };
        }
        Self::before(error)
    }

    fn silence() -> Self {
        Self {
            failure: MailFailure::passing(MailTrouble::NoAnswer, None),
            said: format!("the mail server took longer than {} s", WHOLE.as_secs()),
        }
    }
}

fn code(error: &SmtpError) -> Option<u16> {
    error.status().map(u16::from)
}

fn chain(error: &SmtpError) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let cause_says = cause.to_string();
        if !text.contains(&cause_says) {
            text = format!("{text}: {cause_says}");
        }
        next = cause.source();
    }
    text
}

/// Whether the connection failed because of what encrypts it.
fn is_of_tls(error: &SmtpError) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = next {
        let is_rustls = cause.is::<lettre::transport::smtp::Error>() && error.is_tls();
        let says_so = cause.to_string().contains("certificate");
        if is_rustls || says_so {
            return true;
        }
        next = cause.source();
    }
    false
}

/// Hands mails to one mail server.
pub struct SmtpMailer {
    settings: MailSettings,
    templates: Templates,
    tls: Option<TlsParameters>,
    hello: ClientId,
}

impl SmtpMailer {
    /// With the texts read, and looked through.
    ///
    /// # Errors
    /// The first text that cannot be, or a host that has no name.
    pub fn new(settings: MailSettings) -> Result<Self, TemplateError> {
        let templates = match &settings.templates {
            Some(folder) => Templates::with_folder(folder)?,
            None => Templates::built_in()?,
        };
        let tls = match settings.server.encryption {
            Encryption::None => None,
            Encryption::Implicit | Encryption::StartTls => {
                let made = TlsParameters::new_rustls(settings.server.host.clone());
                Some(made.map_err(|error| TemplateError {
                    file: "LYCEUM_SMTP_URL".into(),
                    why: chain(&error),
                })?)
            }
        };
        let hello = ClientId::Domain(settings.from.email.domain().to_owned());
        Ok(Self {
            settings,
            templates,
            tls,
            hello,
        })
    }

    /// Connects, encrypts, and says who we are.
    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        let server = &self.settings.server;
        let is_implicit = server.encryption == Encryption::Implicit;
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            (server.host.as_str(), server.port),
            Some(CONNECT),
            &self.hello,
            self.tls.clone().filter(|_| is_implicit),
            None,
        )
        .await
        .map_err(|error| SendError::before(&error))?;
        if let (Some(tls), false) = (&self.tls, is_implicit) {
            let begun = connection.starttls(tls.clone(), &self.hello).await;
            begun.map_err(|error| SendError::passing(MailTrouble::Tls, &error))?;
        }
        if let Some((name, password)) = &server.credentials {
            let credentials = Credentials::new(name.clone(), password.clone());
            let known = connection.auth(DEFAULT_MECHANISMS, &credentials).await;
            known.map_err(|error| SendError::passing(MailTrouble::Credentials, &error))?;
        }
        Ok(connection)
    }

    /// One attempt, and what was said if it failed.
    ///
    /// # Errors
    /// [`SendError`]
    pub async fn attempt(&self, mail: MailToSend) -> Result<(), SendError> {
        let written = self
            .templates
            .write(&mail.letter, &mail.language, &self.settings.service)
            .map_err(SendError::unwritable)?;
        let to = message::address(&mail.to).map_err(SendError::unwritable)?;
        let (envelope, whole) = message::message(mail.id, &self.settings.from, to, written)
            .map_err(SendError::unwritable)?;
        let sending = self.hand_over(&envelope, &whole);
        match timeout(WHOLE, sending).await {
            Ok(ended) => ended,
            Err(_) => Err(SendError::silence()),
        }
    }

    async fn hand_over(&self, envelope: &Envelope, whole: &[u8]) -> Result<(), SendError> {
        let mut connection = self.connect().await?;
        let sent = dictate(&mut connection, envelope, whole).await;
        // It has the mail, or has refused it: whatever it says now changes nothing.
        let _ = timeout(FAREWELL, connection.quit()).await;
        sent
    }

    /// Connects as for a mail, and sends none.
    ///
    /// # Errors
    /// [`SendError`]
    pub async fn look(&self) -> Result<(), SendError> {
        let greeting = async {
            let mut connection = self.connect().await?;
            let _ = timeout(FAREWELL, connection.quit()).await;
            Ok(())
        };
        match timeout(WHOLE, greeting).await {
            Ok(ended) => ended,
            Err(_) => Err(SendError::silence()),
        }
    }
}

/// Says between whom the mail goes, and what it is.
async fn dictate(
    connection: &mut AsyncSmtpConnection,
    envelope: &Envelope,
    whole: &[u8],
) -> Result<(), SendError> {
    let mut options = Vec::new();
    let mut addresses = envelope.to().iter().chain(envelope.from());
    if addresses.any(|address| !AsRef::<str>::as_ref(address).is_ascii()) {
        if !connection
            .server_info()
            .supports_feature(Extension::SmtpUtfEight)
        {
            let said = "the mail server takes no addresses in other scripts (SMTPUTF8)";
            return Err(SendError::unwritable(said.to_owned()));
        }
        options.push(MailParameter::SmtpUtfEight);
    }
    let from = Mail::new(envelope.from().cloned(), options);
    let taken = connection.command(from).await;
    // Whose mail it is was refused, and no receiver.
    taken.map_err(|error| SendError::before(&error))?;
    for to in envelope.to() {
        let taken = connection.command(Rcpt::new(to.clone(), Vec::new())).await;
        taken.map_err(|error| SendError::about_it(&error))?;
    }
    let begun = connection.command(Data).await;
    begun.map_err(|error| SendError::about_it(&error))?;
    let taken = connection.message(whole).await;
    taken.map_err(|error| SendError::about_it(&error)).map(drop)
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: MailToSend) -> Result<(), MailFailure> {
        self.attempt(mail).await.map_err(|error| error.failure)
    }

    async fn greet(&self) -> Result<(), MailFailure> {
        self.look().await.map_err(|error| error.failure)
    }
}
