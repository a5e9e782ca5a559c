//! Addresses that open one thing for a while, to whoever holds them.

use hmac::{Hmac, KeyInit, Mac};
use lyceum_domain::{Timestamp, hex};
use sha2::Sha256;

use crate::error::{Error, Forbidden};
use crate::settings::Settings;

/// Signs what an address opens; the text must say so unmistakably, with its end.
pub fn sign(settings: &Settings, text: &str) -> String {
    mac(settings, text).map_or_else(String::new, |mac| hex::lower(&mac.finalize().into_bytes()))
}

/// Refuses an address whose time is over, or that says something else than what was signed. Both are the same to whoever
/// holds it, and neither says whether the thing is there.
///
/// # Errors
/// [`Forbidden::Link`]
pub fn check(
    settings: &Settings,
    text: &str,
    signature: &str,
    expires: i64,
    now: Timestamp,
) -> Result<(), Error> {
    if expires < now.unix_seconds() || !is_signed(settings, text, signature) {
        return Err(Forbidden::Link.into());
    }
    Ok(())
}

/// Whether this is the signature of the text; takes the same time for every wrong one.
fn is_signed(settings: &Settings, text: &str, signature: &str) -> bool {
    let bytes: Option<Vec<u8>> = signature
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    match (mac(settings, text), bytes) {
        (Some(mac), Some(bytes)) => mac.verify_slice(&bytes).is_ok(),
        _ => false,
    }
}

fn mac(settings: &Settings, text: &str) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&settings.download_key).ok()?;
    mac.update(text.as_bytes());
    Some(mac)
}
