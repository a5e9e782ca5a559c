//! Prints the course that the built-in engine drafts, to be read as a teacher would.
//!
//! `cargo run -p lyceum-ai --example draft -- NAME LANGUAGE HOURS BRIEF.md [SOURCE.md]`

use std::error::Error;
use std::io::Write;

use lyceum_ai::Builtin;
use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::syllabus::{LessonDraft, SyllabusBrief, UnitDraft};
use lyceum_domain::text::LanguageTag;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let mut next = || given.next().unwrap_or_default();
    let (name, language, hours, brief, source) = (next(), next(), next(), next(), next());
    let read = |path: String| {
        if path.is_empty() {
            Ok(String::new())
        } else {
            std::fs::read_to_string(path)
        }
    };
    let hours = Hours::parse(hours.parse()?).map_err(|problem| problem.to_string())?;
    let brief = SyllabusBrief {
        course_name: name,
        language: LanguageTag::parse(&language).map_err(|problem| problem.to_string())?,
        brief: read(brief)?,
        hours,
        instructions: String::new(),
        source_text: read(source)?,
        model: String::new(),
    };
    let answered = Builtin.draft_syllabus(brief, &Meter::default()).await?;
    let mut draft = answered.value;
    draft.fit_to(hours)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n{:?}\n", draft.summary, draft.assumptions)?;
    for unit in &draft.units {
        print_unit(&mut out, unit)?;
    }
    Ok(())
}

fn print_unit(out: &mut impl Write, unit: &UnitDraft) -> Result<(), Box<dyn Error>> {
    writeln!(
        out,
        "\n===== {}\n{}\n{:?}",
        unit.name, unit.description, unit.objectives
    )?;
    for lesson in &unit.lessons {
        print_lesson(out, lesson)?;
    }
    for assignment in &unit.assignments {
        let rubric = serde_json::to_string_pretty(&assignment.rubric.to_json())?;
        let (name, task) = (&assignment.name, &assignment.instructions);
        writeln!(out, "\n*** {name}\n{task}\n{rubric}")?;
    }
    Ok(())
}

fn print_lesson(out: &mut impl Write, lesson: &LessonDraft) -> Result<(), Box<dyn Error>> {
    let (name, minutes, summary) = (&lesson.name, lesson.minutes, &lesson.summary);
    writeln!(
        out,
        "\n--- {name} ({minutes} min) {summary}\n{:?}\n{}",
        lesson.objectives, lesson.content
    )?;
    for activity in &lesson.activities {
        let content = serde_json::to_string_pretty(activity.content.as_map())?;
        writeln!(out, "\n+++ {} {}\n{content}", activity.kind, activity.name)?;
    }
    Ok(())
}
