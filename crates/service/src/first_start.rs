//! The first start: somebody has to be there who can let others in.

use anyhow::Context;
use lyceum_application::identity::bootstrap::{self, Bootstrap, Bootstrapped};
use lyceum_application::{App, Error};
use lyceum_domain::identity::keys::ApiKeySecret;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::text::{Email, Name};

/// Address of the owner that the first start makes.
const FIRST_EMAIL: &str = "owner@localhost.localdomain";

/// Makes owner, workspace and key on an empty database; none where there is something already.
pub async fn run(app: &App, key: Option<ApiKeySecret>) -> anyhow::Result<Option<Bootstrapped>> {
    let wanted = Bootstrap {
        email: Email::parse(FIRST_EMAIL)?,
        workspace: Name::parse("Lyceum")?,
        code: PlatformCode::parse("main")?,
        key,
    };
    // A start that has nothing to make writes nothing: it also succeeds when the disk is full.
    if !app.read(bootstrap::is_needed).await? {
        return Ok(None);
    }
    let visit = app.service_visit();
    // Asked and made in one transaction: of several nodes starting together one is first.
    app.store
        .write(move |tx| {
            if bootstrap::is_needed(tx)? {
                return bootstrap::run(tx, &visit, &wanted).map(Some);
            }
            Ok::<_, Error>(None)
        })
        .await
        .context("could not make the first workspace")
}
