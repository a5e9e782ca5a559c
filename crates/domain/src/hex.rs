//! Bytes as text.

use std::fmt::Write;

/// Two lower-case hexadecimal digits per byte.
pub fn lower(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
