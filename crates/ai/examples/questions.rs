//! Prints every question that the built-in engine drafts from the source texts of a folder, in Markdown, to be judged.
//!
//! `cargo run -p lyceum-ai --example questions -- tests/data/drafting [HOURS]`: files are named by their language, `de-….md`.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use lyceum_ai::Builtin;
use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::syllabus::{SyllabusBrief, SyllabusDraft};
use lyceum_domain::text::LanguageTag;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let folder = given.next().unwrap_or_else(|| ".".to_owned());
    let hours = given.next().map_or(Ok(4), |hours| hours.parse())?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut out = std::io::stdout().lock();
    for file in files {
        if let Some(brief) = brief(&file, hours)? {
            let draft = Builtin
                .draft_syllabus(brief, &Meter::default())
                .await?
                .value;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            print(&mut out, &name, &draft)?;
        }
    }
    Ok(())
}

/// A course of the name and the language of a file; none of what is no source text.
fn brief(file: &Path, hours: i64) -> Result<Option<SyllabusBrief>, Box<dyn Error>> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let Some((language, subject)) = name.split_once('-') else {
        return Ok(None);
    };
    Ok(Some(SyllabusBrief {
        course_name: subject.replace('-', " "),
        language: LanguageTag::parse(language).map_err(|problem| problem.to_string())?,
        brief: String::new(),
        hours: Hours::parse(hours).map_err(|problem| problem.to_string())?,
        instructions: String::new(),
        source_text: std::fs::read_to_string(file)?,
        model: String::new(),
    }))
}

fn print(out: &mut impl Write, file: &str, draft: &SyllabusDraft) -> Result<(), Box<dyn Error>> {
    writeln!(out, "\n# {file}\n")?;
    for assumption in &draft.assumptions {
        writeln!(out, "> {assumption}")?;
    }
    for unit in &draft.units {
        let lessons: Vec<&str> = unit
            .lessons
            .iter()
            .map(|lesson| lesson.name.as_str())
            .collect();
        writeln!(
            out,
            "\n## Unit: {}\n\nLessons: {}\n",
            unit.name,
            lessons.join("; ")
        )?;
        for lesson in &unit.lessons {
            for activity in &lesson.activities {
                let questions = activity
                    .content
                    .as_map()
                    .get("questions")
                    .and_then(Value::as_array);
                for question in questions.into_iter().flatten() {
                    let said = question["source_quote"].as_str().unwrap_or_default();
                    let about = unit
                        .lessons
                        .iter()
                        .find(|lesson| lesson.content.contains(said));
                    writeln!(
                        out,
                        "{}",
                        asked(question, about.map_or("?", |lesson| &lesson.name))
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// A question with its options or its answer, as a person reads it.
fn asked(question: &Value, lesson: &str) -> String {
    let text = |member: &str| question[member].as_str().unwrap_or_default().to_owned();
    let mut lines = vec![
        format!(
            "### {} ({}, {}); lesson: {lesson}\n",
            text("id"),
            text("type"),
            text("difficulty")
        ),
        text("prompt"),
    ];
    if question["type"] == "cloze" {
        lines.push(format!("\n{}", text("text").replace("{{1}}", "____")));
        let accepted = question.pointer("/blanks/0/accepted_answers");
        let accepted = accepted.and_then(Value::as_array);
        let accepted = accepted
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>();
        lines.push(format!("\nAccepted: {}", accepted.join(" | ")));
    }
    if question["type"] == "true_false" {
        lines.push(format!("\nAnswer: {}", question["answer"]));
    }
    for option in question["options"].as_array().into_iter().flatten() {
        let mark = if option["correct"] == true { "x" } else { " " };
        lines.push(format!(
            "- [{mark}] {}",
            option["text"].as_str().unwrap_or_default()
        ));
    }
    lines.push(format!("\nLesson says: {}\n", text("source_quote")));
    lines.join("\n")
}
