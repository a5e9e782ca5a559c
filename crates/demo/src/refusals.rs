//! What must not work: a key that nobody made, and somebody else's course.

use anyhow::{Context, bail};
use lyceum_client::{Client, ClientError, Platform};
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::errors::ErrorDetail;
use lyceum_wire::identity::workspaces::{CreateWorkspace, WorkspaceView};

use super::checks::same;
use super::progress::Done;
use super::server::{DemoServer, unknown_key};

pub async fn check(server: &DemoServer, course: &str) -> anyhow::Result<Done<()>> {
    let stranger = server.client_of(&unknown_key())?;
    let refused = refusal(stranger.courses().retrieve(course).await, 401)?;
    same(
        "the refusal of an unknown key",
        refused.code.as_str(),
        "invalid_api_key",
    )?;
    let elsewhere = CreateWorkspace {
        name: "Another workspace".to_owned(),
        ..CreateWorkspace::default()
    };
    let elsewhere = server.client.workspaces().create(&elsewhere).await?;
    let compared = compare(&server.client, &elsewhere).await;
    // The database may be somebody's: what was made is taken away again.
    server.client.workspaces().delete(&elsewhere.id).await?;
    compared?;
    Ok(Done::new(
        (),
        "",
        "unknown key 401; foreign course 404, as if it did not exist",
    ))
}

/// A foreign id and one that was never given get the same answer.
async fn compare(client: &Client, elsewhere: &WorkspaceView) -> anyhow::Result<()> {
    let foreign = foreign_course(client, elsewhere)
        .await
        .context("a second workspace")?;
    let theirs = refusal(client.courses().retrieve(&foreign).await, 404)?;
    let nobodys = refusal(client.courses().retrieve(&never_given(&foreign)).await, 404)?;
    // Whoever asks must not learn that it exists.
    same(
        "the answer about a foreign id",
        &masked(theirs),
        &masked(nobodys),
    )
}

/// A course in another workspace of the same person: reachable, but not from here.
async fn foreign_course(client: &Client, elsewhere: &WorkspaceView) -> anyhow::Result<String> {
    let there = client.on(Platform::Uuid(elsewhere.platform.uuid.clone()));
    let new = CreateCourse {
        name: "Not yours".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = there.courses().create(&new).await?;
    there
        .courses()
        .retrieve(&course.id)
        .await
        .context("its own workspace should see it")?;
    Ok(course.id)
}

/// A well-formed id of no course.
fn never_given(id: &str) -> String {
    let (rest, last) = id.split_at(id.len().saturating_sub(1));
    format!("{rest}{}", if last == "0" { "1" } else { "0" })
}

fn refusal<T>(answer: Result<T, ClientError>, status: u16) -> anyhow::Result<ErrorDetail> {
    match answer {
        Err(ClientError::Api(detail, found)) if found == status => Ok(*detail),
        Err(error) => Err(error).with_context(|| format!("a {status} was wanted")),
        Ok(_) => bail!("it should have been refused with {status}"),
    }
}

/// Without what differs from request to request.
fn masked(detail: ErrorDetail) -> ErrorDetail {
    ErrorDetail {
        request_id: String::new(),
        ..detail
    }
}
