//! `content/theme.css`: a workspace's accent colour, made legible.
//!
//! The hue is the workspace's, the lightness is ours: it moves until text in the accent can be read on every ground
//! the player has, and text on the accent too (WCAG 2.2, 4.5:1), in light and in dark.

use lyceum_ports::exporting::scorm::CourseSnapshot;

/// WCAG 2.2, 1.4.3: text of ordinary size.
const LEGIBLE: f64 = 4.5;
/// How finely lightness is tried.
const STEPS: u8 = 100;

/// A colour in sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Colour([u8; 3]);

/// A colour by hue (0 to 6), saturation and lightness (0 to 1).
#[derive(Debug, Clone, Copy)]
struct Hsl {
    hue: f64,
    saturation: f64,
    lightness: f64,
}

/// The grounds of one scheme in the player's style sheet, and how to fit an accent to them.
struct Scheme {
    grounds: [Colour; 2],
    wash_lightness: f64,
    /// Where the accent's lightness goes when it cannot be read: 0 or 1.
    towards: f64,
}

const LIGHT: Scheme = Scheme {
    grounds: [Colour([0xff, 0xff, 0xff]), Colour([0xf6, 0xf5, 0xf2])],
    wash_lightness: 0.94,
    towards: 0.0,
};
const DARK: Scheme = Scheme {
    grounds: [Colour([0x17, 0x1c, 0x1e]), Colour([0x10, 0x14, 0x15])],
    wash_lightness: 0.14,
    towards: 1.0,
};

/// The three colours the player takes its accent from.
struct Accent {
    main: Colour,
    ink: Colour,
    wash: Colour,
}

/// The style sheet for the snapshot's accent; none if it has none, or one that is no colour.
pub fn of(snapshot: &CourseSnapshot) -> Option<String> {
    let wanted = Colour::parse(snapshot.accent_color.as_deref()?)?;
    let light = properties(&Accent::of(wanted, &LIGHT));
    let dark = properties(&Accent::of(wanted, &DARK));
    Some(format!(
        ":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
    ))
}

fn properties(accent: &Accent) -> String {
    format!(
        "--accent: {}; --accent-ink: {}; --accent-wash: {};",
        accent.main.hex(),
        accent.ink.hex(),
        accent.wash.hex()
    )
}

impl Accent {
    fn of(wanted: Colour, scheme: &Scheme) -> Self {
        let wanted = wanted.hsl();
        let tint = |saturation: f64, lightness: f64| {
            Hsl {
                saturation: wanted.saturation.min(saturation),
                lightness,
                ..wanted
            }
            .rgb()
        };
        let wash = tint(0.4, scheme.wash_lightness);
        let readable = |colour: &Colour| {
            scheme
                .grounds
                .iter()
                .chain([&wash])
                .all(|ground| contrast(*colour, *ground) >= LEGIBLE)
        };
        let end = tint(1.0, scheme.towards);
        let accent = (0..=STEPS)
            .map(|step| {
                let share = f64::from(step) / f64::from(STEPS);
                let lightness = wanted.lightness + (scheme.towards - wanted.lightness) * share;
                Hsl {
                    lightness,
                    ..wanted
                }
                .rgb()
            })
            .find(readable)
            .unwrap_or(end);
        // White first: on a dark accent it reads best. One of the last two always reads.
        let ink = [tint(0.0, 1.0), tint(0.6, 0.08), tint(0.0, 0.0)]
            .into_iter()
            .find(|ink| contrast(*ink, accent) >= LEGIBLE)
            .unwrap_or_else(|| tint(0.0, 0.0));
        Self {
            main: accent,
            ink,
            wash,
        }
    }
}

/// WCAG's contrast ratio, 1 to 21.
fn contrast(one: Colour, other: Colour) -> f64 {
    let (one, other) = (one.luminance(), other.luminance());
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

impl Colour {
    /// Reads `#rrggbb`.
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        })?;
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self([red, green, blue]))
    }

    fn hex(self) -> String {
        let Self([red, green, blue]) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// WCAG's relative luminance.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.040_45 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn hsl(self) -> Hsl {
        let [red, green, blue] = self.0.map(|channel| f64::from(channel) / 255.0);
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let (spread, lightness) = (most - least, f64::midpoint(most, least));
        if spread <= f64::EPSILON {
            return Hsl {
                hue: 0.0,
                saturation: 0.0,
                lightness,
            };
        }
        let hue = if red >= green && red >= blue {
            ((green - blue) / spread).rem_euclid(6.0)
        } else if green >= blue {
            (blue - red) / spread + 2.0
        } else {
            (red - green) / spread + 4.0
        };
        Hsl {
            hue,
            saturation: spread / (1.0 - (2.0 * lightness - 1.0).abs()),
            lightness,
        }
    }
}

impl Hsl {
    fn rgb(self) -> Colour {
        let chroma = (1.0 - (2.0 * self.lightness - 1.0).abs()) * self.saturation;
        let middle = chroma * (1.0 - (self.hue % 2.0 - 1.0).abs());
        let channels = match self.hue {
            hue if hue < 1.0 => [chroma, middle, 0.0],
            hue if hue < 2.0 => [middle, chroma, 0.0],
            hue if hue < 3.0 => [0.0, chroma, middle],
            hue if hue < 4.0 => [0.0, middle, chroma],
            hue if hue < 5.0 => [middle, 0.0, chroma],
            _ => [chroma, 0.0, middle],
        };
        let base = self.lightness - chroma / 2.0;
        Colour(channels.map(|channel| byte((channel + base) * 255.0)))
    }
}

/// The nearest byte.
fn byte(value: f64) -> u8 {
    (0..u8::MAX)
        .find(|byte| value < f64::from(*byte) + 0.5)
        .unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// Paper, ground and ink of the player's own style sheet, each in light and in dark.
    static GROUNDS: LazyLock<[[Colour; 2]; 3]> =
        LazyLock::new(|| ["paper", "ground", "ink"].map(named));

    fn named(name: &str) -> [Colour; 2] {
        let style = crate::player::style();
        let values: Vec<_> = style
            .split(&format!("--{name}: "))
            .skip(1)
            .filter_map(|rest| Colour::parse(rest.split(';').next().unwrap()))
            .collect();
        [values[0], values[1]]
    }

    proptest! {
        #[test]
        fn every_accent_is_legible_on_every_ground(rgb: [u8; 3]) {
            let [papers, grounds, inks] = *GROUNDS;
            for (at, scheme) in [LIGHT, DARK].iter().enumerate() {
                let made = Accent::of(Colour(rgb), scheme);
                for ground in [papers[at], grounds[at], made.wash] {
                    prop_assert!(contrast(made.main, ground) >= LEGIBLE, "{made:?} on {ground:?}");
                }
                prop_assert!(contrast(made.ink, made.main) >= LEGIBLE, "{made:?}");
                prop_assert!(contrast(inks[at], made.wash) >= LEGIBLE, "{made:?}");
            }
        }

        #[test]
        fn the_hue_stays(rgb: [u8; 3]) {
            let before = Colour(rgb).hsl();
            // Greys have no hue, and near black or white bytes are too coarse to tell one.
            prop_assume!(before.saturation > 0.2 && (0.1..0.9).contains(&before.lightness));
            for scheme in [LIGHT, DARK] {
                let after = Accent::of(Colour(rgb), &scheme).main.hsl();
                prop_assume!((0.1..0.9).contains(&after.lightness));
                let turned = (after.hue - before.hue).abs();
                prop_assert!(turned.min(6.0 - turned) < 0.2, "{before:?} became {after:?}");
            }
        }

        #[test]
        fn a_colour_survives_the_way_there_and_back(rgb: [u8; 3]) {
            prop_assert_eq!(Colour(rgb).hsl().rgb(), Colour(rgb));
        }
    }

    impl std::fmt::Debug for Accent {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&properties(self))
        }
    }

    /// Its colours are held against that ground where they are said.
    #[test]
    fn code_stands_on_the_ground_of_the_player_in_light_and_in_dark() {
        let (_, code) = lyceum_markdown::STYLE.split_once("/* Code:").unwrap();
        for (name, [light, dark]) in ["ground", "ink"].map(|name| (name, named(name))) {
            let values: Vec<_> = code
                .split(&format!("var(--{name}, "))
                .skip(1)
                .map(|rest| Colour::parse(rest.split(')').next().unwrap()).unwrap())
                .collect();
            assert_eq!(values, [light, dark], "{name}");
        }
    }

    #[test]
    fn a_legible_accent_stays_as_it_is() {
        let accent = Accent::of(Colour([0x12, 0x60, 0x5a]), &LIGHT);
        assert_eq!(accent.main.hex(), "#12605a");
        assert_eq!(accent.ink.hex(), "#ffffff");
    }

    #[test]
    fn only_a_colour_is_a_colour() {
        for text in [
            "", "#12345", "red", "#12345g", "#1234567", "123456", "#;}*{",
        ] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
        assert_eq!(Colour::parse("#FFa07A"), Some(Colour([0xff, 0xa0, 0x7a])));
    }
}
