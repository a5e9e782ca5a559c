//! The part of the report that people's grades, their explanation and the tutor have.

use super::html::escape;
use super::outcome::Outcome;
use super::review::{Explained, Regraded, Review};
use super::tutoring::Talk;
use super::words::number;

/// Calibration, explanation, tutor and receipts, one section each.
pub fn sections(outcome: &Outcome) -> String {
    [
        calibration(outcome, &outcome.review),
        explanation(outcome, &outcome.explained),
        tutor(&outcome.talks),
        receipts(outcome.records),
    ]
    .concat()
}

fn section(id: &str, title: &str, body: &str) -> String {
    format!(
        "<section aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n{body}</section>\n"
    )
}

fn calibration(outcome: &Outcome, review: &Review) -> String {
    let rows: String = review
        .regraded
        .iter()
        .map(|one| row(outcome, one))
        .collect();
    let distances = review.distances().map_or_else(String::new, |(before, after)| {
        format!(
            " The mean distance from the teacher’s level was <strong>{}</strong> points before and \
             <strong>{}</strong> after.",
            number(before),
            number(after)
        )
    });
    let body = format!(
        "<p>The teacher graded {} of the {} answers by the rubric. These grades stand, and calibrated a second run \
         over the others.{distances} A few answers to one task show how calibration works; they are no measure of how well \
         it works elsewhere.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-labelledby=\"calibration-title\">\n<table>\n<thead><tr><th scope=\"col\">Student</th>\
         <th scope=\"col\">Teacher</th><th scope=\"col\">Level’s score</th><th scope=\"col\">Before</th>\
         <th scope=\"col\">After</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        review.by_hand.len(),
        outcome.graded.len()
    );
    section(
        "calibration",
        "Calibrated by the teacher’s own grades",
        &body,
    )
}

fn row(outcome: &Outcome, one: &Regraded) -> String {
    let answer = outcome.graded.get(one.place).map(|graded| &graded.answer);
    let (name, level) = answer.map_or(("", ""), |answer| {
        (answer.name.as_str(), answer.teacher_level.as_str())
    });
    let teacher = one.teacher.map_or_else(|| "–".to_owned(), number);
    format!(
        "<tr><th scope=\"row\"><a href=\"#answer-{}\">{}</a></th><td>{}</td><td class=\"points\">{teacher}</td>\
         <td class=\"points\">{}</td><td class=\"points\">{}</td></tr>\n",
        one.place + 1,
        escape(name),
        escape(level),
        number(one.before),
        number(one.grade.score.0.to_number())
    )
}

fn explanation(outcome: &Outcome, explained: &Explained) -> String {
    let graded = outcome.graded.get(explained.place);
    let name = graded.map_or("", |graded| graded.answer.name.as_str());
    let body = format!(
        "<p>The teacher’s grade of <a href=\"#answer-{}\">{}</a>, explained by {}. Points come from the grade, and \
         quotations were looked up in the answer; nothing about the grade changed.</p>\n\
         <div class=\"prose\">{}</div>\n",
        explained.place + 1,
        escape(name),
        escape(&explained.model),
        escape(&explained.rationale)
    );
    section("explained", "A person’s grade, explained", &body)
}

fn tutor(talks: &[Talk]) -> String {
    let turns: String = talks.iter().map(turn).collect();
    let body = format!(
        "<p>The second question is one of a quiz; the tutor helps and does not answer it.</p>\n\
         <ol class=\"plain\">\n{turns}</ol>\n"
    );
    section("tutor", "Asking the tutor", &body)
}

fn turn(talk: &Talk) -> String {
    let turn = &talk.turn;
    let cited = turn.citations.iter();
    let cited = cited.map(|citation| format!("<li><q>{}</q></li>\n", escape(&citation.quote)));
    let citations = cited.collect::<Vec<_>>().concat();
    let citations = if citations.is_empty() {
        String::new()
    } else {
        format!(
            "<p class=\"quiet\">Cited from the course:</p>\n<ul class=\"plain\">\n{citations}</ul>\n"
        )
    };
    format!(
        "<li><p class=\"quiet\">{}</p>\n<p><strong>Student:</strong> {}</p>\n<div class=\"prose\"><strong>Tutor</strong> \
         <span class=\"chip\">{}</span>\n{}</div>\n{citations}</li>\n",
        escape(&talk.lesson),
        escape(&turn.question),
        escape(&turn.act),
        escape(&turn.message)
    )
}

fn receipts(records: u64) -> String {
    let body = format!(
        "<p>Each of the {records} grade records commits by hash to the answer, the rubric, the prompt or algorithm, the \
         model, what it said, and the record before it. All chains were recomputed and hold.</p>\n"
    );
    section("receipts", "Grade receipts", &body)
}
