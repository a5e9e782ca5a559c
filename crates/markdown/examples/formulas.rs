//! The list of formulas as a page, to be looked at: `cargo run -p lyceum-markdown --example formulas -- [first] [last]`.
//!
//! The picture of it in the documentation: `chromium --headless --screenshot=formulas.png --window-size=1900,2070 page.html`.

use std::fmt::Write as _;

use lyceum_markdown::{STYLE, Settings, escape_html, render};

const LIST: &str = include_str!("../tests/formulas.txt");
const COLUMNS: usize = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut range = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let first = range.next().transpose()?.unwrap_or(1);
    let last = range.next().transpose()?.unwrap_or(usize::MAX);
    let mut page = format!(
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Formulas</title>\n<style>\n{STYLE}\n\
         body {{ margin: 8px; font: 15px sans-serif; columns: {COLUMNS}; column-gap: 8px; }}\n\
         div {{ display: grid; grid-template-columns: 6.5em 1fr; align-items: center; border-bottom: 1px solid #ccc; break-inside: avoid; }}\n\
         div > span {{ font-size: 11px; color: #555; }}\n p {{ margin: 0; }} math[display=block] {{ margin-block: 0.2rem; }}\n</style>\n"
    );
    for (number, line) in (1_usize..).zip(LIST.lines()) {
        let mut parts = line.splitn(3, " | ");
        let (Some(_), Some(name), Some(tex)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("line {number} has not three parts").into());
        };
        if number < first || number > last {
            continue;
        }
        let rendered = render(&format!("$${tex}$$"), &Settings::default(), &mut |_| {
            String::new()
        })
        .map_err(|refused| format!("{refused:?}"))?;
        let name = escape_html(name);
        writeln!(
            page,
            "<div><span>{number} {name}</span>{}</div>",
            rendered.html
        )?;
        for warning in rendered.warnings {
            eprintln!("{number} {name}: {}", warning.told());
        }
    }
    std::io::Write::write_all(&mut std::io::stdout(), page.as_bytes())?;
    Ok(())
}
