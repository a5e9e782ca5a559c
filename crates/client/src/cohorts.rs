//! Cohorts, and who is in them.

use std::path::Path;

use lyceum_wire::deleted::Deleted;
use lyceum_wire::grading::gradebook::GradebookList;
use lyceum_wire::grading::standing::LearnerStandingList;
use lyceum_wire::learning::cohorts::{CohortView, CreateCohort, UpdateCohort};
use lyceum_wire::learning::enrollments::{EnrollStudent, EnrollmentView};
use lyceum_wire::learning::progress::ProgressView;
use lyceum_wire::learning::updates::{CohortUpdateView, TakeCohortUpdate};

use crate::call::Call;
use crate::client::{Client, path, segment};
use crate::error::ClientError;
use crate::listing::Listing;

impl Client {
    /// Cohorts, and who is in them.
    pub fn cohorts(&self) -> Cohorts {
        Cohorts(self.clone())
    }
}

/// Cohorts, and who is in them.
#[derive(Debug, Clone)]
pub struct Cohorts(Client);

impl Cohorts {
    /// Makes a cohort.
    pub fn create(&self, new: &CreateCohort) -> Call<CohortView> {
        self.0.post("/v1/cohorts", new)
    }

    /// Lists cohorts.
    pub fn list(&self) -> Listing<CohortView> {
        self.0.list("/v1/cohorts")
    }

    /// Shows a cohort.
    pub fn retrieve(&self, id: &str) -> Call<CohortView> {
        self.0.get(&path("cohorts", id, ""))
    }

    /// Changes a cohort: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateCohort) -> Call<CohortView> {
        self.0.patch(&path("cohorts", id, ""), change)
    }

    /// Deletes a cohort and everything below it; `in_use` once learners have used it, unless by
    /// [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("cohorts", id, ""))
    }

    /// Opens a cohort to its students.
    pub fn start(&self, id: &str) -> Call<CohortView> {
        self.0.act(&path("cohorts", id, "/start"))
    }

    /// Ends a cohort.
    pub fn end(&self, id: &str) -> Call<CohortView> {
        self.0.act(&path("cohorts", id, "/end"))
    }

    /// Runs a completed cohort again.
    pub fn reopen(&self, id: &str) -> Call<CohortView> {
        self.0.act(&path("cohorts", id, "/reopen"))
    }

    /// Archives a completed cohort.
    pub fn archive(&self, id: &str) -> Call<CohortView> {
        self.0.act(&path("cohorts", id, "/archive"))
    }

    /// Shows what changes for a cohort that is updated by choice when it is updated.
    pub fn update_of(&self, id: &str) -> Call<CohortUpdateView> {
        self.0.get(&path("cohorts", id, "/update"))
    }

    /// Has a cohort see its course as it is now.
    pub fn take_update(&self, id: &str, seen: &TakeCohortUpdate) -> Call<CohortUpdateView> {
        self.0.post(&path("cohorts", id, "/update"), seen)
    }

    /// Puts a student into a cohort, by id or address.
    pub fn enroll(&self, id: &str, wanted: &EnrollStudent) -> Call<EnrollmentView> {
        self.0.post(&path("cohorts", id, "/students"), wanted)
    }

    /// Lists a cohort's students.
    pub fn students(&self, id: &str) -> Listing<EnrollmentView> {
        self.0.list(&path("cohorts", id, "/students"))
    }

    /// Takes a student out of a cohort.
    pub fn withdraw(&self, id: &str, user: &str) -> Call<Deleted> {
        self.0.delete(&path(
            "cohorts",
            id,
            &format!("/students/{}", segment(user)),
        ))
    }

    /// Lists how far a cohort's students have come.
    pub fn progress(&self, id: &str) -> Listing<ProgressView> {
        self.0.list(&path("cohorts", id, "/progress"))
    }

    /// Shows who of a cohort falls behind, and by which rule: a page. The next one comes with its `next_cursor` as `startingAfter`; the
    /// rules are changed by `overdue`, `inactive_days`, `low_total` and `pace`.
    pub fn standing(&self, id: &str) -> Call<LearnerStandingList> {
        self.0.get(&path("cohorts", id, "/standing"))
    }

    /// Shows where a cohort's students stand in its course: a page, with the tasks that it is of. The next one comes with its `next_cursor` as
    /// `startingAfter`, other tasks with its `columns_after`.
    pub fn gradebook(&self, id: &str) -> Call<GradebookList> {
        self.0.get(&path("cohorts", id, "/gradebook"))
    }

    /// Saves a cohort's whole book of grades as comma-separated values, and returns its size in bytes.
    pub async fn gradebook_csv(&self, id: &str, to: &Path) -> Result<u64, ClientError> {
        let book = path("cohorts", id, "/gradebook.csv");
        self.0.download(&book, to).await
    }

    /// Saves it as a workbook.
    pub async fn gradebook_xlsx(&self, id: &str, to: &Path) -> Result<u64, ClientError> {
        let book = path("cohorts", id, "/gradebook.xlsx");
        self.0.download(&book, to).await
    }
}
