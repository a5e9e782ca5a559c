//! Learners of SCORM packages in rows: everything but their proofs.

use diesel::prelude::*;
use lyceum_domain::Timestamp;
use lyceum_domain::keys::SecretHash;
use lyceum_domain::scorm::{ScormPackage, ScormPackageId};
use lyceum_domain::scorm_learners::{LearnerIdentity, LearnerTrust, ScormLearner, ScormLearnerId};
use lyceum_domain::users::PersonId;
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::scorm_learners::ScormLearnerRepository;
use lyceum_ports::store::StoreError;

use crate::columns::Moment;
use crate::rows;
use crate::schema::{scorm_learners, scorm_packages, users};
use crate::scorm_packages::ScormPackageRow;
use crate::session::Session;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = scorm_learners)]
struct LearnerRow {
    workspace_id: String,
    id: String,
    package_id: String,
    user_id: String,
    identity: String,
    trust: String,
    proof: String,
    nonce: String,
    created_at: Moment,
    launched_at: Moment,
}

impl From<&ScormLearner> for LearnerRow {
    fn from(learner: &ScormLearner) -> Self {
        let ScormLearner {
            workspace_id,
            id,
            package_id,
            user_id,
            identity,
            trust,
            proof,
            nonce,
            created_at,
            launched_at,
        } = learner;
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            package_id: package_id.to_string(),
            user_id: user_id.to_string(),
            identity: identity.as_str().to_owned(),
            trust: trust.to_string(),
            proof: proof.as_str().to_owned(),
            nonce: nonce.as_str().to_owned(),
            created_at: (*created_at).into(),
            launched_at: (*launched_at).into(),
        }
    }
}

impl TryFrom<LearnerRow> for ScormLearner {
    type Error = StoreError;

    fn try_from(row: LearnerRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            package_id: rows::id(&row.package_id)?,
            user_id: rows::id(&row.user_id)?,
            identity: LearnerIdentity::from_stored(row.identity),
            trust: rows::read(LearnerTrust::parse(&row.trust))?,
            proof: SecretHash::from_stored(row.proof),
            nonce: SecretHash::from_stored(row.nonce),
            created_at: row.created_at.0,
            launched_at: row.launched_at.0,
        })
    }
}

impl ScormLearnerRepository for Session<'_> {
    fn insert(&mut self, learner: &ScormLearner) -> Result<(), StoreError> {
        let row = LearnerRow::from(learner);
        self.insert_absent(|conn| {
            diesel::insert_into(scorm_learners::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn with_proof(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        identity: &LearnerIdentity,
        proof: &SecretHash,
    ) -> Result<Option<ScormLearner>, StoreError> {
        let found = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::package_id.eq(package.to_string()))
                .filter(scorm_learners::identity.eq(identity.as_str()))
                .filter(scorm_learners::proof.eq(proof.as_str()))
                .select(LearnerRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(ScormLearner::try_from).transpose()
    }

    fn with_nonce(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        identity: &LearnerIdentity,
        nonce: &SecretHash,
    ) -> Result<Option<ScormLearner>, StoreError> {
        let found = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::package_id.eq(package.to_string()))
                .filter(scorm_learners::identity.eq(identity.as_str()))
                .filter(scorm_learners::nonce.eq(nonce.as_str()))
                .select(LearnerRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(ScormLearner::try_from).transpose()
    }

    fn is_known(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        identity: &LearnerIdentity,
    ) -> Result<bool, StoreError> {
        let found: Option<String> = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::package_id.eq(package.to_string()))
                .filter(scorm_learners::identity.eq(identity.as_str()))
                .select(scorm_learners::id)
                .first(conn)
                .optional()
        })?;
        Ok(found.is_some())
    }

    fn count(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
    ) -> Result<u64, StoreError> {
        let count: i64 = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::package_id.eq(package.to_string()))
                .count()
                .get_result(conn)
        })?;
        rows::number(count)
    }

    fn note_launch(
        &mut self,
        workspace: WorkspaceId,
        id: ScormLearnerId,
        nonce: &SecretHash,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let changed = self.run(|conn| {
            diesel::update(scorm_learners::table)
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::id.eq(id.to_string()))
                .set((
                    scorm_learners::nonce.eq(nonce.as_str()),
                    scorm_learners::launched_at.eq(Moment(at)),
                ))
                .execute(conn)
        })?;
        rows::one_row(changed)
    }

    fn package_of(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
    ) -> Result<Option<ScormPackage>, StoreError> {
        let of_user = scorm_learners::workspace_id
            .eq(users::workspace_id)
            .and(scorm_learners::user_id.eq(users::id));
        let of_package = scorm_packages::workspace_id
            .eq(scorm_learners::workspace_id)
            .and(scorm_packages::id.eq(scorm_learners::package_id));
        let found = self.run(|conn| {
            users::table
                .inner_join(scorm_learners::table.on(of_user))
                .inner_join(scorm_packages::table.on(of_package))
                .filter(users::workspace_id.eq(workspace.to_string()))
                .filter(users::person_id.eq(person.to_string()))
                .select(ScormPackageRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(ScormPackage::try_from).transpose()
    }
}
