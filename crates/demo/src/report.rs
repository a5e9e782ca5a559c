//! The report: one page without anything from elsewhere, for the screen and for paper.

use lyceum_ports::environment::Clock;

use super::figures::{LevelScores, by_level, histogram, mean, median};
use super::grading::Graded;
use super::highlight::{Span, marked};
use super::html::{colour, escape, letter, tag};
use super::input::{Answer, Input};
use super::outcome::Outcome;
use super::review_report::sections;
use super::words::{Criterion, criteria, number, reason, result_of};
use lyceum_service::environment::SystemClock;

const STYLE: &str = include_str!("report.css");
/// A reason that every result of the built-in engine carries; said once at the top instead of at each answer.
const EVERYWHERE: &str = "uncalibrated";

/// The whole page.
pub fn page(outcome: &Outcome) -> String {
    let criteria = criteria(&outcome.assignment);
    let max = outcome.assignment.max_score.0.to_number();
    let title = format!("{} – graded answers", outcome.assignment.name);
    let answers: String = (1..)
        .zip(&outcome.graded)
        .map(|(number, one)| article(number, one, &criteria, &outcome.course.language))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#answers\">Skip to the answers</a>\n{}<main>\n{}{}{}{}\
         {}<section id=\"answers\" aria-labelledby=\"answers-title\">\n<h2 id=\"answers-title\">Answers</h2>\n\
         {}{answers}</section>\n</main>\n{}</body>\n</html>\n",
        escape(&title),
        header(outcome),
        notice(outcome),
        summary(outcome, max),
        task(outcome, &criteria),
        overview(outcome, &criteria, max),
        sections(outcome),
        legend(&criteria),
        footer(outcome),
    )
}

fn header(outcome: &Outcome) -> String {
    format!(
        "<header class=\"top\">\n<p class=\"kicker\">Lyceum demo</p>\n<h1>{}</h1>\n\
         <p class=\"sub\">{} · {} · {} answers</p>\n</header>\n",
        escape(&outcome.assignment.name),
        escape(&outcome.course.name),
        escape(&outcome.cohort.name),
        outcome.graded.len()
    )
}

/// Who graded, said first and plainly.
fn notice(outcome: &Outcome) -> String {
    let grader = outcome.graded.first().map(|one| &one.grade.grader);
    let model = grader
        .and_then(|grader| grader.model.clone())
        .unwrap_or_default();
    let text = if grader.is_some_and(|grader| grader.kind == "built_in") {
        "<strong>Graded by the built-in engine, not by a language model.</strong> It compares words with the \
         rubric's reference answers and key points. It does not understand meaning, and misjudges answers that \
         say the right thing in other words. In this first run it was not calibrated with graded examples, so it released \
         nothing: every grade waited until the teacher had graded a few. Take every score as a \
         suggestion that a person looks at."
            .to_owned()
    } else {
        format!(
            "<strong>Graded by the model {}.</strong> Quotations were checked against the answers; judgements \
             were not. Take every score as a suggestion that a person looks at.",
            escape(&model)
        )
    };
    format!("<p class=\"notice\" role=\"note\">{text}</p>\n")
}

fn summary(outcome: &Outcome, max: f64) -> String {
    let scores: Vec<f64> = outcome.graded.iter().map(score).collect();
    let again = outcome.review.regraded.iter();
    let waiting = again.filter(|one| one.waits).count();
    let flagged = outcome
        .graded
        .iter()
        .filter(|one| !doubts(one).is_empty())
        .count();
    let fact = |value: &str, what: &str| format!("<div><dt>{what}</dt><dd>{value}</dd></div>\n");
    let facts = [
        fact(&number(mean(&scores)), "mean score"),
        fact(&number(median(&scores)), "median score"),
        fact(
            &outcome.quotes.checked.to_string(),
            "quotations, all verified",
        ),
        fact(&flagged.to_string(), "with doubts of their own"),
        fact(&waiting.to_string(), "still wait for a person"),
    ];
    format!(
        "<section aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>\n\
         <dl class=\"facts\">\n{}</dl>\n<div class=\"figures\">\n\
         <figure><figcaption>Scores, out of {}</figcaption>{}</figure>\n\
         <figure><figcaption>Score by the teacher’s level</figcaption>{}</figure>\n</div>\n</section>\n",
        facts.concat(),
        number(max),
        histogram(&scores, max),
        by_level(&levels(outcome), max)
    )
}

fn score(one: &Graded) -> f64 {
    one.grade.score.0.to_number()
}

/// The teacher's levels, in the rubric's order, with the scores that the answers got.
fn levels(outcome: &Outcome) -> Vec<LevelScores> {
    let answers: Vec<&Answer> = outcome.graded.iter().map(|one| &one.answer).collect();
    let known: Vec<String> = criteria(&outcome.assignment)
        .first()
        .map(|criterion| {
            criterion
                .levels
                .iter()
                .map(|level| level.label.clone())
                .collect()
        })
        .unwrap_or_default();
    let of_level = |label: String| {
        let has = |one: &&Graded| one.answer.teacher_level == label;
        let scores = outcome.graded.iter().filter(has).map(score).collect();
        LevelScores { label, scores }
    };
    Input::levels(&answers, &known)
        .into_iter()
        .map(of_level)
        .collect()
}

fn task(outcome: &Outcome, criteria: &[Criterion]) -> String {
    let rows: String = criteria
        .iter()
        .enumerate()
        .map(|(place, criterion)| {
            format!(
                "<li>{} <strong>{}</strong> <span class=\"quiet\">weight {}</span><br>{}</li>\n",
                tag(place),
                escape(&criterion.name),
                number(criterion.weight),
                escape(&criterion.description)
            )
        })
        .collect::<Vec<String>>()
        .concat();
    format!(
        "<details class=\"task\">\n<summary>The task and its rubric</summary>\n\
         <div class=\"prose\" lang=\"{}\">{}</div>\n<ul class=\"plain\">\n{rows}</ul>\n</details>\n",
        escape(&outcome.course.language),
        escape(&outcome.assignment.instructions)
    )
}

fn overview(outcome: &Outcome, criteria: &[Criterion], max: f64) -> String {
    let heads: String = criteria
        .iter()
        .enumerate()
        .map(|(place, criterion)| {
            let (tag, name) = (tag(place), escape(&criterion.name));
            format!(
                "<th scope=\"col\" title=\"{name}\">{tag}<span class=\"vh\"> {name}</span></th>"
            )
        })
        .collect::<Vec<String>>()
        .concat();
    let rows: String = (1..)
        .zip(&outcome.graded)
        .map(|(number, one)| row(number, one, criteria, max))
        .collect();
    format!(
        "<section aria-labelledby=\"overview-title\">\n<h2 id=\"overview-title\">Overview</h2>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"overview-title\">\n<table>\n\
         <thead><tr><th scope=\"col\">Student</th><th scope=\"col\">Teacher</th><th scope=\"col\">Score</th>\
         {heads}<th scope=\"col\">Doubts</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n</section>\n"
    )
}

fn row(place: usize, one: &Graded, criteria: &[Criterion], max: f64) -> String {
    let cells: String = criteria
        .iter()
        .map(|criterion| {
            let result = result_of(&one.grade, criterion);
            let points = result.map_or_else(|| "–".to_owned(), |result| result.score.0.to_string());
            format!("<td class=\"points\">{points}</td>")
        })
        .collect::<Vec<String>>()
        .concat();
    let doubts: Vec<String> = doubts(one)
        .iter()
        .map(|code| escape(&reason(code)))
        .collect();
    let held = if is_held(one) {
        "<span class=\"chip warn\">held back</span> "
    } else {
        ""
    };
    let score = score(one);
    format!(
        "<tr><th scope=\"row\"><a href=\"#answer-{place}\">{}</a></th><td>{}</td>\
         <td class=\"score-cell\"><span class=\"score-bar\" style=\"--share:{:.1}%\"></span>{}</td>{cells}\
         <td class=\"doubts\">{held}{}</td></tr>\n",
        escape(&one.answer.name),
        escape(&one.answer.teacher_level),
        100.0 * score / max.max(f64::MIN_POSITIVE),
        number(score),
        doubts.join(", ")
    )
}

/// What makes this answer doubtful, beyond what is said of all of them.
fn doubts(one: &Graded) -> Vec<&str> {
    let reasons = one.submission.review_reasons.iter().map(String::as_str);
    reasons.filter(|code| *code != EVERYWHERE).collect()
}

/// Whether it was held back for doubts of its own, and not only until the teacher had graded a few.
fn is_held(one: &Graded) -> bool {
    one.submission.status == "in_review" && !doubts(one).is_empty()
}

fn legend(criteria: &[Criterion]) -> String {
    let entries: String = criteria
        .iter()
        .enumerate()
        .map(|(place, criterion)| {
            let (tag, colour, name) = (tag(place), colour(place), escape(&criterion.name));
            format!("<li>{tag}<mark class=\"{colour}\">{name}</mark></li>\n")
        })
        .collect::<Vec<String>>()
        .concat();
    format!("<ul class=\"legend\" aria-label=\"Evidence by criterion\">\n{entries}</ul>\n")
}

fn article(place: usize, one: &Graded, criteria: &[Criterion], language: &str) -> String {
    let judged: String = criteria
        .iter()
        .enumerate()
        .map(|(place, criterion)| judgement(place, one, criterion))
        .collect();
    let empty = one.answer.text.trim().is_empty();
    let text = marked(&one.answer.text, &spans(one, criteria));
    let text = if empty {
        "<em>An empty answer.</em>".to_owned()
    } else {
        text
    };
    format!(
        "<article id=\"answer-{place}\" aria-labelledby=\"name-{place}\">\n<header>\n<div>\n\
         <h3 id=\"name-{place}\">{}</h3>\n<p class=\"quiet\">{} · the teacher says {}</p>\n</div>\n\
         <p class=\"score\"><strong>{}</strong> <span>of {}</span></p>\n</header>\n{}\
         <div class=\"columns\">\n<div class=\"prose answer\" lang=\"{}\">{text}</div>\n\
         <ol class=\"plain judged\">\n{judged}</ol>\n</div>\n\
         <div class=\"feedback\"><h4>Feedback for the student</h4>\n<div class=\"prose\">{}</div></div>\n{}</article>\n",
        escape(&one.answer.name),
        escape(&one.answer.email),
        escape(&one.answer.teacher_level),
        number(score(one)),
        number(one.grade.max_score.0.to_number()),
        flags(one),
        escape(language),
        escape(&one.grade.feedback),
        signed(one)
    )
}

fn spans(one: &Graded, criteria: &[Criterion]) -> Vec<Span> {
    let of = |(place, criterion): (usize, &Criterion)| {
        let evidence = result_of(&one.grade, criterion).map(|result| result.evidence.clone());
        evidence
            .unwrap_or_default()
            .into_iter()
            .map(move |found| Span {
                start: found.start,
                end: found.end,
                criterion: place,
            })
    };
    criteria.iter().enumerate().flat_map(of).collect()
}

fn judgement(place: usize, one: &Graded, criterion: &Criterion) -> String {
    let name = escape(&criterion.name);
    let Some(result) = result_of(&one.grade, criterion) else {
        return format!(
            "<li>{} <strong>{name}</strong> was not judged</li>\n",
            tag(place)
        );
    };
    let (points, max) = (result.score.0.to_number(), result.max_score.0.to_number());
    let level = criterion.label(result);
    let level = if level.is_empty() {
        String::new()
    } else {
        format!("<span class=\"chip\">{}</span> ", escape(level))
    };
    let quotes = match result.evidence.len() {
        0 => "no quotation".to_owned(),
        1 => "1 quotation".to_owned(),
        many => format!("{many} quotations"),
    };
    let confidence = result.confidence.map_or_else(String::new, |confidence| {
        format!(" · confidence {:.0} %", confidence * 100.0)
    });
    format!(
        "<li class=\"{}\"><div class=\"criterion\">{} <strong>{name}</strong> {level}\
         <span class=\"of\">{} of {}</span></div>\n\
         <div class=\"meter\" style=\"--share:{:.1}%\" aria-hidden=\"true\"></div>\n\
         <p>{}</p>\n<p class=\"quiet\">{} · {quotes}{confidence}</p></li>\n",
        colour(place),
        tag(place),
        number(points),
        number(max),
        100.0 * points / max.max(f64::MIN_POSITIVE),
        escape(&result.rationale),
        letter(place),
    )
}

fn flags(one: &Graded) -> String {
    let doubts = doubts(one);
    let held = is_held(one);
    if doubts.is_empty() && !held {
        return String::new();
    }
    let chips = doubts
        .iter()
        .map(|code| format!("<li class=\"chip warn\">{}</li>", escape(&reason(code))));
    let held =
        held.then(|| "<li class=\"chip warn\">Held back until a person approves</li>".to_owned());
    let chips: Vec<String> = held.into_iter().chain(chips).collect();
    format!(
        "<ul class=\"flags\" aria-label=\"Reasons for a person to look\">{}</ul>\n",
        chips.concat()
    )
}

/// Who graded, at each answer: pages get torn apart.
fn signed(one: &Graded) -> String {
    let grader = &one.grade.grader;
    let model = escape(grader.model.as_deref().unwrap_or_default());
    let version = escape(grader.prompt_version.as_deref().unwrap_or_default());
    let who = if grader.kind == "built_in" {
        format!(
            "Graded by the built-in word matching ({model}, {version}), not by a language model"
        )
    } else {
        format!("Graded by the model {model} ({version})")
    };
    let id = escape(&one.submission.id);
    format!("<p class=\"signed\">{who}. <span class=\"mono\">{id}</span></p>\n")
}

fn footer(outcome: &Outcome) -> String {
    format!(
        "<footer>\n<p>Made by <span class=\"mono\">lyceum demo</span> on {}. The people and the incident are \
         invented. Course <span class=\"mono\">{}</span>, assignment <span class=\"mono\">{}</span>.</p>\n</footer>\n",
        SystemClock
            .now()
            .to_string()
            .chars()
            .take(10)
            .collect::<String>(),
        escape(&outcome.course.id),
        escape(&outcome.assignment.id)
    )
}
