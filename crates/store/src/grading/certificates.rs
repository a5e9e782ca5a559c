//! Certificates in rows.

use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::grading::certificates::certification::{Certification, CertificationState};
use lyceum_domain::grading::certificates::gate::Fate;
use lyceum_domain::grading::certificates::ledger::CertificateAnswer;
use lyceum_domain::grading::certificates::records::ReleaseRecord;
use lyceum_domain::ids::{AssignmentId, CertificateId, SubmissionId};
use lyceum_ports::grading::certificates::CertificateRepository;

use crate::grading::certificate_documents::{CertificationDocument, TestDocument};
use crate::mapping::documents;
use crate::mapping::schema::{certificate_answers, certificate_records, certificates};
use crate::prelude::*;

/// So many answers are added by one statement.
const AT_ONCE: usize = 500;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = certificates, primary_key(workspace_id, id))]
struct CertificateRow {
    workspace_id: String,
    id: String,
    assignment_id: String,
    state: String,
    document: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl TryFrom<&Certification> for CertificateRow {
    type Error = StoreError;

    fn try_from(one: &Certification) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: one.workspace_id.to_string(),
            id: one.id.to_string(),
            assignment_id: one.assignment_id.to_string(),
            state: one.state.to_string(),
            document: documents::write(&CertificationDocument::from(one))?,
            created_at: one.stamp.created_at.into(),
            updated_at: one.stamp.updated_at.into(),
            version: one.stamp.version,
        })
    }
}

impl TryFrom<CertificateRow> for Certification {
    type Error = StoreError;

    fn try_from(row: CertificateRow) -> Result<Self, StoreError> {
        let ids = (
            rows::id(&row.workspace_id)?,
            rows::id(&row.id)?,
            rows::id(&row.assignment_id)?,
        );
        let begun = row.created_at.0;
        let mut one = Self::new(ids, ReleaseTerms::default(), None, begun);
        one.state = rows::read(CertificationState::parse(&row.state))?;
        one.stamp = rows::stamp(row.created_at, row.updated_at, row.version);
        documents::read::<CertificationDocument>(row.document)?.fill(&mut one)?;
        Ok(one)
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = certificate_answers, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct AnswerRow {
    workspace_id: String,
    id: String,
    certificate_id: String,
    submission_id: String,
    confidence: i64,
    place: Option<i64>,
    arrived: Option<i64>,
    fate: Option<String>,
    test: Option<Json>,
    audit: Option<i64>,
    gone: bool,
    at: Moment,
}

impl AnswerRow {
    fn new(
        workspace: WorkspaceId,
        certificate: CertificateId,
        one: &CertificateAnswer,
    ) -> Result<Self, StoreError> {
        let test = one.test.as_ref().map(TestDocument::from);
        Ok(Self {
            workspace_id: workspace.to_string(),
            id: answer_id(certificate, one.submission_id),
            certificate_id: certificate.to_string(),
            submission_id: one.submission_id.to_string(),
            confidence: one.confidence.into(),
            place: one.place.map(Into::into),
            arrived: one.arrived.map(Into::into),
            fate: one.fate.map(|fate| fate.to_string()),
            test: test.as_ref().map(documents::write).transpose()?,
            audit: one.audit.map(Into::into),
            gone: one.left,
            at: one.at.into(),
        })
    }
}

impl TryFrom<AnswerRow> for CertificateAnswer {
    type Error = StoreError;

    fn try_from(row: AnswerRow) -> Result<Self, StoreError> {
        let test = row.test.map(documents::read::<TestDocument>).transpose()?;
        let fate = row.fate.as_deref().map(Fate::parse);
        Ok(Self {
            submission_id: rows::id(&row.submission_id)?,
            confidence: rows::number(row.confidence)?,
            place: row.place.map(rows::number).transpose()?,
            arrived: row.arrived.map(rows::number).transpose()?,
            fate: rows::read(fate.transpose())?,
            test: test.map(Into::into),
            audit: row.audit.map(rows::number).transpose()?,
            left: row.gone,
            at: row.at.0,
        })
    }
}

/// Made of what it is about, so that it is found by it.
fn answer_id(certificate: CertificateId, submission: SubmissionId) -> String {
    format!("{certificate}.{submission}")
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = certificate_records, primary_key(workspace_id, id))]
struct RecordRow {
    workspace_id: String,
    id: String,
    assignment_id: String,
    certificate_id: String,
    sequence: i64,
    content: String,
    hash: String,
}

impl TryFrom<RecordRow> for ReleaseRecord {
    type Error = StoreError;

    fn try_from(row: RecordRow) -> Result<Self, StoreError> {
        Ok(Self {
            sequence: rows::number(row.sequence)?,
            content: row.content,
            hash: row.hash,
        })
    }
}

impl CertificateRepository for Session<'_> {
    fn insert(&mut self, certification: &Certification) -> Result<(), StoreError> {
        let row = CertificateRow::try_from(certification)?;
        self.run(|conn| {
            diesel::insert_into(certificates::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: CertificateId,
    ) -> Result<Option<Certification>, StoreError> {
        let found = self.run(|conn| {
            certificates::table
                .find((workspace.to_string(), id.to_string()))
                .select(CertificateRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Certification::try_from).transpose()
    }

    fn update(&mut self, certification: &Certification) -> Result<(), StoreError> {
        let row = CertificateRow::try_from(certification)?;
        self.change(&row.id, |conn| {
            diesel::update(certificates::table)
                .filter(certificates::workspace_id.eq(&row.workspace_id))
                .filter(certificates::id.eq(&row.id))
                .filter(certificates::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn newest(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<Option<Certification>, StoreError> {
        let found = self.run(|conn| {
            certificates::table
                .filter(certificates::workspace_id.eq(workspace.to_string()))
                .filter(certificates::assignment_id.eq(assignment.to_string()))
                .order(certificates::id.desc())
                .select(CertificateRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Certification::try_from).transpose()
    }

    fn of_assignment(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<Vec<Certification>, StoreError> {
        let found = self.run(|conn| {
            certificates::table
                .filter(certificates::workspace_id.eq(workspace.to_string()))
                .filter(certificates::assignment_id.eq(assignment.to_string()))
                .order(certificates::id.asc())
                .select(CertificateRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Certification::try_from).collect()
    }

    fn with_records(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<(WorkspaceId, AssignmentId)>,
        limit: u16,
    ) -> Result<Vec<(WorkspaceId, AssignmentId)>, StoreError> {
        let mut query = certificate_records::table
            .filter(certificate_records::sequence.eq(1))
            .order((
                certificate_records::workspace_id.asc(),
                certificate_records::assignment_id.asc(),
            ))
            .limit(limit.into())
            .select((
                certificate_records::workspace_id,
                certificate_records::assignment_id,
            ))
            .into_boxed();
        if let Some(workspace) = workspace {
            query = query.filter(certificate_records::workspace_id.eq(workspace.to_string()));
        }
        if let Some((workspace, assignment)) = after {
            let (workspace, assignment) = (workspace.to_string(), assignment.to_string());
            query = query.filter(
                certificate_records::workspace_id.gt(workspace.clone()).or(
                    certificate_records::workspace_id
                        .eq(workspace)
                        .and(certificate_records::assignment_id.gt(assignment)),
                ),
            );
        }
        let found: Vec<(String, String)> = self.run(|conn| query.load(conn))?;
        let read = |(workspace, assignment): (String, String)| {
            Ok((rows::id(&workspace)?, rows::id(&assignment)?))
        };
        found.into_iter().map(read).collect()
    }

    fn add_answers(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        answers: &[CertificateAnswer],
    ) -> Result<(), StoreError> {
        for some in answers.chunks(AT_ONCE) {
            let rows = some
                .iter()
                .map(|one| AnswerRow::new(workspace, certificate, one))
                .collect::<Result<Vec<_>, _>>()?;
            self.run(|conn| {
                let insert = diesel::insert_into(certificate_answers::table).values(&rows);
                on_either!(conn, insert.execute(conn))
            })?;
        }
        Ok(())
    }

    fn update_answer(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        answer: &CertificateAnswer,
    ) -> Result<(), StoreError> {
        let row = AnswerRow::new(workspace, certificate, answer)?;
        let changed = self.run(|conn| {
            diesel::update(certificate_answers::table)
                .filter(certificate_answers::workspace_id.eq(&row.workspace_id))
                .filter(certificate_answers::id.eq(&row.id))
                .set(&row)
                .execute(conn)
        })?;
        rows::one_row(changed)
    }

    fn answer(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        submission: SubmissionId,
    ) -> Result<Option<CertificateAnswer>, StoreError> {
        let found = self.run(|conn| {
            certificate_answers::table
                .find((workspace.to_string(), answer_id(certificate, submission)))
                .select(AnswerRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(CertificateAnswer::try_from).transpose()
    }

    fn overdue(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        before: Timestamp,
        limit: u16,
    ) -> Result<Vec<CertificateAnswer>, StoreError> {
        let found = self.run(|conn| {
            certificate_answers::table
                .filter(certificate_answers::workspace_id.eq(workspace.to_string()))
                .filter(certificate_answers::certificate_id.eq(certificate.to_string()))
                .filter(certificate_answers::fate.eq(Fate::Audited.as_str()))
                .filter(certificate_answers::audit.is_null())
                .filter(certificate_answers::gone.eq(false))
                .filter(certificate_answers::at.lt(Moment(before)))
                .order(certificate_answers::at.asc())
                .limit(limit.into())
                .select(AnswerRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(CertificateAnswer::try_from).collect()
    }

    fn answers(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
    ) -> Result<Vec<CertificateAnswer>, StoreError> {
        let found = self.run(|conn| {
            certificate_answers::table
                .filter(certificate_answers::workspace_id.eq(workspace.to_string()))
                .filter(certificate_answers::certificate_id.eq(certificate.to_string()))
                .order(certificate_answers::submission_id.asc())
                .select(AnswerRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(CertificateAnswer::try_from).collect()
    }

    fn append(
        &mut self,
        certification: &Certification,
        record: &ReleaseRecord,
    ) -> Result<(), StoreError> {
        let (certificate, sequence) = (certification.id, record.sequence);
        let row = RecordRow {
            workspace_id: certification.workspace_id.to_string(),
            id: format!("{certificate}.{sequence:06}"),
            assignment_id: certification.assignment_id.to_string(),
            certificate_id: certificate.to_string(),
            sequence: sequence.into(),
            content: record.content.clone(),
            hash: record.hash.clone(),
        };
        let added = self.run(|conn| {
            diesel::insert_into(certificate_records::table)
                .values(&row)
                .execute(conn)
        });
        match added {
            Ok(_) => Ok(()),
            Err(StoreError::Taken { .. }) => Err(StoreError::Stale),
            Err(error) => Err(error),
        }
    }

    fn records(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<Vec<ReleaseRecord>, StoreError> {
        let found = self.run(|conn| {
            certificate_records::table
                .filter(certificate_records::workspace_id.eq(workspace.to_string()))
                .filter(certificate_records::assignment_id.eq(assignment.to_string()))
                .order(certificate_records::sequence.asc())
                .select(RecordRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(ReleaseRecord::try_from).collect()
    }
}
