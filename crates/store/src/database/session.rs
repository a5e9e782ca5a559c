//! One transaction, as the repositories see it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use diesel::QueryResult;
use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};
use lyceum_ports::authoring::activities::ActivityRepository;
use lyceum_ports::authoring::assignments::AssignmentRepository;
use lyceum_ports::authoring::courses::CourseRepository;
use lyceum_ports::authoring::due_dates::DueOverrideRepository;
use lyceum_ports::authoring::lessons::LessonRepository;
use lyceum_ports::authoring::media_files::MediaFileRepository;
use lyceum_ports::authoring::media_uploads::MediaUploadRepository;
use lyceum_ports::authoring::pinning::PinnedContentRepository;
use lyceum_ports::authoring::units::UnitRepository;
use lyceum_ports::authoring::versions::VersionRepository;
use lyceum_ports::authoring::waiting::WaitingChangeRepository;
use lyceum_ports::drafting::ai_calls::AiCallRepository;
use lyceum_ports::drafting::ai_reservations::AiReservationRepository;
use lyceum_ports::drafting::generation_steps::GenerationStepRepository;
use lyceum_ports::drafting::generations::GenerationRepository;
use lyceum_ports::drafting::pieces::PieceRepository;
use lyceum_ports::drafting::tutor::TutorRepository;
use lyceum_ports::exporting::scorm_learners::ScormLearnerRepository;
use lyceum_ports::exporting::scorm_packages::ScormPackageRepository;
use lyceum_ports::grading::batches::BatchRepository;
use lyceum_ports::grading::certificates::CertificateRepository;
use lyceum_ports::grading::gradebook::GradebookRepository;
use lyceum_ports::grading::grades::GradeRepository;
use lyceum_ports::grading::submissions::SubmissionRepository;
use lyceum_ports::identity::callers::{CallerRepository, Introduction};
use lyceum_ports::identity::keys::KeyRepository;
use lyceum_ports::identity::passkeys::PasskeyRepository;
use lyceum_ports::identity::sign_in_links::SignInLinkRepository;
use lyceum_ports::identity::sso::SsoRepository;
use lyceum_ports::identity::tokens::TokenRepository;
use lyceum_ports::identity::users::UserRepository;
use lyceum_ports::identity::workspaces::WorkspaceRepository;
use lyceum_ports::learning::attempts::AttemptRepository;
use lyceum_ports::learning::cohorts::CohortRepository;
use lyceum_ports::learning::enrollments::EnrollmentRepository;
use lyceum_ports::learning::progress::ProgressRepository;
use lyceum_ports::notifying::digests::DigestRepository;
use lyceum_ports::notifying::events::EventRepository;
use lyceum_ports::notifying::mails::MailRepository;
use lyceum_ports::notifying::webhooks::WebhookRepository;
use lyceum_ports::running::audit::AuditRepository;
use lyceum_ports::running::bulk_writes::BulkWriteRepository;
use lyceum_ports::running::idempotency::IdempotencyRepository;
use lyceum_ports::running::in_use::InUseRepository;
use lyceum_ports::running::jobs::JobRepository;
use lyceum_ports::running::nodes::NodeRepository;
use lyceum_ports::running::personal_data::PersonalDataRepository;
use lyceum_ports::running::shared_limits::SharedLimitRepository;
use lyceum_ports::running::storage_use::StorageUseRepository;
use lyceum_ports::running::trash::TrashRepository;
use lyceum_ports::running::unwanted_files::UnwantedFileRepository;
use lyceum_ports::store::{Finish, Line, StoreError, Tx, Work};
use lyceum_ports::weights::WeightRepository;

use crate::database::connection::AnyConnection;
use crate::database::error::{
    asks_for_another_run, ends_transaction, is_full, is_lost, store_error,
};
use crate::database::lines::Among;
use crate::database::memory::{KnownCaller, Memory, Taken};
use crate::mapping::rows;
use crate::mapping::vault::Vault;

/// A connection inside a transaction. Every repository is implemented on it, one file each.
pub struct Session<'c> {
    pub conn: &'c mut AnyConnection,
    pub vault: &'c Vault,
    /// Set when the database, or a lost race, asks for the whole transaction to be run again.
    pub run_again: bool,
    /// Set by a statement that failed: such a transaction is never kept, whatever the work made of it.
    failure: Option<Failure>,
    /// What a reader knows already.
    memory: Option<&'c Memory>,
    /// Where it is noted whom a reader took at their word.
    taken: Option<&'c Taken>,
    /// Whether there is a transaction around it, and if not, what was asked so far.
    surroundings: Surroundings,
    /// Who else writes at the same time; nobody where there is one writer.
    among: Option<Among<'c>>,
}

/// What is around the statements of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surroundings {
    /// A transaction.
    Transaction,
    /// Nothing: there is room for one statement.
    Nothing,
    /// Nothing, and one statement was run.
    OneStatement,
    /// Nothing, and a second statement was wanted.
    TooLittle,
}

/// What failed statements say of the transaction they were in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Failure {
    /// The database no longer answers on this connection.
    pub is_lost: bool,
    /// There was no room on the disk.
    pub is_full: bool,
    /// There may be no transaction any more.
    is_over: bool,
}

impl<'c> Session<'c> {
    pub const fn new(conn: &'c mut AnyConnection, vault: &'c Vault) -> Self {
        Self {
            conn,
            vault,
            run_again: false,
            failure: None,
            memory: None,
            taken: None,
            surroundings: Surroundings::Transaction,
            among: None,
        }
    }

    /// The same where others write at the same time.
    pub const fn among(conn: &'c mut AnyConnection, vault: &'c Vault, others: Among<'c>) -> Self {
        let mut session = Self::new(conn, vault);
        session.among = Some(others);
        session
    }

    /// The same for a reader, in a snapshot.
    pub const fn remembering(
        conn: &'c mut AnyConnection,
        vault: &'c Vault,
        memory: &'c Memory,
    ) -> Self {
        let mut session = Self::new(conn, vault);
        session.memory = Some(memory);
        session
    }

    /// The same without a transaction and without a statement, for who is let in by what is remembered of them; whether they are still as
    /// that says is found out later.
    pub const fn for_no_statement(
        conn: &'c mut AnyConnection,
        vault: &'c Vault,
        memory: &'c Memory,
        taken: &'c Taken,
    ) -> Self {
        let mut session = Self::trusting(conn, vault, memory, taken);
        session.surroundings = Surroundings::OneStatement;
        session
    }

    /// The same without a transaction, for one statement that reads.
    pub const fn for_one_statement(
        conn: &'c mut AnyConnection,
        vault: &'c Vault,
        memory: &'c Memory,
    ) -> Self {
        let mut session = Self::remembering(conn, vault, memory);
        session.surroundings = Surroundings::Nothing;
        session
    }

    /// The same for a reader who finds out later whether a caller is still as they are remembered.
    pub const fn trusting(
        conn: &'c mut AnyConnection,
        vault: &'c Vault,
        memory: &'c Memory,
        taken: &'c Taken,
    ) -> Self {
        let mut session = Self::remembering(conn, vault, memory);
        session.taken = Some(taken);
        session
    }

    /// Takes this caller to be as they are remembered, where that is found out later.
    pub fn takes_at_their_word(&self, introduction: &Introduction, known: &KnownCaller) -> bool {
        let Some(taken) = self.taken else {
            return false;
        };
        taken.note(introduction, known);
        true
    }

    /// Whether more than one statement was wanted where there is no transaction around them.
    pub fn wants_more(&self) -> bool {
        self.surroundings == Surroundings::TooLittle
    }

    /// What is known already, if this is a reader's session.
    pub const fn memory(&self) -> Option<&'c Memory> {
        self.memory
    }

    /// What failed so far, all in one; nothing of it is set while nothing failed.
    pub fn failure(&self) -> Failure {
        self.failure.unwrap_or_default()
    }

    /// Whether anything did.
    pub const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Runs a query and translates its error.
    pub fn run<T>(
        &mut self,
        query: impl FnOnce(&mut AnyConnection) -> QueryResult<T>,
    ) -> Result<T, StoreError> {
        self.still_open()?;
        let outcome = query(self.conn);
        self.noted(outcome)
    }

    /// Puts a row there. In a transaction that writes to PostgreSQL its answer is not waited for: what comes of it shows with the next,
    /// or with the COMMIT, and whoever asks then is told. For rows of which nobody reads from an error what to do next, outside of
    /// [`Session::contend`].
    pub fn put_row<T>(
        &mut self,
        insert: impl FnOnce(&mut AnyConnection) -> QueryResult<T>,
    ) -> Result<(), StoreError> {
        if self.among.is_none() {
            return self.run(insert).map(drop);
        }
        self.run(|conn| conn.unread(insert)).map(drop)
    }

    /// Ends the transaction so that it is kept. An error where one of its statements had failed whose answer nobody had waited for,
    /// so that nothing is kept; what came of the COMMIT otherwise.
    pub fn commit(
        &mut self,
        end: impl FnOnce(&mut AnyConnection) -> (QueryResult<()>, QueryResult<()>),
    ) -> Result<QueryResult<()>, StoreError> {
        let (unread, committed) = end(self.conn);
        match unread {
            // Of what was sent together with a COMMIT and then lost, nobody knows how far it came.
            Err(error) if is_lost(&error) => Ok(Err(error)),
            unread => self.noted(unread).map(|()| committed),
        }
    }

    fn noted<T>(&mut self, outcome: QueryResult<T>) -> Result<T, StoreError> {
        outcome.map_err(|error| {
            self.run_again |= asks_for_another_run(&error) || self.is_another_s(&error);
            let failure = self.failure.get_or_insert_default();
            failure.is_lost |= is_lost(&error);
            failure.is_full |= is_full(&error);
            failure.is_over |= ends_transaction(&error);
            store_error(error)
        })
    }

    /// Whether a rule was broken only because of what others kept meanwhile: what this transaction sees was taken before
    /// that. With it in view the work decides anew, and a request sent twice finds its answer.
    fn is_another_s(&mut self, error: &Error) -> bool {
        let (Some(among), Error::DatabaseError(kind, said)) = (&mut self.among, error) else {
            return false;
        };
        #[allow(clippy::wildcard_enum_match_arm, reason = "the enum is open")]
        match kind {
            DatabaseErrorKind::UniqueViolation => among.met.taken(taken(&**said)),
            DatabaseErrorKind::ForeignKeyViolation => among.met.dangled(),
            _ => false,
        }
    }

    /// Changes what others may be changing too. Whoever finds them there, or was slower than they,
    /// stands in line from the next run on.
    pub fn contend<T>(
        &mut self,
        line: impl FnOnce() -> Line,
        change: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.among.is_none() {
            return change(self);
        }
        let line = line();
        if self.is_stood_in(&line) {
            self.give_way(line.clone())?;
        }
        let outcome = change(self);
        if let (Err(_), true, Some(among)) = (&outcome, self.run_again, &mut self.among) {
            among.met.lines.insert(line);
        }
        outcome
    }

    /// Changes the one row of this id, of which the transaction has read what it was.
    pub fn change(
        &mut self,
        id: &str,
        query: impl FnOnce(&mut AnyConnection) -> QueryResult<usize>,
    ) -> Result<(), StoreError> {
        rows::one_row(self.contend(|| Line::at(id), |session| session.run(query))?)
    }

    fn is_stood_in(&self, line: &Line) -> bool {
        self.among
            .as_ref()
            .is_some_and(|among| among.lines.is_stood_in(line))
    }

    /// Gives the run up unless it is first in this line.
    fn give_way(&mut self, line: Line) -> Result<(), StoreError> {
        let Some(among) = &mut self.among else {
            return Ok(());
        };
        if among.first_in.contains(&line) {
            return Ok(());
        }
        among.met.lines.insert(line);
        self.run_again = true;
        self.failure.get_or_insert_default();
        Err(StoreError::Stale)
    }

    /// Whoever goes on after SQLite has given the transaction up would write outside any; whoever asks for more without
    /// one would be told what was so at different moments.
    fn still_open(&mut self) -> Result<(), StoreError> {
        self.surroundings = match self.surroundings {
            Surroundings::Transaction => Surroundings::Transaction,
            Surroundings::Nothing => Surroundings::OneStatement,
            Surroundings::OneStatement | Surroundings::TooLittle => Surroundings::TooLittle,
        };
        if self.wants_more() {
            return Err(StoreError::Stale);
        }
        let failure = self.failure();
        match (failure.is_over, failure.is_full) {
            (false, _) => Ok(()),
            (true, true) => Err(StoreError::DiskFull),
            (true, false) => Err(StoreError::Unavailable("the transaction has ended".into())),
        }
    }

    /// Inserts what the transaction has just looked for in vain. If it is there after all, another transaction
    /// was faster, and this one is run again, to find it.
    pub fn insert_absent(
        &mut self,
        query: impl FnOnce(&mut AnyConnection) -> QueryResult<usize>,
    ) -> Result<(), StoreError> {
        self.run_unless_raced(query).map(drop)
    }

    /// Writes what must be unique and was looked for in vain, like [`Session::insert_absent`].
    pub fn run_unless_raced<T>(
        &mut self,
        query: impl FnOnce(&mut AnyConnection) -> QueryResult<T>,
    ) -> Result<T, StoreError> {
        self.still_open()?;
        match query(self.conn) {
            Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, said)) => {
                if let Some(among) = &mut self.among {
                    among.met.taken(taken(&*said));
                }
                self.run_again = true;
                self.failure.get_or_insert_default();
                Err(StoreError::Stale)
            }
            outcome => self.noted(outcome),
        }
    }

    /// Does the work; a panic in it is an error of this transaction and of nothing else.
    ///
    /// PostgreSQL answers the COMMIT of a transaction with a failed statement by rolling it back, and says so
    /// nowhere that a client looks: so neither database is asked to keep one.
    pub fn perform(&mut self, work: &mut Work) -> Result<Finish, StoreError> {
        let finish = catch_unwind(AssertUnwindSafe(|| work(self)))
            .map_err(|_| StoreError::Failed("a transaction panicked and was rolled back".into()))?;
        match finish {
            Finish::Commit if self.failure.is_some() && self.run_again => Ok(Finish::Rollback),
            Finish::Commit if self.failure.is_some() => Err(StoreError::Failed(
                "a failed statement was passed over".into(),
            )),
            Finish::Commit | Finish::Rollback => Ok(finish),
        }
    }
}

/// What stands behind a unique index that was violated: its name, and the values, which PostgreSQL tells.
fn taken(said: &(dyn DatabaseErrorInformation + Send + Sync)) -> Line {
    let (index, values) = (said.constraint_name(), said.details());
    Line::at(format!(
        "{} {}",
        index.unwrap_or_default(),
        values.unwrap_or_default()
    ))
}

impl Tx for Session<'_> {
    fn stand_in_line(&mut self, line: Line) -> Result<(), StoreError> {
        self.give_way(line)
    }
    fn workspaces(&mut self) -> &mut dyn WorkspaceRepository {
        self
    }
    fn users(&mut self) -> &mut dyn UserRepository {
        self
    }
    fn callers(&mut self) -> &mut dyn CallerRepository {
        self
    }
    fn keys(&mut self) -> &mut dyn KeyRepository {
        self
    }
    fn sign_in_links(&mut self) -> &mut dyn SignInLinkRepository {
        self
    }
    fn sso(&mut self) -> &mut dyn SsoRepository {
        self
    }

    fn passkeys(&mut self) -> &mut dyn PasskeyRepository {
        self
    }

    fn tokens(&mut self) -> &mut dyn TokenRepository {
        self
    }
    fn courses(&mut self) -> &mut dyn CourseRepository {
        self
    }
    fn units(&mut self) -> &mut dyn UnitRepository {
        self
    }
    fn lessons(&mut self) -> &mut dyn LessonRepository {
        self
    }
    fn activities(&mut self) -> &mut dyn ActivityRepository {
        self
    }
    fn attempts(&mut self) -> &mut dyn AttemptRepository {
        self
    }
    fn progress(&mut self) -> &mut dyn ProgressRepository {
        self
    }
    fn ai_calls(&mut self) -> &mut dyn AiCallRepository {
        self
    }
    fn ai_reservations(&mut self) -> &mut dyn AiReservationRepository {
        self
    }
    fn shared_limits(&mut self) -> &mut dyn SharedLimitRepository {
        self
    }
    fn tutor(&mut self) -> &mut dyn TutorRepository {
        self
    }
    fn pieces(&mut self) -> &mut dyn PieceRepository {
        self
    }
    fn versions(&mut self) -> &mut dyn VersionRepository {
        self
    }
    fn pinned_contents(&mut self) -> &mut dyn PinnedContentRepository {
        self
    }
    fn waiting_changes(&mut self) -> &mut dyn WaitingChangeRepository {
        self
    }
    fn assignments(&mut self) -> &mut dyn AssignmentRepository {
        self
    }
    fn cohorts(&mut self) -> &mut dyn CohortRepository {
        self
    }
    fn due_overrides(&mut self) -> &mut dyn DueOverrideRepository {
        self
    }
    fn enrollments(&mut self) -> &mut dyn EnrollmentRepository {
        self
    }
    fn submissions(&mut self) -> &mut dyn SubmissionRepository {
        self
    }
    fn gradebook(&mut self) -> &mut dyn GradebookRepository {
        self
    }
    fn grades(&mut self) -> &mut dyn GradeRepository {
        self
    }
    fn batches(&mut self) -> &mut dyn BatchRepository {
        self
    }
    fn media_files(&mut self) -> &mut dyn MediaFileRepository {
        self
    }
    fn media_uploads(&mut self) -> &mut dyn MediaUploadRepository {
        self
    }
    fn bulk_writes(&mut self) -> &mut dyn BulkWriteRepository {
        self
    }
    fn certificates(&mut self) -> &mut dyn CertificateRepository {
        self
    }
    fn in_use(&mut self) -> &mut dyn InUseRepository {
        self
    }
    fn scorm_packages(&mut self) -> &mut dyn ScormPackageRepository {
        self
    }
    fn scorm_learners(&mut self) -> &mut dyn ScormLearnerRepository {
        self
    }
    fn generations(&mut self) -> &mut dyn GenerationRepository {
        self
    }
    fn generation_steps(&mut self) -> &mut dyn GenerationStepRepository {
        self
    }
    fn storage_use(&mut self) -> &mut dyn StorageUseRepository {
        self
    }
    fn audit(&mut self) -> &mut dyn AuditRepository {
        self
    }
    fn personal_data(&mut self) -> &mut dyn PersonalDataRepository {
        self
    }
    fn trash(&mut self) -> &mut dyn TrashRepository {
        self
    }
    fn unwanted_files(&mut self) -> &mut dyn UnwantedFileRepository {
        self
    }
    fn events(&mut self) -> &mut dyn EventRepository {
        self
    }
    fn digests(&mut self) -> &mut dyn DigestRepository {
        self
    }
    fn mails(&mut self) -> &mut dyn MailRepository {
        self
    }
    fn webhooks(&mut self) -> &mut dyn WebhookRepository {
        self
    }
    fn jobs(&mut self) -> &mut dyn JobRepository {
        self
    }
    fn nodes(&mut self) -> &mut dyn NodeRepository {
        self
    }
    fn idempotency(&mut self) -> &mut dyn IdempotencyRepository {
        self
    }
    fn weights(&mut self) -> &mut dyn WeightRepository {
        self
    }
}
