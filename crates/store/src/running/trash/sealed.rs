//! Graded work in the trash, read back as what it was.

use diesel::sql_types::Text;
use lyceum_domain::grading::grades::Grade;
use lyceum_domain::grading::receipts::{ChainHead, Kept, NOTHING_BEFORE};
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::ids::TrashItemId;
use lyceum_domain::running::trash::TrashPart;
use lyceum_ports::running::trash::{SealedPlace, SealedWork};

use crate::grading::grade_rows::{GradeRow, KeptRow};
use crate::grading::submissions::{HeadRow, SubmissionRow};
use crate::prelude::*;

#[derive(QueryableByName)]
struct SubmissionInTrash {
    #[diesel(sql_type = Text)]
    trash_id: String,
    #[diesel(embed)]
    submission: SubmissionRow,
    #[diesel(embed)]
    head: HeadRow,
}

#[derive(QueryableByName)]
struct GradeInTrash {
    #[diesel(embed)]
    grade: GradeRow,
    #[diesel(embed)]
    kept: KeptRow,
}

impl Session<'_> {
    pub(super) fn sealed_in_trash(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<SealedPlace>,
        limit: u16,
    ) -> Result<Vec<SealedWork>, StoreError> {
        let mut wanted = format!("r.part = '{}'", TrashPart::Submissions);
        if let Some(workspace) = workspace {
            wanted = format!("{wanted} AND r.workspace_id = '{workspace}'");
        }
        if let Some((workspace, item, submission)) = after {
            wanted = format!(
                "{wanted} AND (r.workspace_id, r.trash_id, r.id) > ('{workspace}', '{item}', '{submission}')"
            );
        }
        let (columns, record) = self.as_record(TrashPart::Submissions)?;
        let graded = match self.conn {
            AnyConnection::Postgres(_) => "x.grade_sequence > 0 OR x.grade IS NOT NULL",
            AnyConnection::Sqlite(_) => {
                "json_extract(r.body, '$.grade_sequence') > 0 OR json_extract(r.body, '$.grade') IS NOT NULL"
            }
        };
        let found = self.answer::<SubmissionInTrash>(format!(
            "SELECT r.trash_id AS trash_id, {columns} FROM trash_rows AS r{record} WHERE {wanted} AND ({graded}) \
             ORDER BY r.workspace_id, r.trash_id, r.id LIMIT {limit}"
        ))?;
        let mut works = Vec::new();
        for row in found {
            let item: TrashItemId = rows::id(&row.trash_id)?;
            let submission = Submission::try_from(row.submission)?;
            let records = self.records_in_trash(submission.workspace_id, item, submission.id)?;
            works.push(SealedWork {
                item,
                submission,
                head: ChainHead {
                    sequence: rows::number(row.head.grade_sequence)?,
                    hash: row
                        .head
                        .grade_receipt
                        .unwrap_or_else(|| NOTHING_BEFORE.to_owned()),
                },
                records,
            });
        }
        Ok(works)
    }

    fn records_in_trash(
        &mut self,
        workspace: WorkspaceId,
        item: TrashItemId,
        submission: SubmissionId,
    ) -> Result<Vec<(Grade, Kept)>, StoreError> {
        let (columns, record) = self.as_record(TrashPart::Grades)?;
        let of = match self.conn {
            AnyConnection::Postgres(_) => "x.submission_id",
            AnyConnection::Sqlite(_) => "json_extract(r.body, '$.submission_id')",
        };
        let part = TrashPart::Grades;
        let found = self.answer::<GradeInTrash>(format!(
            "SELECT {columns} FROM trash_rows AS r{record} WHERE r.workspace_id = '{workspace}' \
             AND r.trash_id = '{item}' AND r.part = '{part}' AND {of} = '{submission}' ORDER BY r.id"
        ))?;
        let found = found.into_iter();
        found
            .map(|GradeInTrash { grade, kept }| Ok((grade.try_into()?, kept.try_into()?)))
            .collect()
    }

    /// The columns of a part as if they stood in its table, and where they come from.
    fn as_record(&mut self, part: TrashPart) -> Result<(String, String), StoreError> {
        if matches!(self.conn, AnyConnection::Postgres(_)) {
            let record = format!(", LATERAL jsonb_populate_record(NULL::{part}, r.body) AS x");
            return Ok(("x.*".to_owned(), record));
        }
        let columns = self.columns_of(part)?;
        let columns: Vec<String> = columns
            .iter()
            .map(|column| {
                let name = &column.name;
                format!("json_extract(r.body, '$.{name}') AS \"{name}\"")
            })
            .collect();
        Ok((columns.join(", "), String::new()))
    }
}
