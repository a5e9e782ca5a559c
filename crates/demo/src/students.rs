//! Steps around the students: enrolling them, setting their assignment, handing in their answers.

use anyhow::Context;
use lyceum_client::Client;
use lyceum_wire::authoring::assignments::{AssignmentView, CreateAssignment};
use lyceum_wire::authoring::grading::{AiEvaluatorInput, ConfigureAssignment};
use lyceum_wire::grading::submissions::{
    ContentInput, ContentType, CreateSubmission, SubmissionView,
};
use lyceum_wire::identity::users::{CreateUser, UserRole, UserView};
use lyceum_wire::learning::enrollments::EnrollStudent;
use lyceum_wire::patch::Patch;

use super::checks::same;
use super::input::{Answer, Input};
use super::progress::{Done, Teller};

/// Where an answer belongs.
pub struct Place<'a> {
    pub assignment: &'a str,
    pub cohort: &'a str,
}

/// One user per answer, each enrolled.
pub async fn enroll(
    client: &Client,
    teller: &Teller,
    input: &Input,
    cohort: &str,
) -> anyhow::Result<Done<Vec<UserView>>> {
    let bar = teller.bar("enrolling", input.answers.len());
    let mut students = Vec::new();
    for answer in &input.answers {
        let new = CreateUser {
            email: answer.email.clone(),
            name: Some(answer.name.clone()),
            role: Some(UserRole::Student),
            ..CreateUser::default()
        };
        let user = client
            .users()
            .create(&new)
            .await
            .with_context(|| answer.email.clone())?;
        let student = EnrollStudent {
            user_id: Some(user.id.clone()),
            ..EnrollStudent::default()
        };
        let enrolled = client
            .cohorts()
            .enroll(cohort, &student)
            .await
            .with_context(|| answer.email.clone())?;
        same("the enrolled user", &enrolled.user_id, &user.id)?;
        students.push(user);
        bar.add(1);
    }
    drop(bar);
    let listed = client
        .cohorts()
        .students(cohort)
        .collect()
        .await
        .context("the cohort's students")?;
    same(
        "the number of students listed",
        &listed.len(),
        &students.len(),
    )?;
    let counted = client.cohorts().retrieve(cohort).await?.student_count;
    same(
        "the cohort's student_count",
        &usize::try_from(counted)?,
        &students.len(),
    )?;
    let result = format!("{} users, all enrolled", students.len());
    Ok(Done::new(students, cohort, result))
}

/// The assignment, made bare and then configured.
pub async fn assign(
    client: &Client,
    input: &Input,
    course: &str,
) -> anyhow::Result<Done<AssignmentView>> {
    let given = input.assignment.clone();
    let new = CreateAssignment {
        course_id: Some(course.to_owned()),
        rubric: None,
        human_review: None,
        feedback: None,
        ai_evaluator: None,
        ..given.clone()
    };
    let made = client.assignments().create(&new).await?;
    let wanted = ConfigureAssignment {
        rubric: given.rubric.map_or(Patch::Keep, Patch::Set),
        // Grading is asked for below, once per submission: handing in must not start it as well.
        ai_evaluator: Patch::Set(AiEvaluatorInput {
            enabled: Patch::Set(false),
            model: Patch::Keep,
        }),
        human_review: given.human_review.map_or(Patch::Keep, Patch::Set),
        release: Patch::Keep,
        feedback: given.feedback.map_or(Patch::Keep, Patch::Set),
    };
    let assignment = client
        .assignments()
        .configure(&made.id, &wanted)
        .await
        .context("configuring it")?;
    same("the configured assignment", &assignment.id, &made.id)?;
    let criteria = super::words::criteria(&assignment).len();
    let result = format!(
        "\"{}\", {criteria} criteria, review {}",
        assignment.name, assignment.human_review
    );
    let id = assignment.id.clone();
    Ok(Done::new(assignment, id, result))
}

pub async fn hand_in(
    client: &Client,
    teller: &Teller,
    input: &Input,
    students: &[UserView],
    place: &Place<'_>,
) -> anyhow::Result<Done<Vec<SubmissionView>>> {
    let bar = teller.bar("handing in", input.answers.len());
    let mut handed_in = Vec::new();
    for (answer, student) in input.answers.iter().zip(students) {
        let submission = client
            .submissions()
            .create(&submission(answer, student, place))
            .await
            .with_context(|| answer.email.clone())?;
        same(
            "a new submission's status",
            submission.status.as_str(),
            "submitted",
        )?;
        same("a new submission's ai_status", &submission.ai_status, &None)?;
        handed_in.push(submission);
        bar.add(1);
    }
    drop(bar);
    let result = format!("{} answers handed in", handed_in.len());
    Ok(Done::new(handed_in, place.assignment, result))
}

fn submission(answer: &Answer, student: &UserView, place: &Place<'_>) -> CreateSubmission {
    CreateSubmission {
        assignment_id: place.assignment.to_owned(),
        user_id: Some(student.id.clone()),
        cohort_id: Some(place.cohort.to_owned()),
        content: Some(ContentInput {
            kind: ContentType::Text,
            text: Some(answer.text.clone()),
            url: None,
        }),
        draft: Some(false),
        ..CreateSubmission::default()
    }
}
