//! How learners of SCORM packages get in, over HTTP.

use lyceum_application::scorm_learners;
use lyceum_wire::scorm_learners::{CreateScormSession, ScormSessionView};

use crate::answer::{Found, Outcome};
use crate::call::Call;
use crate::input::Json;
use crate::scene::Open;

pub async fn launch(
    call: Call<Json<CreateScormSession>, Open>,
) -> Outcome<Found<ScormSessionView>> {
    call.write(|tx, visitor, path, launch| scorm_learners::launch(tx, visitor, path.id()?, &launch))
        .await
}
