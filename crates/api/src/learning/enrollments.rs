//! The students of a cohort over HTTP.

use lyceum_application::learning::enrollments;
use lyceum_domain::ids::Enrollment;
use lyceum_wire::learning::enrollments::{EnrollStudent, Enrollee, EnrollmentView};

use crate::prelude::*;

pub async fn create(call: Call<Json<EnrollStudent>>) -> Outcome<Created<EnrollmentView>> {
    call.count_invitation(|enrollee| matches!(enrollee, Enrollee::Address { .. }))?;
    call.write(|tx, ctx, path, enrollee| enrollments::create(tx, ctx, path.id()?, enrollee))
        .await
}

pub async fn list(call: Call<Listing<Enrollment, ()>>) -> Outcome<Listed<EnrollmentView>> {
    call.read(|tx, ctx, path, ((), page)| enrollments::list(tx, ctx, path.id()?, &page))
        .await
}

pub async fn delete(call: Call<Nothing>) -> Outcome<Deleted> {
    call.write(|tx, ctx, path, ()| {
        let gone = enrollments::delete(tx, ctx, path.id()?, path.named("user_id")?)?;
        Ok(gone.to_string())
    })
    .await
}
