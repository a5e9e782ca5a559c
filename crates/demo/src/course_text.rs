//! The generated course as one Markdown text.

use lyceum_wire::authoring::activities::ActivityView;
use lyceum_wire::authoring::courses::CourseView;
use lyceum_wire::authoring::lessons::LessonView;
use serde_json::Value;

use super::authoring::UnitOutline;

/// Units, lessons, their contents and activities, in order.
pub fn course(course: &CourseView, outline: &[UnitOutline]) -> String {
    let mut text = format!("# {}\n\n", course.name);
    paragraph(&mut text, &course.description);
    let duration = &course.duration;
    add(
        &mut text,
        &format!(
            "*{} h planned, {} h generated. Language: {}.*\n\n",
            duration.hours, duration.hours_generated, course.language
        ),
    );
    for (number, unit) in (1..).zip(outline) {
        add(
            &mut text,
            &format!("## Unit {number}: {}\n\n", unit.unit.name),
        );
        paragraph(&mut text, &unit.unit.description);
        objectives(&mut text, &unit.unit.objectives);
        for (place, lesson) in (1..).zip(&unit.lessons) {
            self::lesson(&mut text, &format!("{number}.{place}"), &lesson.lesson);
            for activity in &lesson.activities {
                self::activity(&mut text, activity);
            }
        }
    }
    text
}

/// Adds a piece.
fn add(text: &mut String, piece: &str) {
    text.push_str(piece);
}

fn lesson(text: &mut String, number: &str, lesson: &LessonView) {
    add(
        text,
        &format!(
            "### {number} {} ({} min)\n\n",
            lesson.name, lesson.duration_minutes
        ),
    );
    if !lesson.summary.trim().is_empty() {
        add(text, &format!("*{}*\n\n", lesson.summary.trim()));
    }
    objectives(text, &lesson.objectives);
    paragraph(text, &lowered(&lesson.content));
}

fn objectives(text: &mut String, objectives: &[String]) {
    if objectives.is_empty() {
        return;
    }
    text.push_str("Objectives:\n\n");
    for objective in objectives {
        add(text, &format!("- {objective}\n"));
    }
    text.push('\n');
}

fn paragraph(text: &mut String, paragraph: &str) {
    if !paragraph.trim().is_empty() {
        text.push_str(paragraph.trim());
        text.push_str("\n\n");
    }
}

/// The same with every heading below the lesson's own.
fn lowered(markdown: &str) -> String {
    let mut fenced = false;
    let lines = markdown.lines().map(|line| {
        fenced ^= line.trim_start().starts_with("```");
        let depth = line.chars().take_while(|c| *c == '#').count();
        let is_heading = (1..=6).contains(&depth) && line.chars().nth(depth) == Some(' ');
        if fenced || !is_heading {
            return line.to_owned();
        }
        format!(
            "{}{}",
            "#".repeat((depth + 3).min(6)),
            line.trim_start_matches('#')
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn activity(text: &mut String, activity: &ActivityView) {
    add(
        text,
        &format!("#### {} ({})\n\n", activity.name, activity.kind),
    );
    let content = Value::Object(activity.content.0.clone());
    match activity.kind.as_str() {
        "quiz" => entries(&content, "questions")
            .iter()
            .for_each(|asked| question(text, asked)),
        "flashcards" => entries(&content, "cards").iter().for_each(|card| {
            add(
                text,
                &format!("- **{}**: {}\n", word(card, "front"), word(card, "back")),
            );
        }),
        "explainer" => entries(&content, "sections").iter().for_each(|section| {
            add(
                text,
                &format!(
                    "**{}**\n\n{}\n\n",
                    word(section, "heading"),
                    word(section, "body")
                ),
            );
        }),
        "podcast" => entries(&content, "segments").iter().for_each(|segment| {
            add(text, &format!("**{}**\n\n", word(segment, "title")));
            for turn in entries(segment, "turns") {
                add(
                    text,
                    &format!("- {}: {}\n", word(turn, "speaker_id"), word(turn, "text")),
                );
            }
            text.push('\n');
        }),
        "video" => add(text, &format!("<{}>\n", word(&content, "url"))),
        "reflection" => add(text, &format!("{}\n", word(&content, "prompt"))),
        _ => {}
    }
    text.push('\n');
}

/// A question with its answer, whatever its type keeps it in.
fn question(text: &mut String, asked: &Value) {
    add(text, &format!("- {}\n", word(asked, "prompt")));
    if !word(asked, "text").is_empty() {
        add(text, &format!("  {}\n", word(asked, "text")));
    }
    for option in entries(asked, "options") {
        let right = option
            .get("correct")
            .and_then(Value::as_bool)
            .unwrap_or_default();
        add(
            text,
            &format!(
                "  - [{}] {}\n",
                if right { 'x' } else { ' ' },
                word(option, "text")
            ),
        );
    }
    for item in entries(asked, "items") {
        add(text, &format!("  1. {}\n", word(item, "text")));
    }
    for pair in entries(asked, "pairs") {
        add(
            text,
            &format!("  - {} → {}\n", word(pair, "left"), word(pair, "right")),
        );
    }
    let answer = asked
        .get("answer")
        .filter(|answer| !answer.is_null())
        .map(plain);
    let blanks = entries(asked, "blanks")
        .iter()
        .flat_map(|blank| entries(blank, "accepted_answers"));
    let accepted = entries(asked, "accepted_answers")
        .iter()
        .chain(blanks)
        .map(plain);
    let answers: Vec<String> = answer.into_iter().chain(accepted).collect();
    if !answers.is_empty() {
        add(text, &format!("  Answer: {}\n", answers.join(" / ")));
    }
}

fn entries<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value
        .get(member)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn word<'a>(value: &'a Value, member: &str) -> &'a str {
    value
        .get(member)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn headings_go_below_the_lesson() {
        let given = "# A\ntext\n### B\n#tag\n```\n# code\n```";
        assert_eq!(
            lowered(given),
            "#### A\ntext\n###### B\n#tag\n```\n# code\n```"
        );
    }

    #[test]
    fn a_question_shows_its_answer() {
        let mut text = String::new();
        let options = json!([{"text": "A", "correct": true}, {"text": "B", "correct": false}]);
        question(&mut text, &json!({"prompt": "Which?", "options": options}));
        question(&mut text, &json!({"prompt": "True?", "answer": true}));
        assert_eq!(
            text,
            "- Which?\n  - [x] A\n  - [ ] B\n- True?\n  Answer: true\n"
        );
    }
}
