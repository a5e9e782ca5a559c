//! What must not work: a key that nobody made, and somebody else's course.

use anyhow::{Context, bail};
use lyceum_client::{Client, ClientError, Platform};
use lyceum_wire::courses::CreateCourse;
use lyceum_wire::errors::ErrorDetail;
use lyceum_wire::workspaces::CreateWorkspace;

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
    let foreign = foreign_course(&server.client)
        .await
        .context("a second workspace")?;
    let theirs = refusal(server.client.courses().retrieve(&foreign).await, 404)?;
    let nobodys = refusal(
        server
            .client
            .courses()
            .retrieve(&never_given(&foreign))
            .await,
        404,
    )?;
    // Whoever asks must not learn that it exists.
    same(
        "the answer about a foreign id",
        &masked(theirs),
        &masked(nobodys),
    )?;
    Ok(Done::new(
        (),
        "",
        "unknown key 401; foreign course 404, as if it did not exist",
    ))
}

/// A course in another workspace of the same person: reachable, but not from here.
async fn foreign_course(client: &Client) -> anyhow::Result<String> {
    let new = CreateWorkspace {
        name: "Another workspace".to_owned(),
        ..CreateWorkspace::default()
    };
    let workspace = client.workspaces().create(&new).await?;
    let there = client.on(Platform::Uuid(workspace.platform.uuid));
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
