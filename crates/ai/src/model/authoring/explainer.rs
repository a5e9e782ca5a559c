//! Explainers from a model: steps that build on each other, a worked example, a question to check oneself.

use lyceum_domain::drafting::drafts::ActivitiesTask;
use serde::Deserialize;
use serde_json::{Value, json};

use super::lesson::line;
use super::texts::{folded, unsafe_markdown, word_count};
use super::{Broken, parsed};
use crate::language::Language;
use crate::outline::{Labels, glossary};
use lyceum_domain::text::sentences::sentences;

/// How many steps there are.
const STEPS: std::ops::RangeInclusive<usize> = 3..=8;
/// Most words of a step.
const STEP_WORDS: usize = 120;

#[derive(Deserialize)]
struct Explainer {
    level: String,
    steps: Vec<Step>,
    worked_example: WorkedExample,
    check_question: Check,
}

#[derive(Deserialize)]
struct Step {
    heading: String,
    text: String,
    analogy: Option<String>,
    visual_description: String,
}

#[derive(Deserialize)]
struct WorkedExample {
    problem: String,
    solution_steps: Vec<String>,
    answer: String,
}

#[derive(Deserialize)]
struct Check {
    prompt: String,
    answer: String,
}

/// Reads one explainer; the rules it breaks otherwise.
pub(super) fn read(one: &Value, task: &ActivitiesTask) -> Result<Value, Broken> {
    let explainer: Explainer = parsed(one)?;
    let broken = broken_rules(&explainer);
    if !broken.is_empty() {
        return Err(broken);
    }
    let language = Language::of_tag(task.frame.language.as_str());
    let labels = Labels::of(language);
    let steps = explainer.steps.iter();
    let headings: Vec<&str> = steps.map(|step| step.heading.trim()).collect();
    let terms: Vec<Value> = glossary(&task.content)
        .into_iter()
        .map(|(term, definition)| json!({"term": term, "definition": definition}))
        .collect();
    Ok(json!({
        "level": explainer.level,
        "sections": sections(&explainer, labels),
        "key_points": headings,
        "glossary": terms,
    }))
}

fn broken_rules(explainer: &Explainer) -> Broken {
    let mut broken = Broken::new();
    if !STEPS.contains(&explainer.steps.len()) {
        broken.push("an explainer must have 3 to 8 steps".to_owned());
    }
    for step in &explainer.steps {
        let words = word_count(&step.text);
        let name = &step.heading;
        if name.trim().is_empty() || words == 0 {
            broken.push("every step needs a heading and a text".to_owned());
        }
        if words > STEP_WORDS {
            broken.push(format!(
                "step {name:?} must have at most {STEP_WORDS} words, not {words}"
            ));
        }
    }
    let example = &explainer.worked_example;
    let texts = explainer.steps.iter().map(|step| step.text.as_str());
    let texts = texts
        .chain(example.solution_steps.iter().map(String::as_str))
        .chain([
            example.problem.as_str(),
            explainer.check_question.prompt.as_str(),
        ]);
    broken.extend(texts.filter_map(unsafe_markdown));
    broken.extend(broken_example(example));
    if [
        &explainer.check_question.prompt,
        &explainer.check_question.answer,
    ]
    .into_iter()
    .any(|text| text.trim().is_empty())
    {
        broken.push("the check_question needs a prompt and an answer".to_owned());
    }
    broken.extend(too_hard(explainer));
    broken
}

fn broken_example(example: &WorkedExample) -> Option<String> {
    let answer = folded(&example.answer);
    let repeated = example
        .solution_steps
        .last()
        .is_some_and(|last| folded(last).contains(&answer));
    (answer.is_empty() || example.problem.trim().is_empty() || !repeated)
        .then(|| "the worked example's answer must stand in its last solution step".to_owned())
}

/// Sentences are no longer than the level allows. Their length is what formulas of readability have in common,
/// and the only part that needs no table of a language.
fn too_hard(explainer: &Explainer) -> Option<String> {
    let most = match explainer.level.as_str() {
        "beginner" => 16,
        "intermediate" => 22,
        _ => 30,
    };
    let texts = explainer.steps.iter().map(|step| step.text.as_str());
    let (mut words, mut count) = (0, 0);
    for text in texts {
        words += word_count(text);
        count += sentences(text).len();
    }
    (words > most * count.max(1)).then(|| {
        format!(
            "at level {} a sentence must have at most {most} words on average",
            explainer.level
        )
    })
}

fn sections(explainer: &Explainer, labels: &Labels) -> Vec<Value> {
    let steps = explainer.steps.iter().map(|step| {
        let analogy = step.analogy.iter().map(|text| line(text));
        let analogy: Vec<String> = analogy.filter(|text| !text.is_empty()).collect();
        let body = [vec![step.text.trim().to_owned()], analogy].concat();
        (
            step.heading.as_str(),
            body.join("\n\n"),
            line(&step.visual_description),
        )
    });
    let example = &explainer.worked_example;
    let solution = (1_usize..).zip(&example.solution_steps);
    let solution: Vec<String> = solution
        .map(|(number, step)| format!("{number}. {}", step.trim()))
        .collect();
    let answer = |text: &str| format!("**{}:** {}", labels.answer, line(text));
    let worked = [
        example.problem.trim().to_owned(),
        solution.join("\n"),
        answer(&example.answer),
    ];
    let check = &explainer.check_question;
    let checked = [check.prompt.trim().to_owned(), answer(&check.answer)];
    let rest = [
        (labels.worked_example, worked.join("\n\n"), String::new()),
        (labels.check, checked.join("\n\n"), String::new()),
    ];
    (1_usize..)
        .zip(steps.chain(rest))
        .map(|(number, (heading, body, visual))| {
            let mut section = json!({"id": format!("s{number}"), "heading": heading, "body": body});
            if let (false, Value::Object(members)) = (visual.is_empty(), &mut section) {
                members.insert("visual".to_owned(), json!(visual));
            }
            section
        })
        .collect()
}
