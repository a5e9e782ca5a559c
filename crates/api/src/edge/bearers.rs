//! Letting in who provisions a workspace: by a key with the scope for it and no other, in the header where clients of SCIM send
//! theirs. Such a key is nobody in `x-api-key`, and no other key is anybody here.

use actix_web::HttpRequest;
use lyceum_application::Error;
use lyceum_application::context::{Account, RequestTrace};
use lyceum_application::error::Forbidden;
use lyceum_application::identity::access::Credentials;
use lyceum_domain::identity::scopes::Scope;

use crate::edge::access_log;
use crate::edge::noted;
use crate::edge::rate_limit::caller_of;
use crate::http::error::Failure;
use crate::http::headers::header_text;
use crate::state::Api;

/// Lets a caller in, and counts them as every key is counted.
///
/// # Errors
/// The first that fails: that of the key, that of its quota, [`Forbidden::Scope`].
pub async fn enter(api: &Api, request: &HttpRequest, request_id: &str) -> Result<Account, Failure> {
    api.limiter.knock(request)?;
    let credentials = Credentials {
        api_key: bearer(request),
        address: caller_of(request, api.settings.proxies()),
        ..Credentials::default()
    };
    let from = credentials.address;
    let admitted = api.app.admit(None, credentials, false).await;
    if let Err(Error::Unauthenticated(_)) = &admitted {
        api.limiter.note_failure(request);
    }
    let (admission, _) = admitted?;
    let identity = &admission.identity;
    api.limiter.count_key(Some(request), identity.key_id)?;
    if !identity.scopes.provisions() || identity.bound_to.is_none() {
        return Err(Error::from(Forbidden::Scope(Scope::Provision)).into());
    }
    access_log::note_caller(request, identity.key_id, identity.bound_to);
    if identity.use_unnoted && api.key_uses.is_due(identity.key_id, admission.now) {
        let (app, identity) = (api.app.clone(), identity.clone());
        tokio::spawn(async move {
            if let Err(error) = app.note_key_use(&identity, from).await {
                tracing::warn!(%error, "could not note the use of a key");
            }
        });
    }
    let asked = RequestTrace {
        request_id: request_id.to_owned(),
        trace: noted::place_of(request),
    };
    Ok(api.app.account(admission, asked))
}

fn bearer(request: &HttpRequest) -> Option<String> {
    let sent = header_text(request, "authorization")?;
    let (scheme, token) = sent.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    is_bearer.then(|| token.trim().to_owned())
}
