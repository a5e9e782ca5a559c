//! What a person may ask of a school: all that is kept of them, and that it be erased.

use std::time::Duration;

use lyceum_domain::grading::receipts::hash_of;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::ids::{SubmissionId, UserId};
use lyceum_domain::running::personal_data::{Erasure, TableErasure, TableRows};
use lyceum_ports::grading::submissions::SubmissionFilter;
use lyceum_ports::running::personal_data::PersonTraces;
use lyceum_wire::identity::users::UserView;
use lyceum_wire::running::personal_data::{UserErasureView, UserExportView};
use serde_json::json;

use crate::identity::users::{find, keep_an_owner, require_rank};
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit;

/// For how long before a request what came to be is looked for again when it erases: nothing that was under way when
/// somebody's traces were read takes so long to be written.
const UNDER_WAY: Duration = Duration::from_mins(15);

/// Somebody, and everything that is kept of them.
#[derive(Debug, Clone)]
pub struct Kept {
    id: UserId,
    user: UserView,
    tables: Vec<TableRows>,
}

/// Everything that is kept of somebody in this workspace, by table: read in a snapshot, because it is long.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody above the caller
pub fn look_up(tx: &mut dyn Tx, ctx: &Context, id: UserId) -> Result<Kept, Error> {
    let user = find(tx, ctx, id)?;
    require_rank(ctx, user.role)?;
    Ok(Kept {
        id,
        tables: tx.personal_data().export(&user)?,
        user: UserView::new(&user),
    })
}

/// Hands out what was found; that it was asked for is noted first.
pub fn export(tx: &mut dyn Tx, ctx: &Context, kept: &Kept) -> Result<UserExportView, Error> {
    let rows: usize = kept.tables.iter().map(|table| table.rows.len()).sum();
    let change = AuditedChange::made(json!({ "rows": rows }));
    audit::note(
        tx,
        ctx,
        AuditAction::UserExported,
        AuditSubject::of(kept.id),
        change,
    )?;
    let (user, tables) = (kept.user.clone(), kept.tables.clone());
    Ok(UserExportView::new(user, tables, ctx.now))
}

/// Somebody who is to be erased, and what tells of them.
#[derive(Debug, Clone)]
pub struct Sought {
    id: UserId,
    confirmed: String,
    traces: PersonTraces,
}

/// What tells of somebody who is to be erased: read in a snapshot, because it is long. It is all checked again when it
/// is erased.
///
/// # Errors
/// Those of [`erase`].
pub fn seek(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: UserId,
    confirmed: String,
) -> Result<Sought, Error> {
    let user = find(tx, ctx, id)?;
    let is_erased = tx
        .personal_data()
        .erasure(ctx.workspace_id(), id)?
        .is_some();
    let traces = if confirmed == id.to_string() && !is_erased {
        require_rank(ctx, user.role)?;
        tx.personal_data().traces(&user)?
    } else {
        PersonTraces::default()
    };
    Ok(Sought {
        id,
        confirmed,
        traces,
    })
}

/// Erases somebody from this workspace. What others' records hang on stays under a pseudonym; the receipt says what was
/// done. A second time changes nothing and gives the same receipt.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] unless `confirmed` is their id, [`Error::Forbidden`] for somebody above the
/// caller, [`crate::error::Conflict::NotEditable`] for the last owner
pub fn erase(tx: &mut dyn Tx, ctx: &Context, sought: &Sought) -> Result<UserErasureView, Error> {
    let id = sought.id;
    let mut user = find(tx, ctx, id)?;
    if sought.confirmed != id.to_string() {
        return Err(Invalid::new("confirm", "must be the id of the user").into());
    }
    if let Some(before) = tx.personal_data().erasure(ctx.workspace_id(), id)? {
        return Ok(UserErasureView::new(&before));
    }
    require_rank(ctx, user.role)?;
    keep_an_owner(tx, ctx, &user)?;
    let (tables, tombstones) = erase_everything(tx, ctx, &mut user, &sought.traces)?;
    let erasure = Erasure {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        user_id: id,
        tables,
        created_at: ctx.now,
    };
    tx.personal_data().insert_erasure(&erasure)?;
    let change = AuditedChange::made(json!({
        "erasure_id": erasure.id.to_string(), "tombstones_hash": hash_of(&tombstones.join("\n")),
    }));
    audit::note(
        tx,
        ctx,
        AuditAction::UserErased,
        AuditSubject::of(id),
        change,
    )?;
    let view = UserErasureView::new(&erasure);
    events::record(tx, ctx, EventType::UserErased, &view)?;
    Ok(view)
}

fn erase_everything(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &mut User,
    traces: &PersonTraces,
) -> Result<(Vec<TableErasure>, Vec<String>), Error> {
    let (mut tables, mut tombstones) = (Vec::new(), Vec::new());
    let submissions = submissions_of(tx, user)?;
    // While it still says whose what is.
    let ids: Vec<SubmissionId> = submissions.iter().map(|one| one.id).collect();
    tx.grades()
        .note_examples_moved(ctx.workspace_id(), &ids, ctx.now)?;
    let since = ctx.now.minus(UNDER_WAY);
    let about = tx.personal_data().erase(user, &ids, traces, since)?;
    let mut grades = 0;
    for submission in submissions {
        let stones = erase_grades(tx, &submission)?;
        grades += count(&stones);
        tombstones.extend(stones.into_iter().flatten());
        erase_submission(tx, ctx, submission)?;
    }
    tables.push(TableErasure::erased(
        "submissions",
        count(&ids),
        "texts, addresses and metadata removed; points kept under the pseudonym",
    ));
    tables.push(TableErasure::erased(
        "grades",
        grades,
        "feedback, reasons, quotes and answers removed; points, hashes and tombstones kept",
    ));
    tables.extend(about);
    let places = tx.enrollments().of_user(ctx.workspace_id(), user.id)?;
    for place in &places {
        tx.enrollments()
            .delete(ctx.workspace_id(), place.cohort_id, user.id)?;
    }
    tables.push(TableErasure::erased(
        "enrollments",
        count(&places),
        "removed",
    ));
    tables.extend(become_pseudonym(tx, ctx, user)?);
    let why = "ids and words of ours alone; kept for ever";
    tables.push(TableErasure::kept("audit_entries", 0, why));
    Ok((together(tables), tombstones))
}

fn count<T>(things: &[T]) -> u64 {
    u64::try_from(things.len()).unwrap_or(u64::MAX)
}

fn submissions_of(tx: &mut dyn Tx, user: &User) -> Result<Vec<Submission>, Error> {
    let filter = SubmissionFilter {
        user_id: Some(user.id),
        ..SubmissionFilter::default()
    };
    let mut all = Vec::new();
    let mut page = PageRequest::first(PageRequest::MAX_LIMIT);
    loop {
        let found = tx.submissions().page(user.workspace_id, &filter, &page)?;
        all.extend(found.items);
        page.after = found.next;
        if page.after.is_none() {
            return Ok(all);
        }
    }
}

/// The tombstones of a submission's records; none of one that is older than receipts.
fn erase_grades(tx: &mut dyn Tx, submission: &Submission) -> Result<Vec<Option<String>>, Error> {
    let records = tx
        .grades()
        .history(submission.workspace_id, submission.id)?;
    let mut tombstones = Vec::with_capacity(records.len());
    for (grade, kept) in records {
        let (grade, kept) = grade.erased(kept);
        tx.grades().erase(&grade, &kept)?;
        tombstones.push(kept.tombstone);
    }
    Ok(tombstones)
}

fn erase_submission(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut submission: Submission,
) -> Result<(), Error> {
    submission.erase(ctx.now);
    Ok(tx.submissions().update(&submission)?)
}

/// The membership becomes that of nobody; who they were goes with their last membership.
fn become_pseudonym(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &mut User,
) -> Result<Vec<TableErasure>, Error> {
    let before = user.clone();
    let pseudonym = ctx.mint();
    user.erase(pseudonym, ctx.now)
        .map_err(|error| Error::Internal(error.into()))?;
    tx.users().insert_person(&Person {
        id: pseudonym,
        email: user.email.clone(),
        created_at: ctx.now,
    })?;
    tx.users().update(user)?;
    let mut done = vec![TableErasure::erased(
        "users",
        1,
        "name, address, ids and metadata replaced by a pseudonym",
    )];
    done.extend(tx.personal_data().forget_person(&before)?);
    Ok(done)
}

/// One line per table, sorted by name.
fn together(done: Vec<TableErasure>) -> Vec<TableErasure> {
    let mut tables: Vec<TableErasure> = Vec::new();
    for one in done {
        match tables.iter_mut().find(|known| known.table == one.table) {
            Some(known) => {
                known.erased += one.erased;
                known.kept += one.kept;
                known.why = format!("{}; {}", known.why, one.why);
            }
            None => tables.push(one),
        }
    }
    tables.sort_by(|one, other| one.table.cmp(&other.table));
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_one_line() {
        let done = vec![
            TableErasure::erased("people", 0, "x"),
            TableErasure::erased("api_keys", 2, "sessions"),
            TableErasure::kept("api_keys", 1, "elsewhere"),
        ];
        let tables = together(done);
        let names: Vec<&str> = tables.iter().map(|one| one.table.as_str()).collect();
        assert_eq!(names, ["api_keys", "people"]);
        assert_eq!((tables[0].erased, tables[0].kept), (2, 1));
        assert_eq!(tables[0].why, "sessions; elsewhere");
    }
}
