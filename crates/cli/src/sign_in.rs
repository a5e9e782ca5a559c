//! `lyceum sign-in`: a link by which a person gets into a browser without a key, for whoever has the shell.

use anyhow::Context;
use clap::Args;
use lyceum_application::identity::sign_in_links;
use lyceum_application::{App, Error};
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::sign_in_links::{LINK_LIFETIME, SignInSecret};
use lyceum_domain::text::Email;
use serde_json::json;

use lyceum_terminal::say;

/// For whom.
#[derive(Debug, Args)]
pub struct SignInArguments {
    /// The person's address.
    #[arg(long)]
    email: String,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Makes a link and prints it.
///
/// # Errors
/// Those of storage, or an address that nobody has.
pub async fn run(app: &App, arguments: &SignInArguments) -> anyhow::Result<()> {
    let email = Email::parse(&arguments.email).context("--email")?;
    let visit = app.service_visit();
    let made = app
        .store
        .write(move |tx| sign_in_links::make_for_shell(tx, &visit, &email))
        .await;
    let secret = made.map_err(|error| {
        if matches!(error, Error::Reference { .. }) {
            return anyhow::anyhow!("there is nobody with this address");
        }
        anyhow::anyhow!("{error}")
    })?;
    let address = address(&app.settings.public_url, &secret);
    if arguments.json {
        say!("{}", json!({ "url": address }));
    } else {
        say!(
            "{address}\nOpen it in a browser: it works once, within {} minutes.",
            minutes()
        );
    }
    Ok(())
}

/// How long a link may wait, in minutes.
pub const fn minutes() -> u64 {
    LINK_LIFETIME.as_secs() / 60
}

/// Where a browser takes a link. What lets in stands behind the `#`, which no browser sends and no log has.
pub fn address(public_url: &RuntimeBaseUrl, secret: &SignInSecret) -> String {
    format!(
        "{}/studio#/sign-in/{}",
        public_url.as_str(),
        secret.reveal()
    )
}
