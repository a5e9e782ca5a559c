//! Digests: who asked for it is told by mail each morning what waits for a person.
//!
//! That a day was told and the mail that tells it are kept by one transaction, which begins by moving on to the next morning: of several
//! nodes that look at once one does, and nobody gets two.

use std::collections::HashMap;
use std::sync::Arc;

use lyceum_domain::identity::users::User;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::notifying::digests::{Digest, DigestRhythm, WaitingWork};
use lyceum_domain::notifying::letters::{DigestTold, Letter};
use lyceum_domain::notifying::local_time::{Clocks, LocalDate};
use lyceum_domain::text::LanguageTag;
use serde_json::json;

use crate::app::App;
use crate::context::Visitor;
use crate::notifying::mails::{self, NewMail};
use crate::prelude::*;
use crate::running::audit;

/// How many are looked at at once.
const PAGE: u16 = 200;

/// How often a member is told by mail what waits.
pub(crate) fn rhythm(tx: &mut dyn Tx, user: &User) -> Result<DigestRhythm, Error> {
    let digest = tx.digests().find(user.workspace_id, user.id)?;
    Ok(digest.map_or(DigestRhythm::Off, |digest| digest.rhythm()))
}

/// Switches it on or off for the caller.
///
/// # Errors
/// [`Forbidden::Role`] for whoever may not read what everybody hands in
pub(crate) fn choose(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &User,
    rhythm: DigestRhythm,
) -> Result<(), Error> {
    let may_read = ctx.learner().is_none() && Digest::is_for(user);
    if rhythm != DigestRhythm::Off && !may_read {
        return Err(Forbidden::Role.into());
    }
    let found = tx.digests().find(user.workspace_id, user.id)?;
    let mut digest = found.unwrap_or(Digest::none(user.workspace_id, user.id));
    if !digest.choose(rhythm, user.timezone.as_ref(), ctx.now) {
        return Ok(());
    }
    tx.digests().put(&digest)?;
    let change = AuditedChange::made(json!({ "changed": ["digest"] }));
    let subject = AuditSubject::of(user.id);
    audit::note(tx, ctx, AuditAction::MemberUpdated, subject, change)
}

/// Goes by the clocks of where a member lives now.
pub(crate) fn follow(tx: &mut dyn Tx, user: &User, now: Timestamp) -> Result<(), Error> {
    let Some(mut digest) = tx.digests().find(user.workspace_id, user.id)? else {
        return Ok(());
    };
    if digest.follow(user.timezone.as_ref(), now) {
        tx.digests().put(&digest)?;
    }
    Ok(())
}

/// What waits in a workspace, as all are told who may read what everybody hands in there.
struct Desk {
    workspace: Workspace,
    waiting: WaitingWork,
    courses: Vec<(String, u64)>,
}

/// Tells those whose morning has come, at most [`PAGE`]; whether there may be more.
pub async fn tell_due(app: &App) -> Result<bool, Error> {
    if app.mailer.is_none() || app.is_almost_full() {
        return Ok(false);
    }
    let now = app.clock.now();
    let due = app.read(move |tx| Ok(tx.digests().due(now, PAGE)?)).await?;
    let looked_at = due.len();
    let mut desks = HashMap::new();
    for digest in due {
        match tell(app, digest, &mut desks).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::warn!(user = %digest.user_id, %error, "could not make a digest"),
        }
        put_off(app, digest).await?;
    }
    Ok(looked_at == usize::from(PAGE))
}

/// The longest due are looked at first: who cannot be told must not stay there.
async fn put_off(app: &App, digest: Digest) -> Result<(), Error> {
    let Some(due_at) = digest.next_at else {
        return Ok(());
    };
    let mut later = digest;
    later.put_off(app.clock.now());
    let write = app
        .store
        .write(move |tx| Ok::<_, Error>(tx.digests().move_on(due_at, &later)?));
    write.await.map(drop)
}

/// Tells one, by what waits on the desk that is looked at once for all of a workspace; false if there is no such place or
/// member.
async fn tell(
    app: &App,
    digest: Digest,
    desks: &mut HashMap<WorkspaceId, Option<Arc<Desk>>>,
) -> Result<bool, Error> {
    let workspace = digest.workspace_id;
    let desk = if let Some(desk) = desks.get(&workspace) {
        desk.clone()
    } else {
        let found = app.read_at_length(move |tx| look(tx, workspace)).await?;
        let found = found.map(Arc::new);
        desks.entry(workspace).or_insert(found).clone()
    };
    let Some(desk) = desk else {
        return Ok(false);
    };
    let visitor = app.service_visit();
    let write = app
        .store
        .write(move |tx| tell_within(tx, &visitor, digest, &desk));
    write.await
}

fn look(tx: &mut dyn Tx, workspace: WorkspaceId) -> Result<Option<Desk>, Error> {
    let Some(found) = tx.workspaces().find(workspace)? else {
        return Ok(None);
    };
    let waiting = WaitingWork::of(tx.submissions().waiting(workspace)?);
    let ids: Vec<_> = waiting.top.iter().map(|one| one.course_id).collect();
    let named = tx.courses().with_ids(workspace, &ids)?;
    let courses = waiting.top.iter().filter_map(|one| {
        let course = named.iter().find(|course| course.id == one.course_id)?;
        Some((course.name.to_string(), one.count))
    });
    Ok(Some(Desk {
        courses: courses.collect(),
        workspace: found,
        waiting,
    }))
}

fn tell_within(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    digest: Digest,
    desk: &Desk,
) -> Result<bool, Error> {
    let Some(due_at) = digest.next_at else {
        return Ok(true);
    };
    let Some(user) = tx.users().find(digest.workspace_id, digest.user_id)? else {
        return Ok(false);
    };
    let mut next = digest;
    let day = next.take(user.timezone.as_ref(), visitor.now);
    if !tx.digests().move_on(due_at, &next)? {
        return Ok(true);
    }
    let Some(day) = day else {
        return Ok(true);
    };
    // What they may is asked on the day, not on that on which they switched it on.
    if Digest::is_for(&user) && desk.waiting.count > 0 {
        mails::queue(tx, visitor, mail(visitor, &user, day, desk))?;
    }
    Ok(true)
}

fn mail(visitor: &Visitor, user: &User, day: LocalDate, desk: &Desk) -> NewMail {
    let clocks = Clocks::of(user.timezone.as_ref());
    let base = visitor.settings.public_url.as_str();
    // Whoever belongs to several platforms is to see this one.
    let here = format!("platform={}", desk.workspace.platform.uuid);
    let letter = Letter::digest(&DigestTold {
        workspace: desk.workspace.name.as_str(),
        today: day,
        count: desk.waiting.count,
        courses: &desk.courses,
        more: desk.waiting.more,
        oldest: desk.waiting.oldest.map(|at| clocks.date(at)),
        link: &format!("{base}/studio#/review?queue=open&{here}"),
        settings: &format!("{base}/studio#/account?{here}"),
    });
    NewMail {
        to: user.email.clone(),
        language: user.language.clone().unwrap_or_else(LanguageTag::english),
        letter,
        workspace: Some(user.workspace_id),
        // What waited in the morning is not told on the day after.
        not_after: clocks.at(day.next(), 0),
        withheld: false,
    }
}
