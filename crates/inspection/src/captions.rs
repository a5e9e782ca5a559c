//! Captions: text with times.

use std::path::Path;

use lyceum_domain::authoring::media::MediaType;
use lyceum_ports::authoring::inspection::Inspected;

use crate::kept::as_it_came;
use crate::reading::{Looked, damaged, whole_text};

/// The longest file; captions of a whole day take less.
const MOST: u64 = 2_000_000;

/// Reads every time in it.
pub fn inspect(file: &Path) -> Looked<Inspected> {
    let text = whole_text(file, MOST, "captions")?;
    let mut cues = 0;
    for (line, number) in text.lines().zip(1_u32..) {
        if line.contains("-->") {
            let shown = cue(line);
            let right = shown.is_some_and(|(from, to)| from < to);
            if !right {
                return Err(damaged(format!("line {number} is no time from and to")));
            }
            cues += 1;
        }
    }
    if cues == 0 {
        return Err(damaged("it has no captions"));
    }
    Ok(as_it_came(MediaType::Vtt, file))
}

/// From when and to when, in milliseconds. Where a caption stands may be said behind it.
fn cue(line: &str) -> Option<(u64, u64)> {
    let (from, rest) = line.split_once("-->")?;
    let to = rest.split_whitespace().next()?;
    Some((time(from.trim())?, time(to)?))
}

/// `mm:ss.ttt`, or with hours before it.
fn time(text: &str) -> Option<u64> {
    let (clock, thousandths) = text.split_once('.')?;
    let parts: Vec<u64> = clock.split(':').map(digits).collect::<Option<_>>()?;
    let (hours, minutes, seconds) = match parts.as_slice() {
        [minutes, seconds] => (0, *minutes, *seconds),
        [hours, minutes, seconds] => (*hours, *minutes, *seconds),
        _ => return None,
    };
    let whole = thousandths.len() == 3 && minutes < 60 && seconds < 60;
    let seconds = hours.checked_mul(3600)? + minutes * 60 + seconds;
    let thousandths = digits(thousandths).filter(|_| whole)?;
    seconds.checked_mul(1000)?.checked_add(thousandths)
}

fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}
