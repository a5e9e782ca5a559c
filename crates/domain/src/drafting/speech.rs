//! Speaking a podcast: the script cut into what one request for speech takes, and the sound of it put together.
//!
//! Sound is mono, 16 bits, little-endian throughout. Who speaks and where sound is kept is not known here.

use serde_json::Value;

use crate::authoring::activities::ActivityContent;

/// Longest text of one request, in characters.
const MAX_CHARS: usize = 4_096;
/// Silence between two pieces, in milliseconds.
pub const PAUSE_MS: u64 = 400;
/// Bytes of a sample.
const SAMPLE_BYTES: u64 = 2;

/// A piece of a script: a turn, or a part of a very long one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptPiece {
    /// Who says it: 0 for the first speaker of the script.
    pub speaker: usize,
    /// What is said, 1 to 4 096 characters.
    pub text: String,
}

/// A piece that was spoken, kept as samples without a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenPiece {
    /// Where its samples are kept.
    pub blob: String,
    /// How many bytes they are.
    pub bytes: u64,
    /// Samples per second.
    pub sample_rate: u32,
}

/// What a podcast's content says, in order; nothing if it is no podcast or silent.
pub fn script(content: &ActivityContent) -> Vec<ScriptPiece> {
    let list = |holder: Option<&Value>| holder.and_then(Value::as_array).cloned();
    let speakers = list(content.as_map().get("speakers")).unwrap_or_default();
    let segments = list(content.as_map().get("segments")).unwrap_or_default();
    let turns = segments
        .iter()
        .flat_map(|segment| list(segment.get("turns")).unwrap_or_default());
    let pieces = turns.flat_map(|turn| {
        let named = turn.get("speaker_id");
        let speaker = speakers.iter().position(|one| one.get("id") == named);
        let text = turn.get("text").and_then(Value::as_str).unwrap_or_default();
        let speaker = speaker.unwrap_or_default();
        let said = cut(text).into_iter();
        said.map(|text| ScriptPiece { speaker, text })
            .collect::<Vec<_>>()
    });
    pieces.collect()
}

/// Cuts a text that is too long behind a sentence, else between words, else anywhere.
fn cut(text: &str) -> Vec<String> {
    let mut rest: Vec<char> = text.trim().chars().collect();
    let mut pieces = Vec::new();
    while rest.len() > MAX_CHARS {
        let first = rest.get(..MAX_CHARS).unwrap_or_default();
        let is_space = |pair: &[char]| pair.last().is_some_and(|c| c.is_whitespace());
        let ends =
            |pair: &[char]| is_space(pair) && pair.first().is_some_and(|c| ".!?…".contains(*c));
        let last = |fits: &dyn Fn(&[char]) -> bool| first.windows(2).rposition(fits);
        let at = last(&ends).or_else(|| last(&is_space));
        let tail = rest.split_off(at.map_or(MAX_CHARS, |at| at + 1));
        pieces.push(std::mem::replace(&mut rest, tail));
    }
    pieces.push(rest);
    let texts = pieces.iter().map(|piece| piece.iter().collect::<String>());
    let texts = texts.map(|text| text.trim().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

/// The pause between two pieces.
pub fn pause(sample_rate: u32) -> Vec<u8> {
    let samples = u64::from(sample_rate) * PAUSE_MS / 1_000;
    let bytes = usize::try_from(samples * SAMPLE_BYTES).unwrap_or_default();
    vec![0; bytes]
}

/// How long so many bytes last, in milliseconds.
pub fn duration_ms(bytes: u64, sample_rate: u32) -> u64 {
    bytes.saturating_mul(1_000) / (u64::from(sample_rate).max(1) * SAMPLE_BYTES)
}

/// The header of a WAV file with so many bytes of samples behind it ("Multimedia Programming Interface and Data
/// Specifications 1.0", IBM and Microsoft, 1991: RIFF, `fmt ` as PCM, `data`); none if they are too many for one.
pub fn wav_header(bytes: u64, sample_rate: u32) -> Option<Vec<u8>> {
    const PCM: u16 = 1;
    const MONO: u16 = 1;
    const BLOCK: u16 = 2;
    const BITS: u16 = 16;
    let data = u32::try_from(bytes).ok()?;
    let whole = data.checked_add(36)?;
    let per_second = sample_rate.checked_mul(u32::from(BLOCK))?;
    let mut header = Vec::with_capacity(44);
    header.extend(b"RIFF");
    header.extend(whole.to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(16_u32.to_le_bytes());
    header.extend(PCM.to_le_bytes());
    header.extend(MONO.to_le_bytes());
    header.extend(sample_rate.to_le_bytes());
    header.extend(per_second.to_le_bytes());
    header.extend(BLOCK.to_le_bytes());
    header.extend(BITS.to_le_bytes());
    header.extend(b"data");
    header.extend(data.to_le_bytes());
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(content: &Value) -> Vec<ScriptPiece> {
        script(&ActivityContent::stored(
            content.as_object().cloned().unwrap(),
        ))
    }

    #[test]
    fn a_script_is_its_turns_by_the_place_of_their_speakers() {
        let content = json!({
            "speakers": [{"id": "a", "name": "Ann"}, {"id": "b", "name": "Ben"}],
            "segments": [
                {"turns": [{"speaker_id": "b", "text": " Hello. "}, {"speaker_id": "a", "text": " "}]},
                {"turns": [{"speaker_id": "a", "text": "Bye."}]},
            ],
        });
        let piece = |speaker, text: &str| ScriptPiece {
            speaker,
            text: text.to_owned(),
        };
        assert_eq!(said(&content), [piece(1, "Hello."), piece(0, "Bye.")]);
        assert_eq!(said(&json!({"questions": []})), []);
    }

    #[test]
    fn a_long_turn_is_cut_behind_a_sentence_then_between_words_then_anywhere() {
        let sentence = format!("{}. ", "word ".repeat(500).trim());
        for (text, first) in [
            (sentence.repeat(3), sentence.trim().chars().count()),
            ("word ".repeat(2_000), 4_094),
            ("ü".repeat(9_000), MAX_CHARS),
        ] {
            let pieces = cut(&text);
            assert_eq!(pieces[0].chars().count(), first);
            assert!(
                pieces
                    .iter()
                    .all(|piece| piece.chars().count() <= MAX_CHARS)
            );
            let joined: String = pieces.concat().split_whitespace().collect();
            assert_eq!(joined, text.split_whitespace().collect::<String>());
        }
    }

    #[test]
    fn a_second_at_24_khz_has_48000_bytes_and_a_header_that_says_so() {
        assert_eq!(duration_ms(48_000, 24_000), 1_000);
        assert_eq!(pause(24_000).len(), 19_200);
        let header = wav_header(48_000, 24_000).unwrap();
        assert_eq!(header.len(), 44);
        assert_eq!(header[4..8], 48_036_u32.to_le_bytes());
        assert_eq!(header[24..28], 24_000_u32.to_le_bytes());
        assert_eq!(header[28..32], 48_000_u32.to_le_bytes());
        assert_eq!(header[40..44], 48_000_u32.to_le_bytes());
        assert_eq!(wav_header(u64::from(u32::MAX), 24_000), None);
    }
}
