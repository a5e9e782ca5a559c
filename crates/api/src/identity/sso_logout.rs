//! What a provider tells over HTTP: that somebody is no longer signed in there.

use lyceum_application::identity::sso_sign_in::logout;
use lyceum_wire::identity::sso_sign_in::{SsoLogoutView, TellSsoLogout};

use crate::http::auth_scope::Open;
use crate::http::input::Fields;
use crate::prelude::*;

pub async fn log_out(call: Call<Fields<TellSsoLogout>, Open>) -> Outcome<Found<SsoLogoutView>> {
    call.ask(
        |tx, visitor, path, token| logout::prepare(tx, visitor, path.id()?, token),
        logout::ask,
        logout::end,
    )
    .await
}
