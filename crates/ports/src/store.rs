//! The unit of work: one transaction over every repository.

use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::authoring::activities::ActivityRepository;
use crate::authoring::assignments::AssignmentRepository;
use crate::authoring::courses::CourseRepository;
use crate::authoring::due_dates::DueOverrideRepository;
use crate::authoring::lessons::LessonRepository;
use crate::authoring::media_files::MediaFileRepository;
use crate::authoring::media_uploads::MediaUploadRepository;
use crate::authoring::pinning::PinnedContentRepository;
use crate::authoring::units::UnitRepository;
use crate::authoring::versions::VersionRepository;
use crate::authoring::waiting::WaitingChangeRepository;
use crate::drafting::ai_calls::AiCallRepository;
use crate::drafting::ai_reservations::AiReservationRepository;
use crate::drafting::generation_steps::GenerationStepRepository;
use crate::drafting::generations::GenerationRepository;
use crate::drafting::pieces::PieceRepository;
use crate::drafting::tutor::TutorRepository;
pub use crate::error::StoreError;
use crate::exporting::scorm_learners::ScormLearnerRepository;
use crate::exporting::scorm_packages::ScormPackageRepository;
use crate::grading::batches::BatchRepository;
use crate::grading::certificates::CertificateRepository;
use crate::grading::gradebook::GradebookRepository;
use crate::grading::grades::GradeRepository;
use crate::grading::submissions::SubmissionRepository;
use crate::identity::callers::CallerRepository;
use crate::identity::keys::KeyRepository;
use crate::identity::passkeys::PasskeyRepository;
use crate::identity::sign_in_links::SignInLinkRepository;
use crate::identity::sso::SsoRepository;
use crate::identity::tokens::TokenRepository;
use crate::identity::users::UserRepository;
use crate::identity::workspaces::WorkspaceRepository;
use crate::learning::attempts::AttemptRepository;
use crate::learning::cohorts::CohortRepository;
use crate::learning::enrollments::EnrollmentRepository;
use crate::learning::progress::ProgressRepository;
use crate::notifying::digests::DigestRepository;
use crate::notifying::events::EventRepository;
use crate::notifying::mails::MailRepository;
use crate::notifying::webhooks::WebhookRepository;
use crate::running::audit::AuditRepository;
use crate::running::bulk_writes::BulkWriteRepository;
use crate::running::idempotency::IdempotencyRepository;
use crate::running::in_use::InUseRepository;
use crate::running::jobs::JobRepository;
use crate::running::nodes::NodeRepository;
use crate::running::personal_data::PersonalDataRepository;
use crate::running::shared_limits::SharedLimitRepository;
use crate::running::storage_use::StorageUseRepository;
use crate::running::trash::TrashRepository;
use crate::running::unwanted_files::UnwantedFileRepository;
use crate::weights::WeightRepository;

/// What only one transaction at a time is to have before it, because each counts or changes what the others do. Those
/// who come to it at once stand in line and are served one after the other, on all nodes; nobody is sent away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(String);

impl Line {
    /// The line for a thing, named by its id.
    pub fn at(thing: impl Display) -> Self {
        Self(thing.to_string())
    }

    /// What it is for.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Every repository, inside one transaction. Nothing reached through it can wait for anything remote.
pub trait Tx {
    /// Goes on only as the one transaction that is first in this line. Who is not yet is run again, from the start,
    /// when it is: so what is read, before as well as after, is what those before it left. Where there is one writer
    /// at a time anyway, everybody is first.
    ///
    /// # Errors
    /// [`StoreError::Stale`], on which the work is to give up.
    fn stand_in_line(&mut self, line: Line) -> Result<(), StoreError>;
    /// Workspaces.
    fn workspaces(&mut self) -> &mut dyn WorkspaceRepository;
    /// People and their memberships.
    fn users(&mut self) -> &mut dyn UserRepository;
    /// Who is at the door.
    fn callers(&mut self) -> &mut dyn CallerRepository;
    /// API keys.
    fn keys(&mut self) -> &mut dyn KeyRepository;
    /// Links that let people in.
    fn sign_in_links(&mut self) -> &mut dyn SignInLinkRepository;
    /// Passkeys.
    fn passkeys(&mut self) -> &mut dyn PasskeyRepository;
    /// Connections to identity providers, and who comes by them.
    fn sso(&mut self) -> &mut dyn SsoRepository;
    /// One-time tokens.
    fn tokens(&mut self) -> &mut dyn TokenRepository;
    /// Courses.
    fn courses(&mut self) -> &mut dyn CourseRepository;
    /// Units.
    fn units(&mut self) -> &mut dyn UnitRepository;
    /// Lessons.
    fn lessons(&mut self) -> &mut dyn LessonRepository;
    /// Activities.
    fn activities(&mut self) -> &mut dyn ActivityRepository;
    /// Attempts.
    fn attempts(&mut self) -> &mut dyn AttemptRepository;
    /// Completed lessons.
    fn progress(&mut self) -> &mut dyn ProgressRepository;
    /// Conversations with the tutor.
    fn tutor(&mut self) -> &mut dyn TutorRepository;
    /// What generations made and people decide about.
    fn pieces(&mut self) -> &mut dyn PieceRepository;
    /// What lessons, activities and assignments were.
    fn versions(&mut self) -> &mut dyn VersionRepository;
    /// What cohorts see that are updated by choice.
    fn pinned_contents(&mut self) -> &mut dyn PinnedContentRepository;
    /// What waits to go live.
    fn waiting_changes(&mut self) -> &mut dyn WaitingChangeRepository;
    /// Assignments.
    fn assignments(&mut self) -> &mut dyn AssignmentRepository;
    /// Cohorts.
    fn cohorts(&mut self) -> &mut dyn CohortRepository;
    /// Other due dates.
    fn due_overrides(&mut self) -> &mut dyn DueOverrideRepository;
    /// Enrolments.
    fn enrollments(&mut self) -> &mut dyn EnrollmentRepository;
    /// Submissions.
    fn submissions(&mut self) -> &mut dyn SubmissionRepository;
    /// What a book of grades is made of.
    fn gradebook(&mut self) -> &mut dyn GradebookRepository;
    /// Grade history.
    fn grades(&mut self) -> &mut dyn GradeRepository;
    /// Regrades, bulk gradings, red teams.
    fn batches(&mut self) -> &mut dyn BatchRepository;
    /// Media files.
    fn media_files(&mut self) -> &mut dyn MediaFileRepository;
    /// Uploads to the media library that come in pieces.
    fn media_uploads(&mut self) -> &mut dyn MediaUploadRepository;
    /// Certificates.
    fn certificates(&mut self) -> &mut dyn CertificateRepository;
    /// What learners did with things.
    fn in_use(&mut self) -> &mut dyn InUseRepository;
    /// SCORM packages.
    fn scorm_packages(&mut self) -> &mut dyn ScormPackageRepository;
    /// Learners of SCORM packages.
    fn scorm_learners(&mut self) -> &mut dyn ScormLearnerRepository;
    /// Generations.
    fn generations(&mut self) -> &mut dyn GenerationRepository;
    /// Steps of generations.
    fn generation_steps(&mut self) -> &mut dyn GenerationStepRepository;
    /// Calls to AI providers.
    fn ai_calls(&mut self) -> &mut dyn AiCallRepository;
    /// What is set aside of AI budgets.
    fn ai_reservations(&mut self) -> &mut dyn AiReservationRepository;
    /// Counts of requests that nodes share.
    fn shared_limits(&mut self) -> &mut dyn SharedLimitRepository;
    /// How much is kept.
    fn storage_use(&mut self) -> &mut dyn StorageUseRepository;
    /// The audit trail.
    fn audit(&mut self) -> &mut dyn AuditRepository;
    /// What is kept of a person.
    fn personal_data(&mut self) -> &mut dyn PersonalDataRepository;
    /// What was deleted and may come back.
    fn trash(&mut self) -> &mut dyn TrashRepository;
    /// Files of workspaces that are gone.
    fn unwanted_files(&mut self) -> &mut dyn UnwantedFileRepository;
    /// Events.
    fn events(&mut self) -> &mut dyn EventRepository;
    /// Who is told by mail what waits.
    fn digests(&mut self) -> &mut dyn DigestRepository;
    /// Mails.
    fn mails(&mut self) -> &mut dyn MailRepository;
    /// Webhook endpoints and deliveries.
    fn webhooks(&mut self) -> &mut dyn WebhookRepository;
    /// Background jobs.
    fn jobs(&mut self) -> &mut dyn JobRepository;
    /// Bulk writes.
    fn bulk_writes(&mut self) -> &mut dyn BulkWriteRepository;
    /// The processes that serve.
    fn nodes(&mut self) -> &mut dyn NodeRepository;
    /// Remembered replies.
    fn idempotency(&mut self) -> &mut dyn IdempotencyRepository;
    /// How large things are.
    fn weights(&mut self) -> &mut dyn WeightRepository;
}

/// How a transaction is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// Keep what was done.
    Commit,
    /// Forget what was done.
    Rollback,
}

/// What is done inside a transaction; may be run again from the start if the database asks for it.
pub type Work = Box<dyn FnMut(&mut dyn Tx) -> Finish + Send>;

/// One view of everything, which several short pieces of work share: what the first of them found is still so for the
/// last, or that it is not is found out before anybody is told. It is to be let go of before anything is waited for, because storage cannot tidy up behind it.
#[async_trait]
pub trait View: Send {
    /// Runs `work`, perhaps in the thread of whoever asks; writes fail.
    ///
    /// # Errors
    /// [`StoreError`] if the view is lost, or what it took on trust was not so ([`Trust::prove`]).
    async fn look(&mut self, work: Work) -> Result<(), StoreError>;

    /// The same for work that asks for one thing only.
    ///
    /// # Errors
    /// As for [`Self::look`].
    async fn look_at_one(&mut self, work: Work) -> Result<(), StoreError> {
        self.look(work).await
    }

    /// What the view takes on trust, if it does: nothing that comes of it may be told to anybody before that is proven.
    fn trust(&self) -> Option<Arc<dyn Trust>> {
        None
    }
}

/// What was taken to be as it is remembered, so that nobody had to wait for the answer before asking the next thing.
#[async_trait]
pub trait Trust: Send + Sync {
    /// Finds out whether it is still so, unless that was done; asks nobody where nothing was taken on trust.
    ///
    /// # Errors
    /// [`StoreError::Outdated`] where it is not, however often that is asked: what was done so far is to be done anew, from
    /// the start.
    async fn prove(&self) -> Result<(), StoreError>;
}

/// Somewhere to keep things.
#[async_trait]
pub trait Store: Send + Sync {
    /// Runs `work` in a transaction that may write; returns after it is on disk, or rolled back. What others do at the
    /// same time is no reason to fail: work that met them is run again with what they kept in view, for as long as a
    /// caller may wait, and then it is [`StoreError::Unavailable`].
    ///
    /// # Errors
    /// [`StoreError`] if there was no transaction or its commit failed.
    async fn run_write(&self, work: Work) -> Result<(), StoreError>;

    /// The same for work that ends or frees something: it is let in also when the disk is almost full.
    ///
    /// # Errors
    /// As for [`Store::run_write`].
    async fn run_concluding_write(&self, work: Work) -> Result<(), StoreError> {
        self.run_write(work).await
    }

    /// Runs `work` on one consistent snapshot, perhaps in the thread of whoever asks; writes fail.
    ///
    /// # Errors
    /// [`StoreError`] if there was no transaction.
    async fn run_read(&self, work: Work) -> Result<(), StoreError>;

    /// The same for work that asks for one thing only, around which storage need not begin and end a transaction. Where
    /// it turns out to ask for more, it is run again on a snapshot.
    ///
    /// # Errors
    /// As for [`Store::run_read`].
    async fn run_read_one(&self, work: Work) -> Result<(), StoreError> {
        self.run_read(work).await
    }

    /// The same for work that a caller waits for: storage may look at a copy of itself, if that has all that anybody was told is kept.
    ///
    /// # Errors
    /// As for [`Store::run_read`].
    async fn run_awaited_read(&self, work: Work) -> Result<(), StoreError> {
        self.run_read(work).await
    }

    /// The same for work that may look at many rows: whoever else has something to do goes on meanwhile.
    ///
    /// # Errors
    /// As for [`Store::run_read`].
    async fn run_long_read(&self, work: Work) -> Result<(), StoreError> {
        self.run_read(work).await
    }

    /// A view for several reads, where storage has one to give without waiting for anything; else each read has its own.
    ///
    /// # Errors
    /// [`StoreError`] if there was no transaction.
    fn view(&self) -> Result<Option<Box<dyn View>>, StoreError> {
        Ok(None)
    }

    /// How storage is. What it cannot tell without asking a remote database, a read finds out.
    fn condition(&self) -> Condition {
        Condition::Good
    }

    /// Leaves everything as the next start likes to find it. Writes after this fail.
    async fn close(&self) {}
}

/// How storage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// It reads and writes.
    Good,
    /// It reads; new writes are refused until there is room again.
    DiskAlmostFull,
}

impl dyn Store {
    /// Runs `work` in a transaction: `Ok` commits, `Err` rolls back.
    ///
    /// # Errors
    /// What `work` returned, or the [`StoreError`] of the transaction itself.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    {
        let (work, outcome) = observed(work);
        self.run_write(work).await?;
        take(&outcome)
    }

    /// Runs `work` that ends or frees something: like [`Self::write`], and let in also when the disk is almost full.
    ///
    /// # Errors
    /// As for [`Self::write`].
    pub async fn conclude<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    {
        let (work, outcome) = observed(work);
        self.run_concluding_write(work).await?;
        take(&outcome)
    }

    /// Runs `work` on one consistent snapshot.
    ///
    /// # Errors
    /// What `work` returned, or the [`StoreError`] of the transaction itself.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    {
        let (work, outcome) = observed(work);
        self.run_read(work).await?;
        take(&outcome)
    }

    /// Runs `work` that asks for one thing only on this view, or by itself if there is none.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub async fn read_one_in<T, E, F>(
        &self,
        view: &mut Option<Box<dyn View>>,
        work: F,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    {
        let (work, outcome) = observed(work);
        match view {
            Some(view) => view.look_at_one(work).await?,
            None => self.run_read_one(work).await?,
        }
        take(&outcome)
    }

    /// Runs `work` that a caller waits for on this view, or on a snapshot of its own if there is none.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub async fn read_on<T, E, F>(&self, view: &mut Option<Box<dyn View>>, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    {
        let (work, outcome) = observed(work);
        match view {
            Some(view) => view.look(work).await?,
            None => self.run_awaited_read(work).await?,
        }
        take(&outcome)
    }

    /// Runs `work` that may look at many rows on one consistent snapshot.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub async fn read_at_length<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    {
        let (work, outcome) = observed(work);
        self.run_long_read(work).await?;
        take(&outcome)
    }
}

type Outcome<T, E> = Arc<Mutex<Option<Result<T, E>>>>;

/// The object-safe form of `work`, and the place where its latest result will be.
fn observed<T, E, F>(mut work: F) -> (Work, Outcome<T, E>)
where
    T: Send + 'static,
    E: Send + 'static,
    F: FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
{
    let outcome: Outcome<T, E> = Arc::new(Mutex::new(None));
    let place = Arc::clone(&outcome);
    let work = Box::new(move |tx: &mut dyn Tx| {
        let result = work(tx);
        let finish = if result.is_ok() {
            Finish::Commit
        } else {
            Finish::Rollback
        };
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        finish
    });
    (work, outcome)
}

fn take<T, E: From<StoreError>>(outcome: &Outcome<T, E>) -> Result<T, E> {
    let result = outcome
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    result.unwrap_or_else(|| Err(StoreError::Failed("the transaction did not run".into()).into()))
}
