//! What a provider tells over HTTP: that somebody is no longer signed in there.

use lyceum_application::identity::sso_logout;
use lyceum_wire::identity::sso_sign_in::{SsoLogoutView, TellSsoLogout};

use crate::http::auth_scope::Open;
use crate::http::input::Fields;
use crate::prelude::*;

pub async fn log_out(call: Call<Fields<TellSsoLogout>, Open>) -> Outcome<Found<SsoLogoutView>> {
    call.ask(
        |tx, visitor, path, token| sso_logout::prepare(tx, visitor, path.id()?, token),
        sso_logout::ask,
        sso_logout::end,
    )
    .await
}
