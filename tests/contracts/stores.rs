//! What every store keeps to: transactions, trash, and each repository that they reach.

use std::sync::Arc;

use lyceum_ports::store::{Store, StoreError, Tx};

use crate::cases::{Place, Suite};
use crate::{
    activities, ai_calls, among, assignments, attempts, audit, backlog, batches, bulk_writes,
    callers, certificates, cohorts, courses, digests, due_dates, enrollments, events, fairness,
    generation_steps, generations, grade_receipts, gradebook, grades, idempotency, job_moves, jobs,
    keys, lessons, mails, media_files, media_uploads, narrowing, nodes, passkeys, pieces, pinning,
    progress, retention, scorm_learners, scorm_packages, sign_in, sorting, sso, staleness,
    storage_use, submission_lists, submissions, tokens, transactions, trash, tutor, units, users,
    versions, waiting, webhook_redeliveries, webhooks, with_ids, workspaces,
};

/// The suite for the adapter of this name; `fresh` makes an empty, migrated database, once for each case.
pub fn suite<P: Place<dyn Store> + 'static>(
    adapter: &str,
    fresh: impl Fn() -> P + Send + Sync + 'static,
) -> Suite {
    let files = [
        activities::CASES,
        ai_calls::CASES,
        among::CASES,
        assignments::CASES,
        attempts::CASES,
        audit::CASES,
        backlog::CASES,
        batches::CASES,
        bulk_writes::CASES,
        callers::CASES,
        cohorts::CASES,
        courses::CASES,
        digests::CASES,
        due_dates::CASES,
        enrollments::CASES,
        events::CASES,
        fairness::CASES,
        generation_steps::CASES,
        generations::CASES,
        grade_receipts::CASES,
        certificates::CASES,
        gradebook::CASES,
        grades::CASES,
        idempotency::CASES,
        job_moves::CASES,
        jobs::CASES,
        keys::CASES,
        lessons::CASES,
        mails::CASES,
        passkeys::CASES,
        media_files::CASES,
        media_uploads::CASES,
        narrowing::CASES,
        sorting::CASES,
        nodes::CASES,
        pieces::CASES,
        progress::CASES,
        retention::CASES,
        scorm_learners::CASES,
        scorm_packages::CASES,
        staleness::CASES,
        storage_use::CASES,
        submission_lists::CASES,
        submissions::CASES,
        sign_in::CASES,
        sso::CASES,
        tokens::CASES,
        transactions::CASES,
        trash::CASES,
        tutor::CASES,
        units::CASES,
        users::CASES,
        pinning::CASES,
        versions::CASES,
        waiting::CASES,
        webhook_redeliveries::CASES,
        webhooks::CASES,
        with_ids::CASES,
        workspaces::CASES,
    ];
    let fresh: Fresh = Arc::new(move || Box::new(fresh()));
    Suite::of(adapter, &files, move || Box::new(Stores::new(&fresh)))
}

/// Makes an empty database.
type Fresh = Arc<dyn Fn() -> Box<dyn Place<dyn Store>> + Send + Sync>;

/// A database that stores are opened on.
pub(crate) struct Stores {
    place: Box<dyn Place<dyn Store>>,
    fresh: Fresh,
}

impl Stores {
    fn new(fresh: &Fresh) -> Self {
        Self {
            place: fresh(),
            fresh: Arc::clone(fresh),
        }
    }

    /// A store on it, beside those that are open already, as another process would have.
    pub(crate) async fn open(&self) -> OpenStore {
        OpenStore {
            store: self.place.open().await,
        }
    }

    /// Another database, as empty as this one was.
    pub(crate) fn elsewhere(&self) -> Self {
        Self::new(&self.fresh)
    }
}

/// A store whose errors are its own, so that cases need not say so.
pub(crate) struct OpenStore {
    pub(crate) store: Arc<dyn Store>,
}

impl OpenStore {
    /// Runs work in a transaction that is kept.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.store.write(work).await
    }

    /// Runs work on a snapshot.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.store.read(work).await
    }
}
