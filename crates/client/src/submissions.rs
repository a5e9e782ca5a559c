//! Submissions, and their grades.

use lyceum_wire::deleted::Deleted;
use lyceum_wire::grading::grades::{GradeView, VerifiedList};
use lyceum_wire::grading::groups::{AlikeView, GradeAlike};
use lyceum_wire::grading::submissions::{
    CreateSubmission, DecideSubmission, GradeSubmission, GradeWithAi, SubmissionView,
    UpdateSubmission,
};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;
use crate::wait::{Started, Wait, started};

impl Client {
    /// Submissions, and their grades.
    pub fn submissions(&self) -> Submissions {
        Submissions(self.clone())
    }
}

/// Submissions, and their grades.
#[derive(Debug, Clone)]
pub struct Submissions(Client);

impl Submissions {
    /// Starts a submission, or hands one in.
    pub fn create(&self, new: &CreateSubmission) -> Call<SubmissionView> {
        self.0.post("/v1/submissions", new)
    }

    /// Lists submissions. `filter("course_id", …)` with `filter("graded_by", "human")` and `sort("-graded_at")` finds what people graded
    /// lately in a course; `filter("assignment_id", …)` with `filter("stale", "true")` finds AI grades of before a change of what AI
    /// grades by.
    pub fn list(&self) -> Listing<SubmissionView> {
        self.0.list("/v1/submissions")
    }

    /// Shows a submission.
    pub fn retrieve(&self, id: &str) -> Call<SubmissionView> {
        self.0.get(&path("submissions", id, ""))
    }

    /// Changes a submission: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateSubmission) -> Call<SubmissionView> {
        self.0.patch(&path("submissions", id, ""), change)
    }

    /// Deletes a submission and its grades; `in_use` once it was handed in, unless by [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("submissions", id, ""))
    }

    /// Hands a draft in.
    pub fn submit(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/submit"))
    }

    /// Has AI grade a submission.
    pub fn grade_with_ai(&self, id: &str, wanted: &GradeWithAi) -> Call<Started<SubmissionView>> {
        started(self.0.post(&path("submissions", id, "/ai"), wanted))
    }

    /// Has AI explain the grade that stands.
    pub fn explain(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/explain"))
    }

    /// Grades a submission as a person.
    pub fn grade(&self, id: &str, wanted: &GradeSubmission) -> Call<SubmissionView> {
        self.0.post(&path("submissions", id, "/grade"), wanted)
    }

    /// Gives a person's judgement of a submission to others that say the same, or says what each would get.
    pub fn grade_alike(&self, id: &str, wanted: &GradeAlike) -> Call<AlikeView> {
        self.0.post(&path("submissions", id, "/alike"), wanted)
    }

    /// Lets an AI grade that waits for a person stand.
    pub fn approve(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/approve"))
    }

    /// Lets an AI grade of a submission stand, if it is still as it was seen.
    pub fn approve_as_seen(&self, id: &str, seen: &DecideSubmission) -> Call<SubmissionView> {
        self.0.post(&path("submissions", id, "/approve"), seen)
    }

    /// Hides what AI says of a submission until a person has graded it.
    pub fn blind(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/blind"))
    }

    /// Shows what AI says of a submission that nobody has graded blind; it cannot be hidden again.
    pub fn reveal(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/reveal"))
    }

    /// Takes a person's newest decision back: the submission stands as it stood before it.
    pub fn reopen(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/reopen"))
    }

    /// Takes a person's newest decision about a submission back, if it is still as it was seen.
    pub fn reopen_as_seen(&self, id: &str, seen: &DecideSubmission) -> Call<SubmissionView> {
        self.0.post(&path("submissions", id, "/reopen"), seen)
    }

    /// Gives a graded submission back to its student.
    pub fn give_back(&self, id: &str) -> Call<SubmissionView> {
        self.0.act(&path("submissions", id, "/return"))
    }

    /// Gives a graded submission back to its student, if it is still as it was seen.
    pub fn give_back_as_seen(&self, id: &str, seen: &DecideSubmission) -> Call<SubmissionView> {
        self.0.post(&path("submissions", id, "/return"), seen)
    }

    /// Lists the grade history of a submission.
    pub fn grades(&self, id: &str) -> Listing<GradeView> {
        self.0.list(&path("submissions", id, "/grades"))
    }

    /// The grade history of a submission, with its receipts recomputed.
    pub fn verify_grades(&self, id: &str) -> Call<VerifiedList> {
        self.0
            .get(&path("submissions", id, "/grades"))
            .query("verify", "true")
    }

    /// Waits until AI has graded a submission, or failed to.
    pub fn wait(&self, id: &str) -> Wait<SubmissionView> {
        Wait::new(&self.0, id)
    }
}
