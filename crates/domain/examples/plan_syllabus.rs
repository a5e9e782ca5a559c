//! Plans a syllabus to its hours: whatever the lessons were planned with, together they take exactly the time there is.
//!
//! `cargo run -p lyceum-domain --example plan_syllabus [HOURS] [FILE]`, where the file is an outline: `# Unit` and,
//! below it, `- minutes lesson`.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::{env, fs, io};

use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::syllabus::{LessonDraft, SyllabusDraft, UnitDraft};

const OUTLINE: &str = "\
# The four enemies
- 20 Heat and cold
- 45 Clean hands
# The kitchen day
- 30 Receiving goods
- 30 Opening
- 10 Closing
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let hours = arguments.next().map_or(Ok(3), |hours| hours.parse())?;
    let outline = arguments
        .next()
        .map_or(Ok(OUTLINE.to_owned()), fs::read_to_string)?;
    io::stdout().write_all(planned(&outline, hours)?.as_bytes())?;
    Ok(())
}

/// The outline with the minutes that each lesson really gets.
fn planned(outline: &str, hours: i64) -> Result<String, Box<dyn Error>> {
    let hours = Hours::parse(hours)?;
    let mut syllabus = read(outline)?;
    syllabus.fit_to(hours)?;

    let mut plan = String::new();
    for unit in &syllabus.units {
        writeln!(plan, "{}", unit.name)?;
        for lesson in &unit.lessons {
            writeln!(plan, "{:>5} min  {}", lesson.minutes, lesson.name)?;
        }
    }
    writeln!(plan, "{:>5} min  together", hours.minutes())?;
    Ok(plan)
}

fn read(outline: &str) -> Result<SyllabusDraft, Box<dyn Error>> {
    let mut units: Vec<UnitDraft> = Vec::new();
    for line in outline.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("# ") {
            units.push(unit(name));
        } else {
            let told = line
                .strip_prefix("- ")
                .and_then(|rest| rest.split_once(' '));
            let (minutes, name) = told.ok_or_else(|| format!("neither unit nor lesson: {line}"))?;
            let unit = units.last_mut().ok_or("a lesson stands in a unit")?;
            unit.lessons.push(lesson(name, minutes.parse()?));
        }
    }
    Ok(SyllabusDraft {
        summary: String::new(),
        units,
        assumptions: Vec::new(),
    })
}

fn unit(name: &str) -> UnitDraft {
    UnitDraft {
        name: name.to_owned(),
        description: String::new(),
        objectives: Vec::new(),
        lessons: Vec::new(),
        assignments: Vec::new(),
    }
}

fn lesson(name: &str, minutes: u32) -> LessonDraft {
    LessonDraft {
        name: name.to_owned(),
        summary: String::new(),
        objectives: Vec::new(),
        content: String::new(),
        minutes,
        activities: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_keep_their_shares_and_take_exactly_the_hours() {
        assert_eq!(
            planned(OUTLINE, 3).unwrap(),
            "The four enemies\n\
             \u{20}  25 min  Heat and cold\n\
             \u{20}  60 min  Clean hands\n\
             The kitchen day\n\
             \u{20}  40 min  Receiving goods\n\
             \u{20}  40 min  Opening\n\
             \u{20}  15 min  Closing\n\
             \u{20} 180 min  together\n"
        );
    }

    #[test]
    fn what_cannot_be_planned_says_why() {
        let problem = |outline: &str, hours| planned(outline, hours).unwrap_err().to_string();
        assert_eq!(problem(OUTLINE, 0), "must be between 1 and 1000");
        assert_eq!(problem("# Alone\n", 3), "the draft has no lessons");
        assert_eq!(problem("- 20 Homeless\n", 3), "a lesson stands in a unit");
    }
}
