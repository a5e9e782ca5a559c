//! The report's two drawings, as SVG that takes its colours from the page.

use super::html::escape;
use super::words::number;

/// Bars of the histogram.
const BINS: usize = 10;

/// A teacher's level and the scores of the answers that got it.
pub struct LevelScores {
    pub label: String,
    pub scores: Vec<f64>,
}

/// The mean; 0 of nothing.
pub fn mean(scores: &[f64]) -> f64 {
    if scores.is_empty() {
        0.0
    } else {
        scores.iter().sum::<f64>() / real(scores.len())
    }
}

/// The middle value; 0 of nothing.
pub fn median(scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let at = |place: usize| sorted.get(place).copied().unwrap_or_default();
    if sorted.len() % 2 == 1 {
        at(middle)
    } else {
        f64::midpoint(at(middle.saturating_sub(1)), at(middle))
    }
}

/// A whole number as a real one.
pub fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// How many answers got how many points.
pub fn histogram(scores: &[f64], max: f64) -> String {
    let counts = counts(scores, max);
    let highest = counts.iter().copied().max().unwrap_or_default().max(1);
    let (left, top, width, height) = (16.0, 24.0, 488.0, 140.0);
    let bar = width / real(BINS);
    let mut drawing: Vec<String> = Vec::new();
    for (place, count) in counts.iter().enumerate() {
        let tall = height * real(*count) / real(highest);
        let (x, y) = (left + bar * real(place), top + height - tall);
        if *count > 0 {
            drawing.push(format!(
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" rx=\"2\"/>\
                 <text class=\"num\" x=\"{:.1}\" y=\"{:.1}\">{count}</text>",
                x + 3.0,
                bar - 6.0,
                x + bar / 2.0,
                y - 6.0
            ));
        }
        drawing.push(tick(x, top + height, max * real(place) / real(BINS)));
    }
    drawing.push(tick(left + width, top + height, max));
    drawing.push(format!(
        "<line class=\"axis\" x1=\"{left}\" x2=\"{}\" y1=\"{1}\" y2=\"{1}\"/>",
        left + width,
        top + height
    ));
    let said = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(place, count)| {
            let edge = |place: usize| number(max * real(place) / real(BINS));
            format!("{count} from {} to {}", edge(place), edge(place + 1))
        });
    svg(
        520,
        196,
        "Scores",
        &said.collect::<Vec<_>>().join(", "),
        &drawing.concat(),
    )
}

fn tick(x: f64, y: f64, value: f64) -> String {
    format!(
        "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
        y + 18.0,
        number(value)
    )
}

/// How many scores fall into each tenth of the scale; a full score belongs to the last.
fn counts(scores: &[f64], max: f64) -> [usize; BINS] {
    let mut counts = [0; BINS];
    for score in scores {
        let edges = 1..BINS;
        let place = edges
            .filter(|edge| *score >= max * real(*edge) / real(BINS))
            .count();
        if let Some(count) = counts.get_mut(place) {
            *count += 1;
        }
    }
    counts
}

/// A dot for each answer, a row for each level, a stroke at the mean.
pub fn by_level(levels: &[LevelScores], max: f64) -> String {
    let (left, width, row) = (84.0, 310.0, 40.0);
    let place = |score: f64| left + width * (score / max.max(f64::MIN_POSITIVE));
    let mut drawing: Vec<String> = Vec::new();
    let mut said = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let y = 24.0 + row * real(index);
        drawing.push(format!(
            "<text class=\"row\" x=\"{}\" y=\"{:.1}\">{}</text>\
             <line class=\"grid\" x1=\"{left}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>",
            left - 12.0,
            y + 4.0,
            escape(&level.label),
            left + width
        ));
        for (score, lift) in spread(&level.scores, max) {
            drawing.push(format!(
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4.5\"/>",
                place(score),
                y + lift
            ));
        }
        let mean = mean(&level.scores);
        drawing.push(format!(
            "<line class=\"mean\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1}\" y2=\"{2}\"/>\
             <text class=\"side\" x=\"{3}\" y=\"{4:.1}\">mean {5} (n = {6})</text>",
            place(mean),
            y - 14.0,
            y + 14.0,
            left + width + 16.0,
            y + 4.0,
            number(mean),
            level.scores.len()
        ));
        said.push(format!(
            "{}: mean {} of {}",
            level.label,
            number(mean),
            level.scores.len()
        ));
    }
    let bottom = 14.0 + row * real(levels.len());
    for quarter in 0..=4 {
        let value = max * real(quarter) / 4.0;
        drawing.push(tick(place(value), bottom - 6.0, value));
    }
    let height = 30 + 40 * u32::try_from(levels.len()).unwrap_or_default();
    svg(
        520,
        height,
        "Score by the teacher's level",
        &said.join("; "),
        &drawing.concat(),
    )
}

/// Scores in order, each with how far it is moved up or down so that neighbours stay apart.
fn spread(scores: &[f64], max: f64) -> Vec<(f64, f64)> {
    const LIFTS: [f64; 3] = [0.0, -8.0, 8.0];
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut lifts = LIFTS.iter().cycle();
    let mut before: Option<f64> = None;
    let mut placed = Vec::new();
    for score in sorted {
        if before.is_none_or(|before| score - before > max * 0.03) {
            lifts = LIFTS.iter().cycle();
        }
        placed.push((score, lifts.next().copied().unwrap_or_default()));
        before = Some(score);
    }
    placed
}

fn svg(width: u32, height: u32, title: &str, said: &str, drawing: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}: {}\">{drawing}</svg>",
        escape(title),
        escape(said)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_falls_into_one_bar() {
        let scores = [0.0, 9.99, 10.0, 55.0, 99.0, 100.0];
        let counts = counts(&scores, 100.0);
        assert_eq!(counts, [2, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert!(histogram(&scores, 100.0).contains("2 from 90 to 100"));
    }

    #[test]
    fn means_and_medians() {
        assert!((mean(&[1.0, 2.0, 6.0]) - 3.0).abs() < 1e-9);
        assert!((median(&[6.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
        assert!(median(&[]).abs() < 1e-9);
    }

    #[test]
    fn neighbours_stay_apart() {
        let placed = spread(&[50.0, 10.0, 51.0], 100.0);
        assert_eq!(placed, [(10.0, 0.0), (50.0, 0.0), (51.0, -8.0)]);
    }
}
