//! `lyceum mail test`: whether mail arrives, by sending one.

use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use lyceum_application::App;
use lyceum_application::notifying::mails::{self, NewMail, Queued};
use lyceum_domain::Id;
use lyceum_domain::ids::MailId;
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::notifying::mails::{MailState, OutgoingMail};
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_ports::environment::Ids;
use lyceum_ports::notifying::mailer::MailToSend;
use lyceum_service::assemble::assemble;
use lyceum_service::environment::MonotonicIds;
use lyceum_service::mail::mailer;
use lyceum_terminal::say;

use crate::settings::Settings;

/// What there is to do with mail.
#[derive(Debug, Clone, Subcommand)]
pub enum MailCommand {
    /// Send a mail that says that mail arrives, and say what became of it.
    Test(MailTestArguments),
}

/// To whom, and by which way.
#[derive(Debug, Clone, Args)]
pub struct MailTestArguments {
    /// Who gets it.
    #[arg(long)]
    to: String,
    /// In which language.
    #[arg(long, default_value = "en")]
    language: String,
    /// Leave it to the service that is running, as every other mail, and wait for what becomes of it.
    #[arg(long)]
    queued: bool,
    /// Seconds to wait for the service; the mail may be sent later all the same.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        requires = "queued"
    )]
    wait: u16,
}

/// Between two looks at what became of it.
const LOOK: Duration = Duration::from_millis(500);
/// How long it is of use to know whether mail arrives.
const OF_USE: Duration = Duration::from_hours(1);

/// Does what was asked for.
///
/// # Errors
/// If the mail was not sent, with what the mail server said.
pub async fn run(settings: &Settings, command: MailCommand) -> anyhow::Result<()> {
    let MailCommand::Test(arguments) = command;
    let to = Email::parse(&arguments.to).map_err(|error| anyhow::anyhow!("--to {error}"))?;
    let language = LanguageTag::parse(&arguments.language)
        .map_err(|error| anyhow::anyhow!("--language {error}"))?;
    if arguments.queued {
        let app = assemble(&settings.decided()?)?.app;
        return by_the_service(&app, to, language, arguments.wait).await;
    }
    at_once(settings, to, language).await
}

/// From here, without the database.
async fn at_once(settings: &Settings, to: Email, language: LanguageTag) -> anyhow::Result<()> {
    let Some(mailer) = mailer(settings.mail()?.as_ref())? else {
        bail!("there is no mail server: set LYCEUM_SMTP_URL and LYCEUM_MAIL_FROM");
    };
    let shown = to.to_string();
    let mail = MailToSend {
        id: Id::from_uuid(MonotonicIds::default().next()),
        to,
        language,
        letter: Letter::test(),
    };
    mailer
        .attempt(mail)
        .await
        .with_context(|| format!("the mail to {shown} was not sent"))?;
    say!("The mail server took the mail to {shown}. See whether it arrives.");
    Ok(())
}

async fn by_the_service(
    app: &App,
    to: Email,
    language: LanguageTag,
    seconds: u16,
) -> anyhow::Result<()> {
    let shown = to.to_string();
    let visitor = app.service_visit();
    let asking = move |tx: &mut dyn lyceum_ports::store::Tx| {
        let mail = NewMail {
            to: to.clone(),
            language: language.clone(),
            letter: Letter::test(),
            workspace: None,
            not_after: visitor.now.plus(OF_USE),
            withheld: false,
        };
        mails::queue(tx, &visitor, mail)
    };
    let id = match app.store.write(asking).await? {
        Queued::Waiting(id) => id,
        Queued::TooMany => bail!("{shown} got as many tests in an hour as it may"),
        Queued::NotConfigured => {
            bail!("there is no mail server: set LYCEUM_SMTP_URL and LYCEUM_MAIL_FROM")
        }
    };
    say!("The mail to {shown} waits for the service as {id}.");
    let waited = tokio::time::timeout(Duration::from_secs(seconds.into()), ended(app, id)).await;
    let Ok(mail) = waited else {
        bail!("nothing became of it within {seconds} s: see whether the service runs");
    };
    match mail? {
        Some(OutgoingMail {
            state: MailState::Sent,
            attempts,
            ..
        }) => {
            say!("The mail server took it at attempt {attempts}. See whether it arrives.");
            Ok(())
        }
        Some(mail) => {
            let why = mail.last_error.unwrap_or_default();
            bail!("it was given up at attempt {}: {why}", mail.attempts)
        }
        None => bail!("it is gone: somebody erased what is kept of the address"),
    }
}

/// The mail when it is over, or nothing when it is gone.
async fn ended(app: &App, id: MailId) -> anyhow::Result<Option<OutgoingMail>> {
    let mut told = 0;
    loop {
        let found = app.read(move |tx| mails::find(tx, id)).await?;
        let Some(mail) = found else { return Ok(None) };
        if !matches!(mail.state, MailState::Pending { .. }) {
            return Ok(Some(mail));
        }
        if let (Some(error), true) = (&mail.last_error, mail.attempts > told) {
            told = mail.attempts;
            say!("Attempt {told} failed and is made again: {error}.");
        }
        tokio::time::sleep(LOOK).await;
    }
}
