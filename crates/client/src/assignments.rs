//! Assignments, and how they are graded.

use std::time::Duration;

use lyceum_wire::authoring::assignments::{AssignmentView, CreateAssignment, UpdateAssignment};
use lyceum_wire::authoring::due_dates::{CreateDueOverride, DueOverrideView, UpdateDueOverride};
use lyceum_wire::authoring::grading::{ConfigureAssignment, ConfigureFeedback, ConfigureRubric};
use lyceum_wire::authoring::versions::VersionView;
use lyceum_wire::deleted::Deleted;
use lyceum_wire::grading::batches::{BatchView, BulkGradingView, GradeAllWithAi, StartRegrade};
use lyceum_wire::grading::calibration::CalibrationView;
use lyceum_wire::grading::certificate_records::CertificateRecordsView;
use lyceum_wire::grading::certificates::{CertificateView, TryForCertificate};
use lyceum_wire::grading::consistency::ConsistencyView;
use lyceum_wire::grading::groups::GroupsView;
use lyceum_wire::grading::statistics::StatisticsView;
use lyceum_wire::grading::tries::{TriedGradeView, TryGrading};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;

/// A judgement may take a model a minute.
const PATIENCE: Duration = Duration::from_secs(70);

impl Client {
    /// Assignments, and how they are graded.
    pub fn assignments(&self) -> Assignments {
        Assignments(self.clone())
    }
}

/// Assignments, and how they are graded.
#[derive(Debug, Clone)]
pub struct Assignments(Client);

impl Assignments {
    /// Makes a assignment.
    pub fn create(&self, new: &CreateAssignment) -> Call<AssignmentView> {
        self.0.post("/v1/assignments", new)
    }

    /// Lists assignments.
    pub fn list(&self) -> Listing<AssignmentView> {
        self.0.list("/v1/assignments")
    }

    /// Shows a assignment.
    pub fn retrieve(&self, id: &str) -> Call<AssignmentView> {
        self.0.get(&path("assignments", id, ""))
    }

    /// Changes a assignment: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateAssignment) -> Call<AssignmentView> {
        self.0.patch(&path("assignments", id, ""), change)
    }

    /// Lists what an assignment was before it was changed.
    pub fn versions(&self, id: &str) -> Listing<VersionView> {
        self.0.list(&path("assignments", id, "/versions"))
    }

    /// Deletes an assignment and its submissions; `in_use` once learners have used it, unless by [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("assignments", id, ""))
    }

    /// Gives a cohort or a learner another due date.
    pub fn override_due_date(&self, id: &str, new: &CreateDueOverride) -> Call<DueOverrideView> {
        self.0.post(&path("assignments", id, "/overrides"), new)
    }

    /// Lists an assignment's other due dates.
    pub fn due_overrides(&self, id: &str) -> Listing<DueOverrideView> {
        self.0.list(&path("assignments", id, "/overrides"))
    }

    /// Shows another due date.
    pub fn due_override(&self, id: &str) -> Call<DueOverrideView> {
        self.0.get(&path("overrides", id, ""))
    }

    /// Changes another due date.
    pub fn update_due_override(
        &self,
        id: &str,
        change: &UpdateDueOverride,
    ) -> Call<DueOverrideView> {
        self.0.patch(&path("overrides", id, ""), change)
    }

    /// Takes another due date away: the assignment's own counts again.
    pub fn delete_due_override(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("overrides", id, ""))
    }

    /// Changes how an assignment is graded.
    pub fn configure(&self, id: &str, wanted: &ConfigureAssignment) -> Call<AssignmentView> {
        self.0.patch(&path("assignments", id, "/configure"), wanted)
    }

    /// Changes an assignment's rubric.
    pub fn configure_rubric(&self, id: &str, wanted: &ConfigureRubric) -> Call<AssignmentView> {
        self.0
            .patch(&path("assignments", id, "/configure/rubric"), wanted)
    }

    /// Changes how feedback is written.
    pub fn configure_feedback(&self, id: &str, wanted: &ConfigureFeedback) -> Call<AssignmentView> {
        self.0
            .patch(&path("assignments", id, "/configure/feedback"), wanted)
    }

    /// Puts the grading configuration back to its defaults.
    pub fn reset_configuration(&self, id: &str) -> Call<AssignmentView> {
        self.0.act(&path("assignments", id, "/configure/reset"))
    }

    /// Shows what an assignment's grader would give an answer, of which nothing is kept; an attempt takes as long as a model does, up
    /// to a minute.
    pub fn try_grading(&self, id: &str, wanted: &TryGrading) -> Call<TriedGradeView> {
        self.0
            .post(&path("assignments", id, "/try"), wanted)
            .within(PATIENCE)
    }

    /// Shows how AI and the teacher agree on an assignment, and which answers to grade next.
    pub fn calibration(&self, id: &str) -> Call<CalibrationView> {
        self.0.get(&path("assignments", id, "/calibration"))
    }

    /// Tries for a certificate by which AI's grades go out unseen; after a look that earned nothing, draws the next sample.
    pub fn try_for_certificate(
        &self,
        id: &str,
        wanted: &TryForCertificate,
    ) -> Call<CertificateView> {
        self.0
            .post(&path("assignments", id, "/certificate"), wanted)
    }

    /// Shows where an assignment's newest certificate stands, and which answers wait for a blind grade.
    pub fn certificate(&self, id: &str) -> Call<CertificateView> {
        self.0.get(&path("assignments", id, "/certificate"))
    }

    /// Shows what a third party needs to make an assignment's certificates again.
    pub fn certificate_records(&self, id: &str) -> Call<CertificateRecordsView> {
        self.0.get(&path("assignments", id, "/certificate/records"))
    }

    /// Gives the newest certificate up, or the try for one.
    pub fn end_certificate(&self, id: &str) -> Call<CertificateView> {
        self.0.act(&path("assignments", id, "/certificate/end"))
    }

    /// Lists answers of nearly the same words that were graded far apart.
    pub fn consistency(&self, id: &str) -> Call<ConsistencyView> {
        self.0.get(&path("assignments", id, "/consistency"))
    }

    /// How an assignment's points are spread, and what its criteria tell; of a cohort with `.query("cohort_id", …)`.
    pub fn statistics(&self, id: &str) -> Call<StatisticsView> {
        self.0.get(&path("assignments", id, "/statistics"))
    }

    /// Groups answers that say nearly the same.
    pub fn groups(&self, id: &str) -> Call<GroupsView> {
        self.0.get(&path("assignments", id, "/groups"))
    }

    /// Has AI grade every answer that waits.
    pub fn grade_all_with_ai(&self, id: &str, wanted: &GradeAllWithAi) -> Call<BulkGradingView> {
        self.0.post(&path("assignments", id, "/ai"), wanted)
    }

    /// Shows what waits for AI, what grading it would cost, and how far that is.
    pub fn bulk_grading(&self, id: &str) -> Call<BulkGradingView> {
        self.0.get(&path("assignments", id, "/ai"))
    }

    /// Stops grading what waits.
    pub fn stop_bulk_grading(&self, id: &str) -> Call<BulkGradingView> {
        self.0.act(&path("assignments", id, "/ai/stop"))
    }

    /// Previews a regrade: nothing of it lands.
    pub fn start_regrade(&self, id: &str, wanted: &StartRegrade) -> Call<BatchView> {
        self.0.post(&path("assignments", id, "/regrades"), wanted)
    }

    /// Lists an assignment's regrades.
    pub fn regrades(&self, id: &str) -> Listing<BatchView> {
        self.0.list(&path("assignments", id, "/regrades"))
    }

    /// Has attacks on an assignment's grader made and graded.
    pub fn start_red_team(&self, id: &str) -> Call<BatchView> {
        self.0.act(&path("assignments", id, "/redteam"))
    }

    /// Shows what an assignment's newest red team found.
    pub fn red_team(&self, id: &str) -> Call<BatchView> {
        self.0.get(&path("assignments", id, "/redteam"))
    }
}
