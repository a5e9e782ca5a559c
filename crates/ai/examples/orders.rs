//! Prints which texts of a file are taken for orders to the grader, and the share of those that are not.
//!
//! `cargo run -p lyceum-ai --example orders -- TEXTS.jsonl`, each line an object with `id` and `text`; what else a line
//! has (`technique`, `language`, `kind`) is printed with the id.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use lyceum_ai::builtin::security_flags;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let set = std::fs::read_to_string(path)?;
    let mut out = std::io::stdout().lock();
    let (mut seen, mut all) = (0_u32, 0_u32);
    let begun = Instant::now();
    for line in set.lines() {
        let mut case: Value = serde_json::from_str(line)?;
        let text = case.as_object_mut().and_then(|case| case.remove("text"));
        let text = text.unwrap_or_default();
        let is_order = security_flags(text.as_str().unwrap_or_default(), "")
            .contains(&"instruction_like_text");
        all += 1;
        seen += u32::from(is_order);
        let said = if is_order { "order" } else { "no order" };
        writeln!(out, "{said}\t{case}")?;
    }
    let share = f64::from(seen) * 100.0 / f64::from(all.max(1));
    writeln!(
        out,
        "{seen} of {all} are orders ({share:.1} %), in {:?}",
        begun.elapsed()
    )?;
    Ok(())
}
