//! The grade history in rows.

use diesel::prelude::*;
use lyceum_domain::grades::{CriterionResult, Grade, GradeStatus};
use lyceum_domain::points::Points;
use lyceum_domain::submissions::SubmissionId;
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::grades::GradeRepository;
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::store::StoreError;

use crate::columns::{Json, Moment};
use crate::conditions::narrowing;
use crate::documents;
use crate::grade_documents::{CriterionDocument, GraderDocument};
use crate::rows;
use crate::schema::grades;
use crate::session::Session;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = grades, treat_none_as_default_value = false)]
struct GradeRow {
    workspace_id: String,
    id: String,
    submission_id: String,
    run: i64,
    status: String,
    score: i64,
    max_score: i64,
    rubric_hash: String,
    criteria: Json,
    feedback: String,
    grader: Json,
    reason: Option<String>,
    created_at: Moment,
}

impl TryFrom<&Grade> for GradeRow {
    type Error = StoreError;

    fn try_from(grade: &Grade) -> Result<Self, StoreError> {
        let Grade {
            workspace_id,
            id,
            submission_id,
            run,
            status,
            score,
            max_score,
            rubric_hash,
            criteria,
            feedback,
            grader,
            reason,
            created_at,
        } = grade;
        let criteria: Vec<_> = criteria.iter().map(CriterionDocument::from).collect();
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            submission_id: submission_id.to_string(),
            run: (*run).into(),
            status: status.to_string(),
            score: score.hundredths().into(),
            max_score: max_score.hundredths().into(),
            rubric_hash: rubric_hash.clone(),
            criteria: documents::write(&criteria)?,
            feedback: feedback.clone(),
            grader: documents::write(&GraderDocument::from(grader))?,
            reason: reason.clone(),
            created_at: (*created_at).into(),
        })
    }
}

impl TryFrom<GradeRow> for Grade {
    type Error = StoreError;

    fn try_from(row: GradeRow) -> Result<Self, StoreError> {
        let criteria: Vec<CriterionDocument> = documents::read(row.criteria)?;
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            submission_id: rows::id(&row.submission_id)?,
            run: rows::number(row.run)?,
            status: rows::read(GradeStatus::parse(&row.status))?,
            score: Points::from_hundredths(row.score),
            max_score: Points::from_hundredths(row.max_score),
            rubric_hash: row.rubric_hash,
            criteria: criteria.into_iter().map(CriterionResult::from).collect(),
            feedback: row.feedback,
            grader: documents::read::<GraderDocument>(row.grader)?.try_into()?,
            reason: row.reason,
            created_at: row.created_at.0,
        })
    }
}

impl GradeRepository for Session<'_> {
    fn append(&mut self, grade: &Grade) -> Result<(), StoreError> {
        let row = GradeRow::try_from(grade)?;
        self.run(|conn| {
            diesel::insert_into(grades::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn supersede(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<(), StoreError> {
        // The only change that the history allows.
        let live = [GradeStatus::Final.as_str(), GradeStatus::Suggested.as_str()];
        self.run(|conn| {
            diesel::update(grades::table)
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::submission_id.eq(submission.to_string()))
                .filter(grades::status.eq_any(live))
                .set(grades::status.eq(GradeStatus::Superseded.as_str()))
                .execute(conn)
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
        let mut query = grades::table
            .filter(grades::workspace_id.eq(workspace.to_string()))
            .filter(grades::submission_id.eq(submission.to_string()))
            .select(GradeRow::as_select())
            .order(grades::id.desc())
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        if let Some(status) = status {
            query = query.filter(grades::status.eq(status.as_str()));
        }
        for condition in narrowing(self.conn, "grades", page) {
            query = query.filter(condition);
        }
        if let Some(after) = &page.after {
            query = query.filter(grades::id.lt(after.id.clone()));
        }
        let found = self.run(|conn| query.load::<GradeRow>(conn))?;
        let grades = found
            .into_iter()
            .map(Grade::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(grades, page.limit, |grade| Keyset {
            position: None,
            id: grade.id.to_string(),
        }))
    }
}
