//! Submissions in rows.

use diesel::dsl::{count_star, min};
use lyceum_domain::grading::submissions::{
    AiGrading, BlindGrading, ReviewStatus, StandingGrade, Submission, SubmissionContent,
    SubmissionStatus,
};
use lyceum_domain::ids::AssignmentId;
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::ids::UserId;
use lyceum_domain::notifying::digests::CourseWaiting;
use lyceum_domain::points::Points;
use lyceum_domain::text::LongText;
use lyceum_domain::web_address::WebAddress;
use lyceum_ports::grading::submissions::{
    AiRun, AiStanding, SubmissionFilter, SubmissionRepository,
};

mod listing;

use crate::grading::grade_documents::{AiSaid, GradeAiDocument, GradeDocument};
use crate::mapping::documents;
use crate::mapping::schema::submissions;
use crate::prelude::*;

/// What a submission says its newest receipt is.
#[derive(QueryableByName)]
#[diesel(table_name = submissions)]
pub struct HeadRow {
    pub grade_sequence: i64,
    pub grade_receipt: Option<String>,
}

#[derive(Queryable, QueryableByName, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = submissions, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
pub struct SubmissionRow {
    workspace_id: String,
    id: String,
    assignment_id: String,
    cohort_id: Option<String>,
    user_id: String,
    attempt: i64,
    status: String,
    content_type: String,
    content: String,
    submitted_at: Option<Moment>,
    late: bool,
    max_score: i64,
    grade: Option<Json>,
    ai_status: Option<String>,
    ai: Json,
    run: i64,
    review_status: Option<String>,
    review_reasons: Json,
    metadata: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
    blind: String,
    ai_graded_at: Option<Moment>,
    due_terms: Option<Json>,
    assignment_version: Option<i64>,
    course_id: String,
    graded_at: Option<Moment>,
    grader: Option<String>,
    score: Option<i64>,
}

/// Where AI's grade stands, without the work and what is said of it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = submissions)]
struct StandingRow {
    id: String,
    cohort_id: Option<String>,
    status: String,
    submitted_at: Option<Moment>,
    ai_status: Option<String>,
    ai: Json,
    review_status: Option<String>,
    review_reasons: Json,
    blind: String,
    ai_graded_at: Option<Moment>,
}

impl TryFrom<StandingRow> for AiStanding {
    type Error = StoreError;

    fn try_from(row: StandingRow) -> Result<Self, StoreError> {
        let ai: GradeAiDocument = documents::read(row.ai)?;
        let (ai, said) = ai.parts(row.ai_status.as_deref())?;
        let review = row.review_status.as_deref().map(ReviewStatus::parse);
        Ok(Self {
            id: rows::id(&row.id)?,
            cohort_id: rows::optional_id(row.cohort_id.as_ref())?,
            status: rows::read(SubmissionStatus::parse(&row.status))?,
            review: rows::read(review.transpose())?,
            review_reasons: rows::strings(row.review_reasons)?,
            blind: rows::read(BlindGrading::parse(&row.blind))?,
            submitted_at: rows::moment(row.submitted_at),
            graded_at: rows::moment(row.ai_graded_at),
            run: match ai {
                AiGrading::NotAsked => AiRun::NotAsked,
                AiGrading::Pending { .. } => AiRun::Pending,
                AiGrading::Ready => AiRun::Ready,
                AiGrading::Failed { .. } => AiRun::Failed,
            },
            score: said.proposal.as_ref().map(|proposal| proposal.score),
            confidence: said
                .proposal
                .as_ref()
                .and_then(|proposal| proposal.confidence),
            proposed_at: said.proposal.as_ref().and_then(|proposal| proposal.at),
            grader_hash: said.proposal.and_then(|proposal| proposal.grader_hash),
        })
    }
}

const TEXT: &str = "text";
const URL: &str = "url";

impl TryFrom<&Submission> for SubmissionRow {
    type Error = StoreError;

    fn try_from(submission: &Submission) -> Result<Self, StoreError> {
        let Submission {
            workspace_id,
            id,
            assignment_id,
            course_id,
            cohort_id,
            user_id,
            attempt,
            status,
            content,
            submitted_at,
            assignment_version,
            due,
            late,
            max_score,
            grade,
            ai,
            run,
            ai_proposal,
            explanation,
            explanation_awaited,
            review,
            review_reasons,
            blind,
            metadata,
            stamp,
        } = submission;
        let (content_type, content) = match content {
            SubmissionContent::Text(text) => (TEXT, text.to_string()),
            SubmissionContent::Url(url) => (URL, url.to_string()),
        };
        let ai_graded_at = submission.ai_graded_at().map(Moment::from);
        let listed = submission.listed_grade();
        let grade = grade.as_ref().map(GradeDocument::from);
        let said = AiSaid {
            proposal: ai_proposal.clone(),
            explanation: explanation.clone(),
            explanation_awaited: explanation_awaited.clone(),
        };
        let (ai_status, ai) = GradeAiDocument::of(ai, said);
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            assignment_id: assignment_id.to_string(),
            cohort_id: cohort_id.map(|id| id.to_string()),
            user_id: user_id.to_string(),
            attempt: (*attempt).into(),
            status: status.to_string(),
            content_type: content_type.to_owned(),
            content,
            submitted_at: submitted_at.map(Moment::from),
            late: *late,
            max_score: max_score.hundredths().into(),
            grade: grade.as_ref().map(documents::write).transpose()?,
            ai_status,
            ai: documents::write(&ai)?,
            run: (*run).into(),
            review_status: review.map(|review| review.to_string()),
            review_reasons: Json::strings(review_reasons),
            metadata: Json::object(metadata.as_map()),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
            blind: blind.to_string(),
            ai_graded_at,
            due_terms: due.columns(),
            assignment_version: assignment_version.map(i64::from),
            course_id: course_id.to_string(),
            graded_at: listed.map(|grade| grade.at.into()),
            grader: listed.map(listing::grader),
            score: listed.map(|grade| grade.score.hundredths().into()),
        })
    }
}

impl TryFrom<SubmissionRow> for Submission {
    type Error = StoreError;

    fn try_from(row: SubmissionRow) -> Result<Self, StoreError> {
        let ai: GradeAiDocument = documents::read(row.ai)?;
        let (ai, said) = ai.parts(row.ai_status.as_deref())?;
        let review = row.review_status.as_deref().map(ReviewStatus::parse);
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            assignment_id: rows::id(&row.assignment_id)?,
            course_id: rows::id(&row.course_id)?,
            cohort_id: rows::optional_id(row.cohort_id.as_ref())?,
            user_id: rows::id(&row.user_id)?,
            attempt: rows::number(row.attempt)?,
            status: rows::read(SubmissionStatus::parse(&row.status))?,
            content: content(&row.content_type, row.content)?,
            submitted_at: rows::moment(row.submitted_at),
            assignment_version: row.assignment_version.map(rows::number).transpose()?,
            due: Stored::read(row.due_terms)?,
            late: row.late,
            max_score: Points::from_hundredths(row.max_score),
            grade: row.grade.map(grade).transpose()?,
            ai,
            run: rows::number(row.run)?,
            ai_proposal: said.proposal,
            explanation: said.explanation,
            explanation_awaited: said.explanation_awaited,
            review: rows::read(review.transpose())?,
            review_reasons: rows::strings(row.review_reasons)?,
            blind: rows::read(BlindGrading::parse(&row.blind))?,
            metadata: rows::metadata(row.metadata)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

fn content(kind: &str, content: String) -> Result<SubmissionContent, StoreError> {
    match kind {
        TEXT => rows::read(LongText::parse(content)).map(SubmissionContent::Text),
        URL => Ok(SubmissionContent::Url(WebAddress::accepted(content))),
        other => Err(corrupt(format!("content type {other:?}"))),
    }
}

fn grade(document: Json) -> Result<StandingGrade, StoreError> {
    documents::read::<GradeDocument>(document)?.try_into()
}

impl SubmissionRepository for Session<'_> {
    fn insert(&mut self, submission: &Submission) -> Result<(), StoreError> {
        let row = SubmissionRow::try_from(submission)?;
        self.put_row(|conn| {
            let insert = diesel::insert_into(submissions::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: SubmissionId,
    ) -> Result<Option<Submission>, StoreError> {
        let found = self.run(|conn| {
            let found = submissions::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(SubmissionRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Submission::try_from).transpose()
    }

    fn update(&mut self, submission: &Submission) -> Result<(), StoreError> {
        let row = SubmissionRow::try_from(submission)?;
        self.change(&row.id, |conn| {
            let query = diesel::update(submissions::table)
                .filter(submissions::workspace_id.eq(&row.workspace_id))
                .filter(submissions::id.eq(&row.id))
                .filter(submissions::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: SubmissionId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(submissions::table)
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &SubmissionFilter,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError> {
        let walk = listing::walk(workspace, filter, page);
        walk.take(self, |session, mut reach| {
            let mut query = submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .select(SubmissionRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            for condition in listing::conditions(session.conn, filter, page) {
                query = query.filter(condition);
            }
            let found = session.run(|conn| query.load::<SubmissionRow>(conn))?;
            let submissions = found
                .into_iter()
                .map(Submission::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(submissions, |submission| submission.id.to_string()))
        })
    }

    fn latest(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        user: UserId,
    ) -> Result<Option<Submission>, StoreError> {
        let found = self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::assignment_id.eq(assignment.to_string()))
                .filter(submissions::user_id.eq(user.to_string()))
                .select(SubmissionRow::as_select())
                .order(submissions::attempt.desc())
                .first(conn)
                .optional()
        })?;
        found.map(Submission::try_from).transpose()
    }

    fn is_any_of(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<bool, StoreError> {
        self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::assignment_id.eq(assignment.to_string()))
                .select(submissions::id)
                .first::<String>(conn)
                .optional()
        })
        .map(|found| found.is_some())
    }

    fn late(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        after: Option<SubmissionId>,
        limit: u16,
    ) -> Result<Vec<Submission>, StoreError> {
        let mut query = submissions::table
            .filter(submissions::workspace_id.eq(workspace.to_string()))
            .filter(submissions::assignment_id.eq(assignment.to_string()))
            .filter(submissions::late)
            .select(SubmissionRow::as_select())
            .order(submissions::id.asc())
            .limit(limit.into())
            .into_boxed();
        if let Some(after) = after {
            query = query.filter(submissions::id.gt(after.to_string()));
        }
        let found = self.run(|conn| query.load::<SubmissionRow>(conn))?;
        found.into_iter().map(Submission::try_from).collect()
    }

    fn ai_standing(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        limit: u16,
    ) -> Result<Vec<AiStanding>, StoreError> {
        let found = self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::assignment_id.eq(assignment.to_string()))
                .filter(submissions::content_type.eq(TEXT))
                .filter(submissions::status.ne(SubmissionStatus::Draft.as_str()))
                .select(StandingRow::as_select())
                .order(submissions::id.desc())
                .limit(limit.into())
                .load(conn)
        })?;
        found.into_iter().map(AiStanding::try_from).collect()
    }

    fn waiting(&mut self, workspace: WorkspaceId) -> Result<Vec<CourseWaiting>, StoreError> {
        type Row = (String, i64, Option<Moment>);
        let found: Vec<Row> = self.run(|conn| {
            let query = submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::review_status.eq(ReviewStatus::Open.as_str()))
                .group_by(submissions::course_id)
                .select((
                    submissions::course_id,
                    count_star(),
                    min(submissions::submitted_at),
                ));
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        let course = |(course, count, oldest): Row| {
            Ok(CourseWaiting {
                course_id: rows::id(&course)?,
                count: rows::number(count)?,
                oldest: rows::moment(oldest),
            })
        };
        found.into_iter().map(course).collect()
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[SubmissionId],
    ) -> Result<Vec<Submission>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::id.eq_any(ids))
                .select(SubmissionRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Submission::try_from).collect()
    }
}
