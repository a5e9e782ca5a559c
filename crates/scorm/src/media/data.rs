//! `data:` addresses: media that a text carries within itself.

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{alphabet, engine::DecodePaddingMode};

/// People forget the padding, and browsers forgive it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Whether an address is its own content.
pub fn is_data(address: &str) -> bool {
    address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The bytes of a base64 `data:` address; none if it is written in another way.
pub fn bytes(address: &str) -> Option<Vec<u8>> {
    let (head, body) = address.split_once(',')?;
    if !is_data(address) || !head.to_ascii_lowercase().ends_with(";base64") {
        return None;
    }
    let body: String = body.split_ascii_whitespace().collect();
    // The three characters of the alphabet that some writers escape.
    let body = body
        .replace("%2B", "+")
        .replace("%2F", "/")
        .replace("%3D", "=");
    BASE64.decode(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_with_and_without_padding() {
        for address in [
            "data:image/png;base64,aGk=",
            "DATA:;base64,aGk",
            "data:text/vtt;charset=utf-8;BASE64,aG%6B"
                .replace("%6B", "k")
                .as_str(),
        ] {
            assert_eq!(bytes(address).unwrap(), b"hi"[..].to_vec(), "{address}");
        }
    }

    #[test]
    fn other_addresses_are_not_read() {
        for address in ["data:,hi", "https://x/;base64,aGk=", "data:;base64,%%%"] {
            assert_eq!(bytes(address), None, "{address}");
        }
    }
}
