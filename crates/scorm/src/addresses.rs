//! Addresses as warnings show them.

use crate::text;

/// How much of an address a warning shows.
const SHOWN_CHARS: usize = 120;

/// An address as a sentence can hold it.
pub fn shown(address: &str) -> String {
    // Behind the path may stand somebody's pass.
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let address = text::title(path, "no address");
    if address.to_ascii_lowercase().starts_with("data:") {
        "within the text".to_owned()
    } else if address.chars().count() > SHOWN_CHARS {
        let start: String = address.chars().take(SHOWN_CHARS).collect();
        format!("{start}…")
    } else {
        address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_address_is_shortened_and_an_embedded_one_not_shown() {
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN_CHARS + 1);
        assert_eq!(shown("data:image/png;base64,aaaa"), "within the text");
    }
}
