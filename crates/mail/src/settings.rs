//! Where mail goes, as whom, and with which texts.

use std::path::PathBuf;

use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use thiserror::Error;
use url::{Host, Url};

/// Why a setting cannot be. It never tells what was set: that may be a password.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

fn refused<T>(why: impl Into<String>) -> Result<T, SettingsError> {
    Err(SettingsError(why.into()))
}

/// Whether others on the way can read what is said to the mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// From the first byte on.
    Implicit,
    /// From STARTTLS on, without which nothing is said.
    StartTls,
    /// They can.
    None,
}

/// A mail server, and how it is spoken to. It holds a password, so nothing shows it: it has no `Debug`.
#[derive(Clone)]
pub struct SmtpServer {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether others can read along.
    pub encryption: Encryption,
    /// Who we are there, if it asks.
    pub credentials: Option<(String, String)>,
}

impl SmtpServer {
    /// Reads `smtps://name:password@host:465`, `smtp://name:password@host:587` or `smtp://localhost:1025?tls=none`.
    ///
    /// # Errors
    /// [`SettingsError`]
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let form = "must be like smtp://name:password@mail.example.org:587 or smtps://…:465";
        let Ok(url) = Url::parse(text) else {
            return refused(form);
        };
        let (implicit, usual) = match url.scheme() {
            "smtp" => (Encryption::StartTls, 587),
            "smtps" => (Encryption::Implicit, 465),
            _ => return refused(form),
        };
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return refused(form);
        };
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return refused(
                "has something behind the host: write / ? # and @ of a password as %2F %3F %23 %40",
            );
        }
        let server = Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(usual),
            encryption: implicit,
            credentials: credentials(&url)?,
        };
        server.with(&url)
    }

    /// With what is behind the question mark.
    fn with(mut self, url: &Url) -> Result<Self, SettingsError> {
        for (name, value) in url.query_pairs() {
            match (&*name, &*value) {
                ("tls", "required") => {}
                ("tls", "none" | "insecure") if self.encryption == Encryption::Implicit => {
                    return refused("says smtps and no TLS: say smtp where there is none");
                }
                ("tls", "none") if !is_local(&self.host) => {
                    return refused(
                        "has no TLS to a server on another machine: everybody on the way would read links that \
                         open accounts. Where the network in between is yours alone, say tls=insecure",
                    );
                }
                ("tls", "insecure") if self.credentials.is_some() && !is_local(&self.host) => {
                    return refused("would send a password that everybody on the way can read");
                }
                ("tls", "none" | "insecure") => self.encryption = Encryption::None,
                _ => {
                    return refused(
                        "knows tls=required, tls=none and tls=insecure and nothing else",
                    );
                }
            }
        }
        Ok(self)
    }
}

fn credentials(url: &Url) -> Result<Option<(String, String)>, SettingsError> {
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (name, Some(password)) if !name.is_empty() => match (read(name), read(password)) {
            (Some(name), Some(password)) => Ok(Some((name, password))),
            _ => refused("has a name or password that is not UTF-8, or has control characters"),
        },
        _ => refused("has a name without a password, or a password without a name"),
    }
}

/// What is written with `%`; nothing that would end a line of a dialogue.
fn read(text: &str) -> Option<String> {
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    (!decoded.contains(char::is_control)).then(|| decoded.into_owned())
}

/// Whether a host is this machine.
fn is_local(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Domain(name)) => name == "localhost",
        Ok(Host::Ipv4(address)) => address.is_loopback(),
        Ok(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        Err(_) => host
            .parse::<std::net::Ipv6Addr>()
            .is_ok_and(|it| it.is_loopback()),
    }
}

/// Where mail goes, as whom, and with which texts.
#[derive(Clone)]
pub struct MailSettings {
    /// The mail server.
    pub server: SmtpServer,
    /// Whose mail it is.
    pub from: Mailbox,
    /// Folder with texts that take the place of ours.
    pub templates: Option<PathBuf>,
    /// Where the service is reached, as texts tell it.
    pub service: String,
}

impl MailSettings {
    /// From what an operator says: the mail server, `Lyceum <lyceum@example.org>`, and a folder of texts.
    ///
    /// # Errors
    /// [`SettingsError`], without a word of what was said of the server.
    pub fn parse(
        server: &str,
        from: Option<&str>,
        templates: Option<PathBuf>,
        service: &str,
    ) -> Result<Self, SettingsError> {
        let named = |name: &str, error: SettingsError| SettingsError(format!("{name} {error}"));
        let server = SmtpServer::parse(server).map_err(|error| named("LYCEUM_SMTP_URL", error))?;
        let Some(from) = from else {
            return refused(
                "LYCEUM_MAIL_FROM must say whose mail it is, such as Lyceum <lyceum@example.org>",
            );
        };
        let Ok(from) = from.parse() else {
            return refused("LYCEUM_MAIL_FROM must be like Lyceum <lyceum@example.org>");
        };
        Ok(Self {
            server,
            from,
            templates,
            service: service.to_owned(),
        })
    }
}
