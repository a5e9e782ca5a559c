//! One transaction, as the repositories see it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use diesel::QueryResult;
use lyceum_ports::activities::ActivityRepository;
use lyceum_ports::assignments::AssignmentRepository;
use lyceum_ports::cohorts::CohortRepository;
use lyceum_ports::courses::CourseRepository;
use lyceum_ports::enrollments::EnrollmentRepository;
use lyceum_ports::events::EventRepository;
use lyceum_ports::generations::GenerationRepository;
use lyceum_ports::grades::GradeRepository;
use lyceum_ports::idempotency::IdempotencyRepository;
use lyceum_ports::jobs::JobRepository;
use lyceum_ports::keys::KeyRepository;
use lyceum_ports::lessons::LessonRepository;
use lyceum_ports::scorm_packages::ScormPackageRepository;
use lyceum_ports::store::{Finish, StoreError, Tx, Work};
use lyceum_ports::submissions::SubmissionRepository;
use lyceum_ports::tokens::TokenRepository;
use lyceum_ports::units::UnitRepository;
use lyceum_ports::users::UserRepository;
use lyceum_ports::webhooks::WebhookRepository;
use lyceum_ports::workspaces::WorkspaceRepository;

use crate::connection::AnyConnection;
use crate::error::{asks_for_another_run, store_error};
use crate::vault::Vault;

/// A connection inside a transaction. Every repository is implemented on it, one file each.
pub struct Session<'c> {
    pub conn: &'c mut AnyConnection,
    pub vault: &'c Vault,
    /// Set when the database, or a lost race, asks for the whole transaction to be run again.
    pub run_again: bool,
}

impl<'c> Session<'c> {
    pub const fn new(conn: &'c mut AnyConnection, vault: &'c Vault) -> Self {
        Self {
            conn,
            vault,
            run_again: false,
        }
    }

    /// Runs a query and translates its error.
    pub fn run<T>(
        &mut self,
        query: impl FnOnce(&mut AnyConnection) -> QueryResult<T>,
    ) -> Result<T, StoreError> {
        query(self.conn).map_err(|error| {
            self.run_again |= asks_for_another_run(&error);
            store_error(error)
        })
    }

    /// Does the work; a panic in it is an error of this transaction and of nothing else.
    pub fn perform(&mut self, work: &mut Work) -> Result<Finish, StoreError> {
        catch_unwind(AssertUnwindSafe(|| work(self)))
            .map_err(|_| StoreError::Failed("a transaction panicked and was rolled back".into()))
    }
}

impl Tx for Session<'_> {
    fn workspaces(&mut self) -> &mut dyn WorkspaceRepository {
        unimplemented!()
    }
    fn users(&mut self) -> &mut dyn UserRepository {
        unimplemented!()
    }
    fn keys(&mut self) -> &mut dyn KeyRepository {
        unimplemented!()
    }
    fn tokens(&mut self) -> &mut dyn TokenRepository {
        unimplemented!()
    }
    fn courses(&mut self) -> &mut dyn CourseRepository {
        self
    }
    fn units(&mut self) -> &mut dyn UnitRepository {
        unimplemented!()
    }
    fn lessons(&mut self) -> &mut dyn LessonRepository {
        unimplemented!()
    }
    fn activities(&mut self) -> &mut dyn ActivityRepository {
        unimplemented!()
    }
    fn assignments(&mut self) -> &mut dyn AssignmentRepository {
        unimplemented!()
    }
    fn cohorts(&mut self) -> &mut dyn CohortRepository {
        unimplemented!()
    }
    fn enrollments(&mut self) -> &mut dyn EnrollmentRepository {
        unimplemented!()
    }
    fn submissions(&mut self) -> &mut dyn SubmissionRepository {
        unimplemented!()
    }
    fn grades(&mut self) -> &mut dyn GradeRepository {
        unimplemented!()
    }
    fn scorm_packages(&mut self) -> &mut dyn ScormPackageRepository {
        unimplemented!()
    }
    fn generations(&mut self) -> &mut dyn GenerationRepository {
        unimplemented!()
    }
    fn events(&mut self) -> &mut dyn EventRepository {
        unimplemented!()
    }
    fn webhooks(&mut self) -> &mut dyn WebhookRepository {
        unimplemented!()
    }
    fn jobs(&mut self) -> &mut dyn JobRepository {
        unimplemented!()
    }
    fn idempotency(&mut self) -> &mut dyn IdempotencyRepository {
        unimplemented!()
    }
}
