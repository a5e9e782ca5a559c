//! Learners of SCORM packages in rows: everything but their proofs.

use std::collections::HashMap;

use diesel::dsl::max;
use lyceum_domain::exporting::scorm_learners::{LearnerIdentity, LearnerTrust, Lms, ScormLearner};
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::ids::CohortId;
use lyceum_domain::ids::ScormLearnerId;
use lyceum_domain::ids::ScormPackageId;
use lyceum_domain::ids::UserId;
use lyceum_domain::text::Name;
use lyceum_ports::exporting::scorm_learners::{
    KnownLearner, ScormLearnerFilter, ScormLearnerRepository,
};

use crate::mapping::schema::{api_keys, scorm_learners, users};
use crate::mapping::stored::kept_as_accepted_text;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = scorm_learners)]
    struct LearnerRow of ScormLearner {
        workspace_id: WorkspaceId,
        id: ScormLearnerId,
        cohort_id: CohortId,
        package_id: ScormPackageId,
        user_id: UserId,
        identity: LearnerIdentity,
        claimed_id: String,
        trust: LearnerTrust,
        proof: SecretHash,
        nonce: SecretHash,
        created_at: Timestamp,
        launched_at: Timestamp,
        ..lms: (lms_origin: String, lms_title: String, lms_version: String),
    }
}

/// A learner, their name and the person behind them.
type NamedLearner = (LearnerRow, Option<String>, String);

kept_as_text!(LearnerTrust);
kept_as_accepted_text!(LearnerIdentity);

impl Stored for Lms {
    type Columns = (String, String, String);

    fn columns(&self) -> Self::Columns {
        let origin = self.origin.clone();
        (origin, self.title.clone(), self.version.clone())
    }

    fn read((origin, title, version): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self {
            origin,
            title,
            version,
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
        cohort: CohortId,
        identity: &LearnerIdentity,
        proof: &SecretHash,
    ) -> Result<Option<ScormLearner>, StoreError> {
        let found = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::cohort_id.eq(cohort.to_string()))
                .filter(scorm_learners::identity.eq(identity.as_str()))
                .filter(scorm_learners::proof.eq(proof.as_str()))
                .select(LearnerRow::as_select())
                .order((
                    scorm_learners::launched_at.desc(),
                    scorm_learners::id.desc(),
                ))
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

    fn at(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        user: UserId,
    ) -> Result<Option<ScormLearner>, StoreError> {
        let found = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::package_id.eq(package.to_string()))
                .filter(scorm_learners::user_id.eq(user.to_string()))
                .select(LearnerRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(ScormLearner::try_from).transpose()
    }

    fn is_known(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        identity: &LearnerIdentity,
    ) -> Result<bool, StoreError> {
        let found: Option<String> = self.run(|conn| {
            scorm_learners::table
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::cohort_id.eq(cohort.to_string()))
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
        lms: &Lms,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.change(&id.to_string(), |conn| {
            diesel::update(scorm_learners::table)
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::id.eq(id.to_string()))
                .set((
                    scorm_learners::nonce.eq(nonce.as_str()),
                    scorm_learners::lms_origin.eq(&lms.origin),
                    scorm_learners::lms_title.eq(&lms.title),
                    scorm_learners::lms_version.eq(&lms.version),
                    scorm_learners::launched_at.eq(Moment(at)),
                ))
                .execute(conn)
        })
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        filter: &ScormLearnerFilter,
        page: &PageRequest,
    ) -> Result<Page<KnownLearner>, StoreError> {
        let of_user = users::workspace_id
            .eq(scorm_learners::workspace_id)
            .and(users::id.eq(scorm_learners::user_id));
        let walk = Walk::<ids::ScormLearner>::over("scorm_learners", workspace, page)
            .along("package_id", Some(package))
            .sifting(filter.identity.is_some() || filter.origin.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = scorm_learners::table
                .inner_join(users::table.on(of_user))
                .filter(scorm_learners::workspace_id.eq(workspace.to_string()))
                .filter(scorm_learners::package_id.eq(package.to_string()))
                .select((LearnerRow::as_select(), users::name, users::person_id))
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(trust) = filter.identity {
                query = query.filter(scorm_learners::trust.eq(trust.as_str()));
            }
            if let Some(origin) = &filter.origin {
                query = query.filter(scorm_learners::lms_origin.eq(origin.clone()));
            }
            let found = session.run(|conn| query.load::<NamedLearner>(conn))?;
            let used = last_uses(session, package, &found)?;
            let learners = found
                .into_iter()
                .map(|(learner, name, person)| {
                    Ok(KnownLearner {
                        learner: learner.try_into()?,
                        name: name.map(|name| rows::read(Name::parse(name))).transpose()?,
                        used_at: used.get(&person).map(|moment| moment.0),
                    })
                })
                .collect::<Result<Vec<_>, StoreError>>()?;
            Ok(reach.cut(learners, |known| known.learner.id.to_string()))
        })
    }
}

/// When sessions of these learners at this package were last used, by person.
fn last_uses(
    session: &mut Session<'_>,
    package: ScormPackageId,
    learners: &[NamedLearner],
) -> Result<HashMap<String, Moment>, StoreError> {
    let people: Vec<&String> = learners.iter().map(|(_, _, person)| person).collect();
    if people.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<(String, Option<Moment>)> = session.run(|conn| {
        api_keys::table
            .filter(api_keys::person_id.eq_any(people))
            .filter(api_keys::package_id.eq(package.to_string()))
            .group_by(api_keys::person_id)
            .select((api_keys::person_id, max(api_keys::last_used_at)))
            .load(conn)
    })?;
    let used = found.into_iter();
    Ok(used
        .filter_map(|(person, at)| Some((person, at?)))
        .collect())
}
