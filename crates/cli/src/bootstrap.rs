//! `lyceum bootstrap`, and what is shown of the same on the first start.

use anyhow::Context;
use lyceum_application::identity::bootstrap::{self, Bootstrap, Bootstrapped};
use lyceum_application::{App, Error};
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::keys::ApiKeySecret;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::text::{Email, Name};
use serde_json::json;

use crate::sign_in;
use lyceum_terminal::say;

/// Shows what the first start made, and the key unless the operator gave it.
pub fn show_first(made: &Bootstrapped, is_key_given: bool, public_url: &RuntimeBaseUrl) {
    let key = if is_key_given {
        "Its API key is the one in LYCEUM_BOOTSTRAP_API_KEY.".to_owned()
    } else {
        format!("API key (shown once, keep it): {}", made.key.reveal())
    };
    let code = code_of(made);
    let again = format!("lyceum sign-in --email {}", made.user.email);
    // Whoever gave the key wants nothing that lets in to be where this is read.
    let link = if is_key_given {
        format!("A link to sign in with a browser: {again}")
    } else {
        format!(
            "Sign in with a browser (once, within {} minutes): {}\nAnother such link: {again}",
            sign_in::minutes(),
            sign_in::address(public_url, &made.sign_in),
        )
    };
    let text = format!(
        "First start: made the workspace \"Lyceum\" with the platform code \"{code}\".\n{key}\n{link}"
    );
    if !say::in_passing(&text) && !is_key_given {
        tracing::warn!(
            "the key of the first workspace could not be shown: make another with `lyceum keys create`"
        );
    }
}

/// Makes owner, workspace and key as asked and prints them.
///
/// # Errors
/// Those of storage, or values that are none.
pub async fn explicitly(
    app: &App,
    email: &str,
    workspace: &str,
    code: &str,
    key: Option<ApiKeySecret>,
    as_json: bool,
) -> anyhow::Result<()> {
    let wanted = Bootstrap {
        email: Email::parse(email).context("--email")?,
        workspace: Name::parse(workspace).context("--workspace")?,
        code: PlatformCode::parse(code).context("--code")?,
        key,
    };
    let visit = app.service_visit();
    let made = app
        .store
        .write(move |tx| bootstrap::run(tx, &visit, &wanted))
        .await
        .map_err(|error: Error| anyhow::anyhow!("{error}"))?;
    if as_json {
        let link = sign_in::address(&app.settings.public_url, &made.sign_in);
        say!("{}", as_document(&made, &link));
    } else {
        say!(
            "workspace  {} (platform code {})",
            made.workspace.id,
            code_of(&made)
        );
        say!("owner      {}", made.user.id);
        say!("API key    {} (shown once, keep it)", made.key.reveal());
        say!(
            "sign in    {} (once, within {} minutes)",
            sign_in::address(&app.settings.public_url, &made.sign_in),
            sign_in::minutes()
        );
    }
    Ok(())
}

fn code_of(made: &Bootstrapped) -> &str {
    made.workspace
        .platform
        .code
        .as_ref()
        .map_or("", |code| code.as_str())
}

fn as_document(made: &Bootstrapped, sign_in_url: &str) -> serde_json::Value {
    let platform = &made.workspace.platform;
    json!({
        "api_key": made.key.reveal(),
        "sign_in_url": sign_in_url,
        "user_id": made.user.id.to_string(),
        "workspace_id": made.workspace.id.to_string(),
        "platform": {
            "id": platform.number,
            "uuid": platform.uuid.as_str(),
            "code": code_of(made),
            "name": made.workspace.name.as_str(),
        },
    })
}
