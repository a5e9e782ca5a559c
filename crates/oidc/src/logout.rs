//! Logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.6).

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::ProviderWord;
use lyceum_domain::identity::sso_sign_in::{CLOCK_LEEWAY, SsoLogout};
use lyceum_domain::json::JsonObject;
use lyceum_ports::identity::identity_providers::ProviderClient;
use serde_json::Value;

use crate::jws::{self, Broken, moment};
use crate::known::Known;

/// What makes a token one of these.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// How old one may be that does not say when it ends.
const OLDEST: Duration = Duration::from_mins(5);

/// What it says, if it is the provider's, and for us.
pub fn open(
    known: &Known,
    client: &ProviderClient,
    token: &str,
    now: Timestamp,
) -> Result<SsoLogout, Broken> {
    let said = jws::open(known, token, &["jwt", "logout+jwt"])?;
    let text = |name: &str| said.get(name).and_then(Value::as_str);
    if text("iss") != Some(client.issuer.as_str()) {
        return Err(Broken::Text("it is of another issuer"));
    }
    if !is_for(&said, client.client_id.as_str()) {
        return Err(Broken::Text("it is for somebody else"));
    }
    let is_event = |events: &Value| events.get(EVENT).is_some_and(Value::is_object);
    if !said.get("events").is_some_and(is_event) {
        return Err(Broken::Text("it is no logout token"));
    }
    // An ID token has one: so none passes for this.
    if said.contains_key("nonce") {
        return Err(Broken::Text("it has a nonce"));
    }
    if text("jti").is_none_or(str::is_empty) {
        return Err(Broken::Text("it has no jti"));
    }
    let issued_at =
        moment(&said, "iat").ok_or(Broken::Text("it does not say when it was issued"))?;
    let ends_at = if said.contains_key("exp") {
        moment(&said, "exp").ok_or(Broken::Text("its end cannot be read"))?
    } else {
        issued_at.plus(OLDEST)
    };
    if now > ends_at.plus(CLOCK_LEEWAY) {
        return Err(Broken::Text("it has expired"));
    }
    if issued_at > now.plus(CLOCK_LEEWAY) {
        return Err(Broken::Text("it was issued in the future"));
    }
    jws::has_begun(&said, now)?;
    let word = |name: &str| text(name).map(ProviderWord::parse).transpose();
    let subject = word("sub").map_err(|_| Broken::Text("its subject is no word"))?;
    let session = word("sid").map_err(|_| Broken::Text("its sid is no word"))?;
    if subject.is_none() && session.is_none() {
        return Err(Broken::Text("it names nobody"));
    }
    Ok(SsoLogout {
        subject,
        sid: session,
        issued_at,
    })
}

fn is_for(said: &JsonObject, client_id: &str) -> bool {
    match said.get("aud") {
        Some(Value::String(one)) => one == client_id,
        Some(Value::Array(many)) => many.iter().any(|one| one.as_str() == Some(client_id)),
        Some(_) | None => false,
    }
}
