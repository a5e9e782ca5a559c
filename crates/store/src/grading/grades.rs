//! The grade history in rows.

use std::collections::{BTreeSet, HashMap};

use lyceum_domain::grading::grades::{Grade, GradeStatus};
use lyceum_domain::grading::receipts::{ChainHead, Kept, NOTHING_BEFORE, Receipt};
use lyceum_domain::ids::AssignmentId;
use lyceum_domain::ids::GradeId;
use lyceum_domain::ids::SubmissionId;
use lyceum_ports::grading::grades::{ConfirmedGrade, GradeRepository};

use crate::grading::examples::{self, IsExample};
use crate::grading::grade_rows::{ErasedRow, GradeRow, KeptRow};
use crate::mapping::schema::{grades, submissions};
use crate::prelude::*;

/// How many records are looked at for each one wanted, because not all were judged by the criteria asked for.
const LOOKED_AT: usize = 4;

/// The last moment that every database knows.
const END_OF_TIME: i64 = 253_402_300_799_000;

impl GradeRepository for Session<'_> {
    fn append(&mut self, grade: &Grade, kept: &Kept) -> Result<(), StoreError> {
        let row = (
            GradeRow::try_from(grade)?,
            KeptRow::from(kept),
            grades::assignment_id.eq(assignment_of(self, grade)?),
        );
        // First, because of two that race one waits here, and then begins anew.
        if let Some(receipt) = &grade.receipt {
            advance(self, grade, receipt)?;
        }
        self.put_row(|conn| {
            let insert = diesel::insert_into(grades::table).values(row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn supersede(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<(), StoreError> {
        // The only change that the history allows.
        let live = [GradeStatus::Final.as_str(), GradeStatus::Suggested.as_str()];
        self.run(|conn| {
            let query = diesel::update(grades::table)
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::submission_id.eq(submission.to_string()))
                .filter(grades::status.eq_any(live))
                .set(grades::status.eq(GradeStatus::Superseded.as_str()));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
        status: Option<GradeStatus>,
        page: &PageRequest,
    ) -> Result<Page<Grade>, StoreError> {
        let (order, conditions) = paging(self.conn, "grades", page)?;
        let mut query = grades::table
            .filter(grades::workspace_id.eq(workspace.to_string()))
            .filter(grades::submission_id.eq(submission.to_string()))
            .select(GradeRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        if let Some(status) = status {
            query = query.filter(grades::status.eq(status.as_str()));
        }
        for condition in conditions {
            query = query.filter(condition);
        }
        let found = self.run(|conn| query.load::<GradeRow>(conn))?;
        let grades = found
            .into_iter()
            .map(Grade::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(grades, page.limit, |grade| {
            Keyset::of_id(grade.id.to_string())
        }))
    }
    fn head(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<ChainHead, StoreError> {
        let found = self.run(|conn| {
            let query = submissions::table
                .find((workspace.to_string(), submission.to_string()))
                .select((submissions::grade_sequence, submissions::grade_receipt));
            let row = on_either!(conn, query.first::<(i64, Option<String>)>(conn));
            row.optional()
        })?;
        let (sequence, hash) = found.unwrap_or_default();
        Ok(ChainHead {
            sequence: rows::number(sequence)?,
            hash: hash.unwrap_or_else(|| NOTHING_BEFORE.to_owned()),
        })
    }

    fn history(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<Vec<(Grade, Kept)>, StoreError> {
        let found = self.run(|conn| {
            grades::table
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::submission_id.eq(submission.to_string()))
                .select((GradeRow::as_select(), KeptRow::as_select()))
                .order(grades::id)
                .load::<(GradeRow, KeptRow)>(conn)
        })?;
        let records = found.into_iter();
        records
            .map(|(row, kept)| Ok((row.try_into()?, kept.try_into()?)))
            .collect()
    }

    fn kept(&mut self, workspace: WorkspaceId, id: GradeId) -> Result<Option<Kept>, StoreError> {
        let found = self.run(|conn| {
            let found = grades::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(KeptRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Kept::try_from).transpose()
    }

    fn with_result(
        &mut self,
        workspace: WorkspaceId,
        result_key: &str,
        limit: u16,
    ) -> Result<Vec<Grade>, StoreError> {
        let found = self.run(|conn| {
            grades::table
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::result_key.eq(result_key))
                .select(GradeRow::as_select())
                .order(grades::id.desc())
                .limit(limit.into())
                .load(conn)
        })?;
        found.into_iter().map(Grade::try_from).collect()
    }

    fn confirmed(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        except: Option<SubmissionId>,
        until: Option<Timestamp>,
        criteria: &[String],
        limit: usize,
    ) -> Result<Vec<ConfirmedGrade>, StoreError> {
        let except = except.map(|id| id.to_string()).unwrap_or_default();
        let looked_at = rows::stored_number(limit.saturating_mul(LOOKED_AT));
        let found = self.run(|conn| {
            let until = until.unwrap_or_else(|| Timestamp::from_unix_millis(END_OF_TIME));
            let query = grades::table
                .inner_join(
                    submissions::table.on(submissions::workspace_id
                        .eq(grades::workspace_id)
                        .and(submissions::id.eq(grades::submission_id))),
                )
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::assignment_id.eq(assignment.to_string()))
                .filter(grades::submission_id.ne(except))
                .filter(grades::created_at.le(Moment(until)))
                .filter(IsExample)
                // By time and not by id: else the newest grades of the whole workspace are gone through for them.
                .order((grades::created_at.desc(), grades::id.desc()))
                .limit(looked_at);
            on_either!(
                conn,
                query.select(GradeRow::as_select()).load::<GradeRow>(conn)
            )
        })?;
        let wanted: BTreeSet<&str> = criteria.iter().map(String::as_str).collect();
        let mut matching = Vec::new();
        for row in found {
            let grade = Grade::try_from(row)?;
            if judged_by(&grade, &wanted) {
                matching.push(grade);
            }
        }
        matching.truncate(limit);
        with_texts(self, workspace, matching)
    }

    fn stale_since(
        &mut self,
        workspace: WorkspaceId,
        assignments: &[AssignmentId],
    ) -> Result<Vec<(AssignmentId, Timestamp)>, StoreError> {
        examples::stale_since(self, workspace, assignments)
    }

    fn note_examples_moved(
        &mut self,
        workspace: WorkspaceId,
        ids: &[SubmissionId],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        examples::note_moved(self, workspace, ids, now)
    }

    fn note_examples_after(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        examples::note_after(self, workspace, assignment, since, now)
    }

    fn erase(&mut self, grade: &Grade, kept: &Kept) -> Result<(), StoreError> {
        let row = ErasedRow::new(grade, kept)?;
        let changed = self.run(|conn| {
            diesel::update(grades::table)
                .filter(grades::workspace_id.eq(grade.workspace_id.to_string()))
                .filter(grades::id.eq(grade.id.to_string()))
                .set(&row)
                .execute(conn)
        })?;
        rows::one_row(changed)
    }

    fn graded_by_ai(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        limit: u32,
    ) -> Result<u32, StoreError> {
        let found: Vec<i64> = self.run(|conn| {
            let query = grades::table
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::assignment_id.eq(assignment.to_string()))
                .filter(grades::run.gt(0))
                .select(grades::run)
                .limit(limit.into());
            on_either!(conn, query.load(conn))
        })?;
        Ok(u32::try_from(found.len()).unwrap_or(limit))
    }

    fn graded_submissions(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<(WorkspaceId, SubmissionId)>,
        limit: u16,
    ) -> Result<Vec<(WorkspaceId, SubmissionId)>, StoreError> {
        let mut query = submissions::table
            .filter(
                submissions::grade_sequence
                    .gt(0)
                    .or(submissions::grade.is_not_null()),
            )
            .select((submissions::workspace_id, submissions::id))
            .order((submissions::workspace_id, submissions::id))
            .limit(limit.into())
            .into_boxed();
        if let Some(workspace) = workspace {
            query = query.filter(submissions::workspace_id.eq(workspace.to_string()));
        }
        if let Some((workspace, id)) = after {
            let (workspace, id) = (workspace.to_string(), id.to_string());
            query = query.filter(
                submissions::workspace_id
                    .gt(workspace.clone())
                    .or(submissions::workspace_id
                        .eq(workspace)
                        .and(submissions::id.gt(id))),
            );
        }
        let found = self.run(|conn| query.load::<(String, String)>(conn))?;
        let pairs = found.into_iter();
        pairs
            .map(|(workspace, id)| Ok((rows::id(&workspace)?, rows::id(&id)?)))
            .collect()
    }
}

/// What the graded work was handed in for.
fn assignment_of(session: &mut Session<'_>, grade: &Grade) -> Result<String, StoreError> {
    let found = session.run(|conn| {
        let query = submissions::table
            .find((
                grade.workspace_id.to_string(),
                grade.submission_id.to_string(),
            ))
            .select(submissions::assignment_id);
        on_either!(conn, query.first(conn)).optional()
    })?;
    found.ok_or(StoreError::Dangling)
}

/// Notes the newest receipt with the submission; if it is not the one this record follows, another was faster.
fn advance(session: &mut Session<'_>, grade: &Grade, receipt: &Receipt) -> Result<(), StoreError> {
    let sequence = i64::from(receipt.sequence);
    let moving = |session: &mut Session<'_>| {
        session.run(|conn| {
            let query = diesel::update(submissions::table)
                .filter(submissions::workspace_id.eq(grade.workspace_id.to_string()))
                .filter(submissions::id.eq(grade.submission_id.to_string()))
                .filter(submissions::grade_sequence.eq(sequence - 1))
                .set((
                    submissions::grade_sequence.eq(sequence),
                    submissions::grade_receipt.eq(&receipt.hash),
                ));
            on_either!(conn, CachedByText(query).execute(conn))
        })
    };
    let changed = session.contend(|| Line::at(grade.submission_id), moving)?;
    if changed == 1 {
        return Ok(());
    }
    session.run_again = true;
    Err(StoreError::Stale)
}

/// Whether a record was judged by these criteria, or by none.
fn judged_by(grade: &Grade, criteria: &BTreeSet<&str>) -> bool {
    let judged = grade.criteria.iter();
    let judged: BTreeSet<&str> = judged.map(|one| one.criterion_id.as_str()).collect();
    judged.is_empty() || judged == *criteria
}

/// The records with the texts that they judge, in their order.
fn with_texts(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    grades: Vec<Grade>,
) -> Result<Vec<ConfirmedGrade>, StoreError> {
    if grades.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = grades
        .iter()
        .map(|grade| grade.submission_id.to_string())
        .collect();
    let found = session.run(|conn| {
        let query = submissions::table
            .filter(submissions::workspace_id.eq(workspace.to_string()))
            .filter(submissions::id.eq_any(ids))
            .select((submissions::id, submissions::content, submissions::user_id));
        on_either!(
            conn,
            CachedByText(query).load::<(String, String, String)>(conn)
        )
    })?;
    let mut texts: HashMap<String, (String, String)> = found
        .into_iter()
        .map(|(id, text, user)| (id, (text, user)))
        .collect();
    let mut confirmed = Vec::with_capacity(grades.len());
    for grade in grades {
        if let Some((text, user)) = texts.remove(&grade.submission_id.to_string()) {
            let user_id = rows::id(&user)?;
            confirmed.push(ConfirmedGrade {
                grade,
                text,
                user_id,
            });
        }
    }
    Ok(confirmed)
}
