//! Plots as inline SVG: axes from 0 to 1, drawn by the page's own colours.
//!
//! Each has a title and a description for those who do not see it, and every series has a dash or a shape of its own
//! for those who see no colours.

use std::fmt::Write;

use super::escaped;

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
const TICKS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

/// A plot with axes from 0 to 1.
pub struct Plot {
    svg: String,
}

impl Plot {
    /// An empty plot; `described` says in a sentence what can be seen.
    pub fn new(title: &str, described: &str, x_axis: &str, y_axis: &str) -> Self {
        let mut plot = Self::opened(title, described);
        plot.y_axis(y_axis);
        plot.x_axis(x_axis);
        plot
    }

    /// An empty plot for bars, which have names instead of places.
    pub fn bars(title: &str, described: &str, y_axis: &str) -> Self {
        let mut plot = Self::opened(title, described);
        plot.y_axis(y_axis);
        plot
    }

    fn opened(title: &str, described: &str) -> Self {
        let (title, described) = (escaped(title), escaped(described));
        let svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}: {described}\">"
        );
        Self { svg }
    }

    /// A name under the plot.
    pub fn name(&mut self, at: f64, text: &str) {
        self.label(x(at), y(0.0) + 15.0, "middle", text);
    }

    fn x_axis(&mut self, name: &str) {
        for tick in TICKS {
            let at = x(tick);
            let (top, bottom) = (y(1.0), y(0.0));
            self.put(&format!(
                "<path class=\"grid\" d=\"M{at:.1} {top:.1}V{bottom:.1}\"/>"
            ));
            self.label(at, bottom + 15.0, "middle", &format!("{tick:.1}"));
        }
        self.label(x(0.5), HEIGHT - 8.0, "middle", name);
    }

    fn y_axis(&mut self, name: &str) {
        for tick in TICKS {
            let at = y(tick);
            let (left, right) = (x(0.0), x(1.0));
            self.put(&format!(
                "<path class=\"grid\" d=\"M{left:.1} {at:.1}H{right:.1}\"/>"
            ));
            self.label(left - 6.0, at + 4.0, "end", &format!("{tick:.1}"));
        }
        let (middle, name) = (y(0.5), escaped(name));
        self.put(&format!(
            "<text transform=\"translate(12 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{name}</text>"
        ));
    }

    /// The line where both axes are equal.
    #[must_use]
    pub fn diagonal(mut self) -> Self {
        let path = format!("M{:.1} {:.1}L{:.1} {:.1}", x(0.0), y(0.0), x(1.0), y(1.0));
        self.put(&format!("<path class=\"ideal\" d=\"{path}\"/>"));
        self
    }

    /// A dot whose area is a share of the largest; its words are shown when pointed at.
    pub fn dot(&mut self, (at_x, at_y): (f64, f64), share: f64, words: &str) {
        let radius = 1.5 + 9.5 * share.clamp(0.0, 1.0).sqrt();
        self.put(&format!(
            "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\"><title>{}</title></circle>",
            x(at_x),
            y(at_y),
            escaped(words)
        ));
    }

    /// A line through points, of the first or the second series.
    pub fn line(&mut self, points: &[(f64, f64)], series: Series) {
        let mut path = String::new();
        for (at, (at_x, at_y)) in points.iter().enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            let written = write!(path, "{letter}{:.1} {:.1}", x(*at_x), y(*at_y));
            debug_assert!(written.is_ok(), "a string takes everything");
        }
        let class = series.class();
        self.put(&format!("<path class=\"line {class}\" d=\"{path}\"/>"));
        for (at_x, at_y) in points {
            let words = format!("{at_x:.2}: {at_y:.2}");
            let (at_x, at_y) = (x(*at_x), y(*at_y));
            let shape = match series {
                Series::First => format!("<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"3.5\""),
                Series::Second => format!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"",
                    at_x - 3.5,
                    at_y - 3.5
                ),
            };
            let tag = if series == Series::First {
                "circle"
            } else {
                "rect"
            };
            self.put(&format!(
                "{shape} class=\"mark {class}\"><title>{words}</title></{tag}>"
            ));
        }
    }

    /// A bar from below.
    pub fn bar(&mut self, place: &Bar<'_>) {
        let width = (WIDTH - LEFT - RIGHT) * place.width;
        let (left, top) = (x(place.at) - width / 2.0, y(place.value.clamp(0.0, 1.0)));
        let class = place.series.class();
        self.put(&format!(
            "<rect class=\"bar {class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            y(0.0) - top,
            escaped(place.words)
        ));
    }

    /// The picture.
    pub fn finished(mut self) -> String {
        self.put("</svg>");
        self.svg
    }

    fn label(&mut self, at_x: f64, at_y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        self.put(&format!(
            "<text x=\"{at_x:.1}\" y=\"{at_y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn put(&mut self, piece: &str) {
        self.svg.push_str(piece);
    }
}

/// Which of the two series something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// Solid, round.
    First,
    /// Dashed, square.
    Second,
}

impl Series {
    const fn class(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// A bar of a plot.
pub struct Bar<'a> {
    /// Where its middle stands, 0..=1.
    pub at: f64,
    /// How wide it is, a share of the plot.
    pub width: f64,
    /// How high it is.
    pub value: f64,
    /// Which series.
    pub series: Series,
    /// What is shown when it is pointed at.
    pub words: &'a str,
}

fn x(share: f64) -> f64 {
    LEFT + share * (WIDTH - LEFT - RIGHT)
}

fn y(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}
