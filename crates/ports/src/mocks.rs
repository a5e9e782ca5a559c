//! A transaction made of mocks, and a store that runs work in one.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::authoring::activities::{ActivityRepository, MockActivityRepository};
use crate::authoring::assignments::{AssignmentRepository, MockAssignmentRepository};
use crate::authoring::courses::{CourseRepository, MockCourseRepository};
use crate::authoring::due_dates::{DueOverrideRepository, MockDueOverrideRepository};
use crate::authoring::lessons::{LessonRepository, MockLessonRepository};
use crate::authoring::media_files::{MediaFileRepository, MockMediaFileRepository};
use crate::authoring::media_uploads::{MediaUploadRepository, MockMediaUploadRepository};
use crate::authoring::pinning::{MockPinnedContentRepository, PinnedContentRepository};
use crate::authoring::units::{MockUnitRepository, UnitRepository};
use crate::authoring::versions::{MockVersionRepository, VersionRepository};
use crate::authoring::waiting::{MockWaitingChangeRepository, WaitingChangeRepository};
use crate::drafting::ai_calls::{AiCallRepository, MockAiCallRepository};
use crate::drafting::ai_reservations::{AiReservationRepository, MockAiReservationRepository};
use crate::drafting::generation_steps::{GenerationStepRepository, MockGenerationStepRepository};
use crate::drafting::generations::{GenerationRepository, MockGenerationRepository};
use crate::drafting::pieces::{MockPieceRepository, PieceRepository};
use crate::drafting::tutor::{MockTutorRepository, TutorRepository};
use crate::exporting::scorm_learners::{MockScormLearnerRepository, ScormLearnerRepository};
use crate::exporting::scorm_packages::{MockScormPackageRepository, ScormPackageRepository};
use crate::grading::batches::{BatchRepository, MockBatchRepository};
use crate::grading::certificates::{CertificateRepository, MockCertificateRepository};
use crate::grading::gradebook::{GradebookRepository, MockGradebookRepository};
use crate::grading::grades::{GradeRepository, MockGradeRepository};
use crate::grading::submissions::{MockSubmissionRepository, SubmissionRepository};
use crate::identity::callers::{CallerRepository, MockCallerRepository};
use crate::identity::keys::{KeyRepository, MockKeyRepository};
use crate::identity::passkeys::{MockPasskeyRepository, PasskeyRepository};
use crate::identity::sign_in_links::{MockSignInLinkRepository, SignInLinkRepository};
use crate::identity::sso::{MockSsoRepository, SsoRepository};
use crate::identity::tokens::{MockTokenRepository, TokenRepository};
use crate::identity::users::{MockUserRepository, UserRepository};
use crate::identity::workspaces::{MockWorkspaceRepository, WorkspaceRepository};
use crate::learning::attempts::{AttemptRepository, MockAttemptRepository};
use crate::learning::cohorts::{CohortRepository, MockCohortRepository};
use crate::learning::enrollments::{EnrollmentRepository, MockEnrollmentRepository};
use crate::learning::progress::{MockProgressRepository, ProgressRepository};
use crate::notifying::digests::{DigestRepository, MockDigestRepository};
use crate::notifying::events::{EventRepository, MockEventRepository};
use crate::notifying::mails::{MailRepository, MockMailRepository};
use crate::notifying::webhooks::{MockWebhookRepository, WebhookRepository};
use crate::running::audit::{AuditRepository, RememberedTrail};
use crate::running::bulk_writes::{BulkWriteRepository, MockBulkWriteRepository};
use crate::running::idempotency::{IdempotencyRepository, MockIdempotencyRepository};
use crate::running::in_use::{InUseRepository, MockInUseRepository};
use crate::running::jobs::{JobRepository, MockJobRepository};
use crate::running::nodes::{MockNodeRepository, NodeRepository};
use crate::running::personal_data::{MockPersonalDataRepository, PersonalDataRepository};
use crate::running::shared_limits::{MockSharedLimitRepository, SharedLimitRepository};
use crate::running::storage_use::{MockStorageUseRepository, StorageUseRepository};
use crate::running::trash::{MockTrashRepository, TrashRepository};
use crate::running::unwanted_files::{MockUnwantedFileRepository, UnwantedFileRepository};
use crate::store::{Finish, Line, Store, StoreError, Tx, Work};
use crate::weights::{MockWeightRepository, WeightRepository};

/// A transaction whose every repository is a mock; what is not expected panics.
#[derive(Default)]
pub struct MockTx {
    /// See [`Tx::workspaces`].
    pub workspaces: MockWorkspaceRepository,
    /// See [`Tx::users`].
    pub users: MockUserRepository,
    /// See [`Tx::callers`].
    pub callers: MockCallerRepository,
    /// See [`Tx::keys`].
    pub keys: MockKeyRepository,
    /// See [`Tx::sso`].
    pub sso: MockSsoRepository,
    /// See [`Tx::sign_in_links`].
    pub sign_in_links: MockSignInLinkRepository,
    /// See [`Tx::passkeys`].
    pub passkeys: MockPasskeyRepository,
    /// See [`Tx::tokens`].
    pub tokens: MockTokenRepository,
    /// See [`Tx::courses`].
    pub courses: MockCourseRepository,
    /// See [`Tx::units`].
    pub units: MockUnitRepository,
    /// See [`Tx::lessons`].
    pub lessons: MockLessonRepository,
    /// See [`Tx::activities`].
    pub activities: MockActivityRepository,
    /// See [`Tx::attempts`].
    pub attempts: MockAttemptRepository,
    /// See [`Tx::progress`].
    pub progress: MockProgressRepository,
    /// See [`Tx::tutor`].
    pub tutor: MockTutorRepository,
    /// See [`Tx::pieces`].
    pub pieces: MockPieceRepository,
    /// See [`Tx::versions`].
    pub versions: MockVersionRepository,
    /// See [`Tx::pinned_contents`].
    pub pinned_contents: MockPinnedContentRepository,
    /// See [`Tx::waiting_changes`].
    pub waiting_changes: MockWaitingChangeRepository,
    /// See [`Tx::assignments`].
    pub assignments: MockAssignmentRepository,
    /// See [`Tx::cohorts`].
    pub cohorts: MockCohortRepository,
    /// See [`Tx::due_overrides`].
    pub due_overrides: MockDueOverrideRepository,
    /// See [`Tx::enrollments`].
    pub enrollments: MockEnrollmentRepository,
    /// See [`Tx::submissions`].
    pub submissions: MockSubmissionRepository,
    /// See [`Tx::gradebook`].
    pub gradebook: MockGradebookRepository,
    /// See [`Tx::grades`].
    pub grades: MockGradeRepository,
    /// See [`Tx::batches`].
    pub batches: MockBatchRepository,
    /// See [`Tx::media_files`].
    pub media_files: MockMediaFileRepository,
    /// See [`Tx::media_uploads`].
    pub media_uploads: MockMediaUploadRepository,
    /// See [`Tx::bulk_writes`].
    pub bulk_writes: MockBulkWriteRepository,
    /// See [`Tx::certificates`].
    pub certificates: MockCertificateRepository,
    /// See [`Tx::in_use`].
    pub in_use: MockInUseRepository,
    /// See [`Tx::scorm_packages`].
    pub scorm_packages: MockScormPackageRepository,
    /// See [`Tx::scorm_learners`].
    pub scorm_learners: MockScormLearnerRepository,
    /// See [`Tx::generations`].
    pub generations: MockGenerationRepository,
    /// See [`Tx::generation_steps`].
    pub generation_steps: MockGenerationStepRepository,
    /// See [`Tx::ai_calls`].
    pub ai_calls: MockAiCallRepository,
    /// See [`Tx::ai_reservations`].
    pub ai_reservations: MockAiReservationRepository,
    /// See [`Tx::shared_limits`].
    pub shared_limits: MockSharedLimitRepository,
    /// See [`Tx::storage_use`].
    pub storage_use: MockStorageUseRepository,
    /// See [`Tx::audit`].
    pub audit: RememberedTrail,
    /// See [`Tx::personal_data`].
    pub personal_data: MockPersonalDataRepository,
    /// See [`Tx::trash`].
    pub trash: MockTrashRepository,
    /// See [`Tx::unwanted_files`].
    pub unwanted_files: MockUnwantedFileRepository,
    /// See [`Tx::events`].
    pub events: MockEventRepository,
    /// See [`Tx::digests`].
    pub digests: MockDigestRepository,
    /// See [`Tx::mails`].
    pub mails: MockMailRepository,
    /// See [`Tx::webhooks`].
    pub webhooks: MockWebhookRepository,
    /// See [`Tx::jobs`].
    pub jobs: MockJobRepository,
    /// See [`Tx::nodes`].
    pub nodes: MockNodeRepository,
    /// See [`Tx::idempotency`].
    pub idempotency: MockIdempotencyRepository,
    /// See [`Tx::weights`].
    pub weights: MockWeightRepository,
}

impl Tx for MockTx {
    fn stand_in_line(&mut self, _line: Line) -> Result<(), StoreError> {
        Ok(())
    }
    fn workspaces(&mut self) -> &mut dyn WorkspaceRepository {
        &mut self.workspaces
    }
    fn users(&mut self) -> &mut dyn UserRepository {
        &mut self.users
    }
    fn callers(&mut self) -> &mut dyn CallerRepository {
        &mut self.callers
    }
    fn keys(&mut self) -> &mut dyn KeyRepository {
        &mut self.keys
    }
    fn sso(&mut self) -> &mut dyn SsoRepository {
        &mut self.sso
    }
    fn sign_in_links(&mut self) -> &mut dyn SignInLinkRepository {
        &mut self.sign_in_links
    }

    fn passkeys(&mut self) -> &mut dyn PasskeyRepository {
        &mut self.passkeys
    }

    fn tokens(&mut self) -> &mut dyn TokenRepository {
        &mut self.tokens
    }
    fn courses(&mut self) -> &mut dyn CourseRepository {
        &mut self.courses
    }
    fn units(&mut self) -> &mut dyn UnitRepository {
        &mut self.units
    }
    fn lessons(&mut self) -> &mut dyn LessonRepository {
        &mut self.lessons
    }
    fn activities(&mut self) -> &mut dyn ActivityRepository {
        &mut self.activities
    }
    fn attempts(&mut self) -> &mut dyn AttemptRepository {
        &mut self.attempts
    }
    fn progress(&mut self) -> &mut dyn ProgressRepository {
        &mut self.progress
    }
    fn tutor(&mut self) -> &mut dyn TutorRepository {
        &mut self.tutor
    }
    fn pieces(&mut self) -> &mut dyn PieceRepository {
        &mut self.pieces
    }
    fn versions(&mut self) -> &mut dyn VersionRepository {
        &mut self.versions
    }
    fn pinned_contents(&mut self) -> &mut dyn PinnedContentRepository {
        &mut self.pinned_contents
    }
    fn waiting_changes(&mut self) -> &mut dyn WaitingChangeRepository {
        &mut self.waiting_changes
    }
    fn assignments(&mut self) -> &mut dyn AssignmentRepository {
        &mut self.assignments
    }
    fn cohorts(&mut self) -> &mut dyn CohortRepository {
        &mut self.cohorts
    }
    fn due_overrides(&mut self) -> &mut dyn DueOverrideRepository {
        &mut self.due_overrides
    }
    fn enrollments(&mut self) -> &mut dyn EnrollmentRepository {
        &mut self.enrollments
    }
    fn submissions(&mut self) -> &mut dyn SubmissionRepository {
        &mut self.submissions
    }
    fn gradebook(&mut self) -> &mut dyn GradebookRepository {
        &mut self.gradebook
    }
    fn grades(&mut self) -> &mut dyn GradeRepository {
        &mut self.grades
    }
    fn batches(&mut self) -> &mut dyn BatchRepository {
        &mut self.batches
    }
    fn media_files(&mut self) -> &mut dyn MediaFileRepository {
        &mut self.media_files
    }
    fn media_uploads(&mut self) -> &mut dyn MediaUploadRepository {
        &mut self.media_uploads
    }
    fn bulk_writes(&mut self) -> &mut dyn BulkWriteRepository {
        &mut self.bulk_writes
    }
    fn certificates(&mut self) -> &mut dyn CertificateRepository {
        &mut self.certificates
    }
    fn in_use(&mut self) -> &mut dyn InUseRepository {
        &mut self.in_use
    }
    fn scorm_packages(&mut self) -> &mut dyn ScormPackageRepository {
        &mut self.scorm_packages
    }
    fn scorm_learners(&mut self) -> &mut dyn ScormLearnerRepository {
        &mut self.scorm_learners
    }
    fn generations(&mut self) -> &mut dyn GenerationRepository {
        &mut self.generations
    }
    fn generation_steps(&mut self) -> &mut dyn GenerationStepRepository {
        &mut self.generation_steps
    }
    fn ai_calls(&mut self) -> &mut dyn AiCallRepository {
        &mut self.ai_calls
    }
    fn ai_reservations(&mut self) -> &mut dyn AiReservationRepository {
        &mut self.ai_reservations
    }
    fn shared_limits(&mut self) -> &mut dyn SharedLimitRepository {
        &mut self.shared_limits
    }
    fn storage_use(&mut self) -> &mut dyn StorageUseRepository {
        &mut self.storage_use
    }
    fn audit(&mut self) -> &mut dyn AuditRepository {
        &mut self.audit
    }
    fn personal_data(&mut self) -> &mut dyn PersonalDataRepository {
        &mut self.personal_data
    }
    fn trash(&mut self) -> &mut dyn TrashRepository {
        &mut self.trash
    }
    fn unwanted_files(&mut self) -> &mut dyn UnwantedFileRepository {
        &mut self.unwanted_files
    }
    fn events(&mut self) -> &mut dyn EventRepository {
        &mut self.events
    }
    fn digests(&mut self) -> &mut dyn DigestRepository {
        &mut self.digests
    }
    fn mails(&mut self) -> &mut dyn MailRepository {
        &mut self.mails
    }
    fn webhooks(&mut self) -> &mut dyn WebhookRepository {
        &mut self.webhooks
    }
    fn jobs(&mut self) -> &mut dyn JobRepository {
        &mut self.jobs
    }
    fn nodes(&mut self) -> &mut dyn NodeRepository {
        &mut self.nodes
    }
    fn idempotency(&mut self) -> &mut dyn IdempotencyRepository {
        &mut self.idempotency
    }
    fn weights(&mut self) -> &mut dyn WeightRepository {
        &mut self.weights
    }
}

/// A store that runs every piece of work in the one [`MockTx`] it was given and notes how it ended.
pub struct MockStore {
    tx: Mutex<MockTx>,
    finished: Arc<Mutex<Vec<Finish>>>,
}

// Mocks are `Send` only, and the lock lets one thread at a time at them.
impl MockStore {
    /// A store around `tx`.
    pub fn new(tx: MockTx) -> Self {
        Self {
            tx: Mutex::new(tx),
            finished: Arc::default(),
        }
    }

    /// How the pieces of work ended, in order; lives on after the store.
    pub fn finished(&self) -> Arc<Mutex<Vec<Finish>>> {
        Arc::clone(&self.finished)
    }

    fn run(&self, mut work: Work) {
        let mut tx = self.tx.lock().unwrap_or_else(PoisonError::into_inner);
        let finish = work(&mut *tx);
        self.finished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(finish);
    }
}

#[async_trait]
impl Store for MockStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        self.run(work);
        Ok(())
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.run(work);
        Ok(())
    }
}
