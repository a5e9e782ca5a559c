//! Letters without spaces between words, cut into the words of the list: where spaces were left out, and in scripts that have
//! none.

/// Longest word that is looked for, in letters.
const LONGEST: usize = 16;

/// The known words that cover most of plain letters, longer words first, and what is between them.
pub(super) fn cut(letters: &str, is_known: fn(&str) -> bool) -> Vec<String> {
    let letters: Vec<char> = letters.chars().collect();
    let lengths = word_lengths(&letters, is_known);
    let mut words: Vec<String> = Vec::new();
    let (mut at, mut between) = (0, false);
    while let Some(length) = lengths.get(at).copied() {
        if length > 0 || !between {
            words.push(String::new());
        }
        between = length == 0;
        let end = at + length.max(1);
        if let Some(word) = words.last_mut() {
            word.extend(letters.get(at..end).unwrap_or_default());
        }
        at = end;
    }
    words
}

/// How long the word is that begins at each letter, where the squares of all lengths are to sum up to the most; 0 where
/// none begins.
fn word_lengths(letters: &[char], is_known: fn(&str) -> bool) -> Vec<usize> {
    let mut best = vec![(0_usize, 0_usize); letters.len() + 1];
    for at in (0..letters.len()).rev() {
        let sum_from = |end: usize| best.get(end).map_or(0, |(sum, _)| *sum);
        let mut found = (sum_from(at + 1), 0);
        let mut word = String::new();
        for (index, letter) in letters.iter().skip(at).take(LONGEST).enumerate() {
            word.push(*letter);
            let length = index + 1;
            let sum = length * length + sum_from(at + length);
            if length > 1 && sum > found.0 && is_known(&word) {
                found = (sum, length);
            }
        }
        if let Some(here) = best.get_mut(at) {
            *here = found;
        }
    }
    best.iter()
        .take(letters.len())
        .map(|(_, length)| *length)
        .collect()
}
