//! Signed texts that are no ID tokens: header, payload and signature in base64, and one key of the provider's that fits.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_domain::identity::sso_sign_in::CLOCK_LEEWAY;
use lyceum_domain::json::JsonObject;
use openidconnect::core::{CoreJsonWebKey, CoreJwsSigningAlgorithm};
use openidconnect::{JsonWebKey, JsonWebKeyAlgorithm, JsonWebKeyUse, JwsSigningAlgorithm};
use serde::Deserialize;
use serde_json::Value;

use crate::known::Known;

/// Why it does not hold.
#[derive(Clone, Copy)]
pub enum Broken {
    /// None of the keys fits.
    Keys,
    /// Something else.
    Text(&'static str),
}

impl Broken {
    /// As a problem of the provider's.
    pub fn problem(self) -> SsoProblem {
        let told = match self {
            Self::Keys => "no key of the provider fits",
            Self::Text(told) => told,
        };
        SsoProblem::new(SsoFault::TokenInvalid, told)
    }
}

#[derive(Deserialize)]
struct Header {
    alg: CoreJwsSigningAlgorithm,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<Value>,
}

/// What it says, if the provider signed it, and it is of one of these types.
pub fn open(known: &Known, text: &str, types: &[&str]) -> Result<JsonObject, Broken> {
    let (signed, signature) = text.rsplit_once('.').ok_or(Broken::Text("no signature"))?;
    let (header, payload) = signed.split_once('.').ok_or(Broken::Text("no payload"))?;
    let header = decode(header)?;
    let header: Header =
        serde_json::from_slice(&header).map_err(|_| Broken::Text("its header cannot be read"))?;
    if header.crit.is_some() {
        return Err(Broken::Text("its header asks for what is not known here"));
    }
    let typ = header.typ.as_deref().map(str::to_ascii_lowercase);
    if typ.is_some_and(|typ| !types.contains(&typ.as_str())) {
        return Err(Broken::Text("it is a token of another type"));
    }
    if !known.signatures().contains(&header.alg) {
        return Err(Broken::Text(
            "it is signed by an algorithm that is not taken",
        ));
    }
    let signature = decode(signature)?;
    let fits = |key: &&CoreJsonWebKey| {
        fits(key, &header)
            && key
                .verify_signature(&header.alg, signed.as_bytes(), &signature)
                .is_ok()
    };
    known.keys.keys().iter().find(fits).ok_or(Broken::Keys)?;
    serde_json::from_slice(&decode(payload)?).map_err(|_| Broken::Text("it says nothing"))
}

fn fits(key: &CoreJsonWebKey, header: &Header) -> bool {
    let is_named = |kid: &String| key.key_id().is_some_and(|id| id.as_str() == kid);
    let is_for_signing = key.key_use().is_none_or(JsonWebKeyUse::allows_signature);
    let is_of_algorithm = match key.signing_alg() {
        JsonWebKeyAlgorithm::Algorithm(alg) => *alg == header.alg,
        JsonWebKeyAlgorithm::Unspecified => true,
        JsonWebKeyAlgorithm::Unsupported => false,
    };
    header.kid.as_ref().is_none_or(is_named)
        && is_for_signing
        && is_of_algorithm
        && header.alg.key_type().as_ref() == Some(key.key_type())
}

/// A moment among what is said, in whole seconds since 1970.
pub fn moment(said: &JsonObject, name: &str) -> Option<Timestamp> {
    let seconds = said.get(name)?.as_i64()?;
    Some(Timestamp::from_unix_millis(seconds.checked_mul(1_000)?))
}

/// Whether it counts by now, if it says from when on it does (`nbf`: RFC 7519, section 4.1.5).
pub fn has_begun(said: &JsonObject, now: Timestamp) -> Result<(), Broken> {
    if !said.contains_key("nbf") {
        return Ok(());
    }
    let begins = moment(said, "nbf").ok_or(Broken::Text("its beginning cannot be read"))?;
    if begins > now.plus(CLOCK_LEEWAY) {
        return Err(Broken::Text("it does not count yet"));
    }
    Ok(())
}

fn decode(text: &str) -> Result<Vec<u8>, Broken> {
    let decoded = URL_SAFE_NO_PAD.decode(text);
    decoded.map_err(|_| Broken::Text("it is not in base64"))
}
