//! Submissions and their grades over HTTP.

use lyceum_application::Error;
use lyceum_application::grading::submissions::{
    self, AskedSubmissions, GradeFilter, History, SubmissionFilter,
};
use lyceum_application::running::idempotency::Reply;
use lyceum_domain::grading::grades::{GradeSource, REVIEW_REASONS, review_reason};
use lyceum_domain::grading::submissions::{ReviewStatus, SubmissionStatus};
use lyceum_domain::ids::{Grade, Submission};
use lyceum_domain::{InvalidValue, Timestamp};
use lyceum_wire::common_ids::reference;
use lyceum_wire::grading::grades::{GradeView, VerificationView, VerifiedList};
use lyceum_wire::grading::submissions::{
    CreateSubmission, DecideSubmission, GradeSubmission, GradeWithAi, SubmissionView,
    UpdateSubmission,
};
use lyceum_wire::lists::List;

use utoipa::openapi::{Ref, RefOr, Schema};

use crate::document::schemas::{Components, collect};
use crate::http::answer::Accepted;
use crate::http::answer::AnswerKind;
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateSubmission>>) -> Outcome<Created<SubmissionView>> {
    call.write(|tx, ctx, _, new| submissions::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Listing<Submission, AskedSubmissions, Tagged>>,
) -> Outcome<Listed<SubmissionView>> {
    call.read(|tx, ctx, _, (asked, page)| submissions::list(tx, ctx, &asked, &page))
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

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            submissions::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
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
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, given| submissions::grade(tx, ctx, path.id()?, given))
        .await
}

pub async fn approve(call: Call<Json<DecideSubmission>>) -> Outcome<Found<SubmissionView>> {
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, seen| submissions::approve(tx, ctx, path.id()?, seen))
        .await
}

pub async fn hide_ai(call: Call<Nothing>) -> Outcome<Found<SubmissionView>> {
    call.write(|tx, ctx, path, ()| submissions::hide_ai(tx, ctx, path.id()?))
        .await
}

pub async fn show_ai(call: Call<Nothing>) -> Outcome<Found<SubmissionView>> {
    call.write(|tx, ctx, path, ()| submissions::show_ai(tx, ctx, path.id()?))
        .await
}

pub async fn reopen(call: Call<Json<DecideSubmission>>) -> Outcome<Found<SubmissionView>> {
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, seen| submissions::reopen(tx, ctx, path.id()?, seen))
        .await
}

pub async fn give_back(call: Call<Json<DecideSubmission>>) -> Outcome<Found<SubmissionView>> {
    call.unless_changed(|tx, ctx, path| submissions::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, seen| submissions::give_back(tx, ctx, path.id()?, seen))
        .await
}

pub async fn grades(call: Call<Listing<Grade, HistoryFilter>>) -> Outcome<Verified> {
    call.read(|tx, ctx, path, (filter, page)| {
        submissions::grades(tx, ctx, path.id()?, filter.verify, &page)
    })
    .await
}

/// How a grade history is shown.
#[derive(Debug, Clone)]
pub struct HistoryFilter {
    verify: bool,
}

impl FromQuery for HistoryFilter {
    const PARAMETERS: &'static [Parameter] = &[Parameter::new(
        "verify",
        "Whether to say if the whole history is still what was sealed; not for learners.",
    )
    .flag()];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            verify: query.flag("verify")?,
        })
    }
}

/// 200 and a page of grades, with what a walk over all of them found where that was asked.
pub struct Verified;

impl AnswerKind for Verified {
    type Of = History;
    const STATUS: u16 = 200;

    fn reply((page, found): &History, list: &str) -> Result<Reply, Error> {
        let reply = Listed::<GradeView>::reply(page, list)?;
        let Some(found) = found else { return Ok(reply) };
        let failed = |error: serde_json::Error| Error::Internal(error.into());
        let list: List<GradeView> = serde_json::from_str(&reply.body).map_err(failed)?;
        let verified = VerifiedList {
            list,
            verification: found.clone(),
        };
        Ok(Reply {
            body: serde_json::to_string(&verified).map_err(failed)?,
            ..reply
        })
    }

    // The list of grades that every list is like, and one member that is not always there.
    fn describe(components: &mut Components) -> String {
        let name = Listed::<GradeView>::describe(components);
        let verification = collect::<VerificationView>(components);
        if let Some(RefOr::T(Schema::Object(list))) = components.get_mut(&name) {
            let member = Ref::from_schema_name(verification);
            list.properties
                .insert("verification".to_owned(), member.into());
        }
        name
    }
}

impl FromQuery for AskedSubmissions {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("assignment_id", "Of this assignment."),
        Parameter::new("course_id", "Of the assignments of this course."),
        Parameter::new("cohort_id", "Of this cohort."),
        Parameter::new("user_id", "Of this student."),
        Parameter::new("status", "In this state.").one_of(&[
            "draft",
            "submitted",
            "in_review",
            "graded",
            "returned",
        ]),
        Parameter::new("ai_status", "With AI grading in this state.")
            .one_of(&["pending", "ready", "error"]),
        Parameter::new("review_status", "Reviewed or not.").one_of(&["open", "done"]),
        Parameter::new(
            "review_reason",
            "With this among the reasons why a person should look. Learners find nothing by it.",
        )
        .one_of(REVIEW_REASONS),
        Parameter::new("graded_by", "With a grade that stands by AI, or by a person.")
            .one_of(&["ai", "human"]),
        Parameter::new(
            "grader_id",
            "With a grade that this member gave, or let stand. Learners find nothing by it.",
        ),
        Parameter::new(
            "graded_after",
            "With a grade that stands and was given at this moment (RFC 3339) or later.",
        ),
        Parameter::new(
            "graded_before",
            "With a grade that stands and was given before this moment.",
        ),
        Parameter::new(
            "stale",
            "With a grade of AI that stands, about which no person has decided, and that was given before a change of what AI \
             grades by, or was not; only with assignment_id. Learners find nothing by it.",
        )
        .flag(),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let ai_status = |text: &str| match text {
            "pending" | "ready" | "error" => Ok(text.to_owned()),
            _ => Err(InvalidValue::new("must be one of pending ready error")),
        };
        let filter = SubmissionFilter {
            assignment_id: query.text("assignment_id")?.map(|id| reference(&id)),
            course_id: query.text("course_id")?.map(|id| reference(&id)),
            cohort_id: query.text("cohort_id")?.map(|id| reference(&id)),
            user_id: query.text("user_id")?.map(|id| reference(&id)),
            status: query.parsed("status", SubmissionStatus::parse)?,
            ai_status: query.parsed("ai_status", ai_status)?,
            review_status: query.parsed("review_status", ReviewStatus::parse)?,
            review_reason: query.parsed("review_reason", review_reason)?,
            grade: asked_of_grade(query)?,
            ai_graded: None,
        };
        let stale = query.asked_flag("stale")?;
        Ok(Self { filter, stale })
    }
}

fn asked_of_grade(query: &mut Query) -> Result<GradeFilter, Failure> {
    Ok(GradeFilter {
        by: query.parsed("graded_by", GradeSource::parse)?,
        decided_by: query.text("grader_id")?.map(|id| reference(&id)),
        since: query.parsed("graded_after", Timestamp::parse)?,
        before: query.parsed("graded_before", Timestamp::parse)?,
        is_out: false,
    })
}
