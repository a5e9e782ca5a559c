//! What is known of people and must not leave the service, wherever it stands in what is sent.

use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::UserId;

use crate::prelude::*;

/// Names, addresses and ids of whoever handed the submission in, where somebody did, and of these other people.
pub fn private(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    submission: Option<&Submission>,
    others: &[UserId],
) -> Result<Vec<String>, Error> {
    let mut texts = Vec::new();
    if let Some(submission) = submission {
        texts.extend(of_people(tx, workspace, &[submission.user_id])?);
        texts.push(submission.id.to_string());
    }
    if !others.is_empty() {
        texts.extend(of_people(tx, workspace, others)?);
    }
    texts.sort();
    texts.dedup();
    Ok(texts)
}

fn of_people(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    ids: &[UserId],
) -> Result<Vec<String>, Error> {
    let people = tx.users().with_ids(workspace, ids)?;
    Ok(people.iter().flat_map(of_person).collect())
}

fn of_person(user: &User) -> Vec<String> {
    let name = user.name.as_ref().map(ToString::to_string);
    let known = [name, user.external_id.clone()];
    let mut texts = vec![user.id.to_string(), user.email.to_string()];
    texts.extend(known.into_iter().flatten().filter(|text| !text.is_empty()));
    texts
}
