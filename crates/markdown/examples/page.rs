//! Markdown as a page, to be looked at: `cargo run -p lyceum-markdown --example page < text.md > page.html`. Warnings go to the
//! other stream.

use std::io::{Read, Write};

use lyceum_markdown::{Labels, STYLE, Settings, escape_html, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let settings = Settings {
        anchors: Some("t"),
        labels: Some(&Labels::ENGLISH),
        ..Settings::default()
    };
    let mut picture =
        |picture: &lyceum_markdown::Picture| format!("[{}]", escape_html(&picture.alt));
    let rendered =
        render(&text, &settings, &mut picture).map_err(|refused| format!("{refused:?}"))?;
    for warning in &rendered.warnings {
        writeln!(std::io::stderr(), "{warning}")?;
    }
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Markdown</title>\n<style>\n\
         :root {{ color-scheme: light dark; }}\nbody {{ font: 16px/1.6 sans-serif; max-width: 46rem; margin: 1rem auto; }}\n\
         td, th {{ border: 1px solid #999; padding: 0.2rem 0.6rem; }}\n{STYLE}</style>\n{}</html>\n",
        rendered.html
    );
    std::io::stdout().write_all(page.as_bytes())?;
    Ok(())
}
