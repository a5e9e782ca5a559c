//! Submissions and their grades over HTTP.

use lyceum_application::submissions::{self, SubmissionFilter};
use lyceum_domain::InvalidValue;
use lyceum_domain::grades::Grade;
use lyceum_domain::submissions::{ReviewStatus, Submission, SubmissionStatus};
use lyceum_wire::common_ids::reference;
use lyceum_wire::grades::GradeView;
use lyceum_wire::submissions::{
    CreateSubmission, GradeSubmission, GradeWithAi, SubmissionView, UpdateSubmission,
};

use crate::answer::{Accepted, Created, Deleted, Found, Listed, Outcome};
use crate::call::Call;
use crate::error::Failure;
use crate::input::{Json, Listing, Nothing};
use crate::narrowing::Tagged;
use crate::query::{FromQuery, Parameter, Query};

pub async fn create(call: Call<Json<CreateSubmission>>) -> Outcome<Created<SubmissionView>> {
    call.write(|tx, ctx, _, new| submissions::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Listing<Submission, SubmissionFilter, Tagged>>,
) -> Outcome<Listed<SubmissionView>> {
    call.read(|tx, ctx, _, (filter, page)| submissions::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<SubmissionView>> {
    call.read(|tx, ctx, path, ()| submissions::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateSubmission>>) -> Outcome<Found<SubmissionView>> {
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| submissions::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| {
            submissions::delete(tx, ctx, path.id()?).map(|id| id.to_string())
        })
        .await
}

pub async fn submit(call: Call<Nothing>) -> Outcome<Found<SubmissionView>> {
    call.write(|tx, ctx, path, ()| submissions::submit(tx, ctx, path.id()?))
        .await
}

pub async fn grade_with_ai(call: Call<Json<GradeWithAi>>) -> Outcome<Accepted<SubmissionView>> {
    call.write(|tx, ctx, path, run| submissions::grade_with_ai(tx, ctx, path.id()?, run))
        .await
}

pub async fn explain(call: Call<Nothing>) -> Outcome<Accepted<SubmissionView>> {
    call.write(|tx, ctx, path, ()| submissions::explain(tx, ctx, path.id()?))
        .await
}

pub async fn grade(call: Call<Json<GradeSubmission>>) -> Outcome<Found<SubmissionView>> {
    call.write(|tx, ctx, path, given| submissions::grade(tx, ctx, path.id()?, given))
        .await
}

pub async fn approve(call: Call<Nothing>) -> Outcome<Found<SubmissionView>> {
    call.write(|tx, ctx, path, ()| submissions::approve(tx, ctx, path.id()?))
        .await
}

pub async fn give_back(call: Call<Nothing>) -> Outcome<Found<SubmissionView>> {
    call.write(|tx, ctx, path, ()| submissions::give_back(tx, ctx, path.id()?))
        .await
}

pub async fn grades(call: Call<Listing<Grade, ()>>) -> Outcome<Listed<GradeView>> {
    call.read(|tx, ctx, path, ((), page)| submissions::grades(tx, ctx, path.id()?, &page))
        .await
}

impl FromQuery for SubmissionFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "assignment_id",
            description: "Of this assignment.",
            values: &[],
        },
        Parameter {
            name: "cohort_id",
            description: "Of this cohort.",
            values: &[],
        },
        Parameter {
            name: "user_id",
            description: "Of this student.",
            values: &[],
        },
        Parameter {
            name: "status",
            description: "In this state.",
            values: &["draft", "submitted", "in_review", "graded", "returned"],
        },
        Parameter {
            name: "ai_status",
            description: "With AI grading in this state.",
            values: &["pending", "ready", "error"],
        },
        Parameter {
            name: "review_status",
            description: "Reviewed or not.",
            values: &["open", "done"],
        },
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let ai_status = |text: &str| match text {
            "pending" | "ready" | "error" => Ok(text.to_owned()),
            _ => Err(InvalidValue::new("must be one of pending ready error")),
        };
        Ok(Self {
            assignment_id: query.text("assignment_id")?.map(|id| reference(&id)),
            cohort_id: query.text("cohort_id")?.map(|id| reference(&id)),
            user_id: query.text("user_id")?.map(|id| reference(&id)),
            status: query.parsed("status", SubmissionStatus::parse)?,
            ai_status: query.parsed("ai_status", ai_status)?,
            review_status: query.parsed("review_status", ReviewStatus::parse)?,
        })
    }
}
