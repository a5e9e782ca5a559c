//! Keys: what is accepted is said back as it came, and no typo of it is accepted too.

use lyceum_domain::identity::keys::ApiKeySecret;

pub fn fuzz(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else {
        return false;
    };
    let Ok(key) = ApiKeySecret::parse(text) else {
        return false;
    };
    assert_eq!(key.reveal(), text);
    assert!(!key.hash().as_str().contains(text));
    // A checksum of 32 bits finds every change of one character.
    for (at, character) in text.char_indices() {
        let other = if character == 'a' { 'b' } else { 'a' };
        let mut typo = text.to_owned();
        typo.replace_range(at..at + character.len_utf8(), &other.to_string());
        assert!(
            ApiKeySecret::parse(&typo).is_err(),
            "{typo} is accepted too"
        );
    }
    true
}
