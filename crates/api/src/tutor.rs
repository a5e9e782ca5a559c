//! The tutor over HTTP.

use lyceum_application::tutor;
use lyceum_wire::tutor::{AskTutor, TutorReplyView};

use crate::answer::{Outcome, Spoken};
use crate::call::Call;
use crate::input::Json;

pub async fn ask(call: Call<Json<AskTutor>>) -> Outcome<Spoken<TutorReplyView>> {
    call.ask(
        |tx, ctx, path, request| tutor::prepare(tx, ctx, path.id()?, &request),
        tutor::ask,
        tutor::settle,
    )
    .await
}
