//! Speaks Web Authentication (<https://www.w3.org/TR/webauthn-3/>) with devices that hold passkeys, by `webauthn-rs`. What is asked and judged
//! here is the protocol; whose a passkey is, and what signing in by it opens, is decided elsewhere.
//!
//! Each passkey is discoverable, so that nobody has to say who they are before they sign in; and the device verifies its person, by a
//! finger, a face or a code, each time.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lyceum_domain::identity::passkeys::{CEREMONY_LIFETIME, Passkey as KeptPasskey};
use lyceum_ports::identity::passkeys::{Asked, Claim, Made, NotProved, PasskeyProtocol};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use thiserror::Error;
use url::{Host, Url};
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, DiscoverableKey, Passkey, PasskeyRegistration,
    PublicKeyCredential, RegisterPublicKeyCredential, Uuid, Webauthn, WebauthnBuilder,
};

/// Why no passkey can be used at an address.
#[derive(Debug, Error)]
pub enum NoPasskeys {
    /// Browsers make passkeys for names alone.
    #[error("passkeys need a name, and {0} is an address of the network")]
    NoName(String),
    /// Browsers make passkeys where nobody can read along alone.
    #[error("passkeys need https, or localhost")]
    Insecure,
    /// It is no address of a service.
    #[error("{0}")]
    Malformed(String),
}

/// The protocol at one address.
pub struct Passkeys {
    webauthn: Arc<Webauthn>,
}

impl Passkeys {
    /// At the address at which browsers reach the service.
    ///
    /// # Errors
    /// [`NoPasskeys`]
    pub fn at(public_url: &str) -> Result<Self, NoPasskeys> {
        let malformed = |why: &dyn ToString| NoPasskeys::Malformed(why.to_string());
        let url = Url::parse(public_url).map_err(|why| malformed(&why))?;
        let name = match url.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            Some(address) => return Err(NoPasskeys::NoName(address.to_string())),
            None => return Err(malformed(&"the address has no host")),
        };
        if url.scheme() != "https" && name != "localhost" {
            return Err(NoPasskeys::Insecure);
        }
        let builder = WebauthnBuilder::new(&name, &url).map_err(|why| malformed(&why))?;
        let builder = builder
            .rp_name("Lyceum")
            .timeout(CEREMONY_LIFETIME)
            // Browsers tell the machine's own services apart by nothing else, and what stands in front of one has another port.
            .allow_any_port(url.scheme() == "http");
        Ok(Self {
            webauthn: Arc::new(builder.build().map_err(|why| malformed(&why))?),
        })
    }
}

impl PasskeyProtocol for Passkeys {
    fn ask_for_new(
        &self,
        handle: Uuid,
        address: &str,
        held: &[KeptPasskey],
    ) -> Result<Asked, NotProved> {
        let held: Vec<CredentialID> = held
            .iter()
            .filter_map(|one| bytes(&one.credential_id).ok())
            .collect();
        let (question, state) = self
            .webauthn
            .start_passkey_registration(handle, address, address, Some(held))
            .map_err(|why| not_proved(&why))?;
        let mut options = written(&question)?;
        // Whoever signs in says nothing of themselves: so the device has to find what it holds for this service by itself.
        let wanted = options.pointer_mut("/publicKey/authenticatorSelection");
        let wanted = wanted.and_then(Value::as_object_mut);
        let wanted = wanted.ok_or_else(|| NotProved("no selection".to_owned()))?;
        wanted.insert("residentKey".to_owned(), json!("required"));
        wanted.insert("requireResidentKey".to_owned(), json!(true));
        asked(options, &state)
    }

    fn ask_for_any(&self) -> Result<Asked, NotProved> {
        let (question, state) = self
            .webauthn
            .start_discoverable_authentication()
            .map_err(|why| not_proved(&why))?;
        let mut options = written(&question)?;
        // Asked for by a click, and not while an address is typed.
        if let Some(members) = options.as_object_mut() {
            members.remove("mediation");
        }
        asked(options, &state)
    }

    fn claim(&self, answer: &Value) -> Result<Claim, NotProved> {
        let text = |place: &str| {
            let found = answer.pointer(place).and_then(Value::as_str);
            found.ok_or_else(|| NotProved(format!("no {place}")))
        };
        let said = bytes(text("/response/clientDataJSON")?)?;
        let said: Value = serde_json::from_slice(&said).map_err(|why| not_proved(&why))?;
        let challenge = said.get("challenge").and_then(Value::as_str);
        let handle = answer.pointer("/response/userHandle");
        let handle = handle.and_then(Value::as_str).map(uuid).transpose()?;
        Ok(Claim {
            challenge: challenge
                .ok_or_else(|| NotProved("no challenge".to_owned()))?
                .to_owned(),
            // As the device has it, whoever wrote it.
            credential_id: URL_SAFE_NO_PAD.encode(bytes(text("/rawId")?)?),
            handle,
        })
    }

    fn made(&self, state: &str, answer: &Value) -> Result<Made, NotProved> {
        let state: PasskeyRegistration = read(state)?;
        let answer: RegisterPublicKeyCredential = taken(answer)?;
        let passkey = self
            .webauthn
            .finish_passkey_registration(&answer, &state)
            .map_err(|why| not_proved(&why))?;
        Ok(Made {
            credential_id: URL_SAFE_NO_PAD.encode(passkey.cred_id()),
            credential: written(&passkey)?.to_string(),
        })
    }

    fn proved(
        &self,
        state: &str,
        answer: &Value,
        passkey: &KeptPasskey,
    ) -> Result<String, NotProved> {
        let state: DiscoverableAuthentication = read(state)?;
        let answer: PublicKeyCredential = taken(answer)?;
        let mut kept: Passkey = read(&passkey.credential)?;
        let result = self
            .webauthn
            .finish_discoverable_authentication_v2(&answer, state, DiscoverableKey::from(&kept))
            .map_err(|why| not_proved(&why))?;
        if !result.user_verified() {
            return Err(NotProved("the person was not verified".to_owned()));
        }
        kept.update_credential(&result);
        Ok(written(&kept)?.to_string())
    }
}

/// As whom a device knows its holder.
fn uuid(text: &str) -> Result<Uuid, NotProved> {
    let bytes = bytes(text)?;
    let bytes = <[u8; 16]>::try_from(bytes.as_slice()).map_err(|why| not_proved(&why))?;
    Ok(Uuid::from_bytes(bytes))
}

fn asked(options: Value, state: &impl Serialize) -> Result<Asked, NotProved> {
    let challenge = options.pointer("/publicKey/challenge");
    let challenge = challenge.and_then(Value::as_str).map(str::to_owned);
    let challenge = challenge.ok_or_else(|| NotProved("no challenge".to_owned()))?;
    let state = written(state)?.to_string();
    let Value::Object(options) = options else {
        return Err(NotProved("no options".to_owned()));
    };
    Ok(Asked {
        options,
        challenge,
        state,
    })
}

fn bytes(text: &str) -> Result<Vec<u8>, NotProved> {
    let bare = text.trim_end_matches('=');
    URL_SAFE_NO_PAD.decode(bare).map_err(|why| not_proved(&why))
}

fn written(value: &impl Serialize) -> Result<Value, NotProved> {
    serde_json::to_value(value).map_err(|why| not_proved(&why))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, NotProved> {
    serde_json::from_str(text).map_err(|why| not_proved(&why))
}

fn taken<T: DeserializeOwned>(answer: &Value) -> Result<T, NotProved> {
    T::deserialize(answer).map_err(|why| not_proved(&why))
}

fn not_proved(why: &dyn ToString) -> NotProved {
    NotProved(why.to_string())
}

#[cfg(test)]
mod tests;
