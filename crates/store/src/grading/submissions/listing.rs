//! Which rows lists of submissions are, and how they are gone through.

use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{ListedGrade, ReviewStatus, SubmissionStatus};
use lyceum_domain::ids::UserId;
use lyceum_ports::grading::submissions::{AiGraded, GradeFilter, SubmissionFilter};
use lyceum_ports::page::SortBy;
use serde_json::json;

use crate::mapping::conditions::Condition;
use crate::prelude::*;

/// Who judged, in a word, and behind it the member who gave the grade or let it stand: one column of what two filters ask for.
pub(super) fn grader(grade: ListedGrade) -> String {
    match grade.decided_by {
        None => grade.by.to_string(),
        Some(user) => by_member(grade.by, user),
    }
}

fn by_member(by: GradeSource, user: UserId) -> String {
    format!("{by} {user}")
}

/// Of several that are wanted, that of which there are the fewest comes first.
pub(super) fn walk<'a>(
    workspace: WorkspaceId,
    filter: &SubmissionFilter,
    page: &'a PageRequest,
) -> Walk<'a, ids::Submission> {
    let review = filter.review_status.map(ReviewStatus::as_str);
    Walk::<ids::Submission>::over("submissions", workspace, page)
        .along("user_id", filter.user_id)
        .along("assignment_id", filter.assignment_id)
        .along("cohort_id", filter.cohort_id)
        .along("course_id", filter.course_id)
        .along("status", filter.status.map(SubmissionStatus::as_str))
        .along("ai_status", filter.ai_status.as_ref())
        .along("review_status", review)
        .of_many(filter.user_id.is_none())
        .within(SortBy::Graded, bounds("", &filter.grade))
        .sifting(filter.ai_graded.is_some() || filter.review_reason.is_some())
        .sifting(sifts(&filter.grade))
}

/// Whether anything but when it was given is asked of a grade.
const fn sifts(grade: &GradeFilter) -> bool {
    grade.by.is_some() || grade.decided_by.is_some() || grade.is_out
}

/// Bounds of when a grade was given; `free` keeps them from an index.
fn bounds(free: &str, grade: &GradeFilter) -> Vec<Condition> {
    let since = grade.since.map(|moment| (">=", moment));
    let before = grade.before.map(|moment| ("<", moment));
    let both = since.into_iter().chain(before);
    both.map(|(operator, moment)| at(free, "graded_at", (operator, moment)))
        .collect()
}

/// What must hold for a row to be in the list. SQLite follows the index of one condition alone, and may choose one that leads through far
/// more rows than a page looks at: what is not gone along is kept from its index by a `+`.
pub(super) fn conditions(
    conn: &AnyConnection,
    filter: &SubmissionFilter,
    page: &PageRequest,
) -> Vec<Condition> {
    let by = page.sort.map(|sort| sort.by);
    let goes_by_grade = matches!(by, Some(SortBy::Graded | SortBy::Decided | SortBy::Score));
    let free = |is_followed: bool| match conn {
        AnyConnection::Sqlite(_) if !is_followed => "+",
        AnyConnection::Sqlite(_) | AnyConnection::Postgres(_) => "",
    };
    let free_words = free(!goes_by_grade || filter.user_id.is_some());
    let words = words(filter).into_iter().filter_map(|(column, value)| {
        let equal = Condition::steady(format!("{free_words}submissions.{column} = "));
        value.map(|value| equal.then_text(value))
    });
    words
        .chain(filter.ai_graded.map(ai_graded))
        .chain(filter.review_reason.map(|reason| because(conn, reason)))
        .chain(bounds(free(by == Some(SortBy::Graded)), &filter.grade))
        .chain(graded(&filter.grade))
        .collect()
}

/// What columns of words and ids must be.
fn words(filter: &SubmissionFilter) -> [(&'static str, Option<String>); 7] {
    let review = filter.review_status.map(|status| status.to_string());
    [
        ("user_id", filter.user_id.map(|id| id.to_string())),
        (
            "assignment_id",
            filter.assignment_id.map(|id| id.to_string()),
        ),
        ("cohort_id", filter.cohort_id.map(|id| id.to_string())),
        ("course_id", filter.course_id.map(|id| id.to_string())),
        ("status", filter.status.map(|status| status.to_string())),
        ("ai_status", filter.ai_status.clone()),
        ("review_status", review),
    ]
}

fn ai_graded(when: AiGraded) -> Condition {
    match when {
        AiGraded::Ever => Condition::steady("submissions.ai_graded_at IS NOT NULL"),
        AiGraded::Before(moment) => at("", "ai_graded_at", ("<", moment)),
        AiGraded::Since(moment) => at("", "ai_graded_at", (">=", moment)),
    }
}

fn at(free: &str, column: &str, (operator, moment): (&str, Timestamp)) -> Condition {
    let text = format!("{free}submissions.{column} {operator} ");
    Condition::steady(text).then_moment(moment.into())
}

/// Nobody is told why what waits for a blind grade should be looked at.
fn because(conn: &AnyConnection, reason: &str) -> Condition {
    let among = match conn {
        AnyConnection::Postgres(_) => {
            Condition::steady("submissions.review_reasons @> ").then_document(Json(json!([reason])))
        }
        AnyConnection::Sqlite(_) => Condition::steady(
            "EXISTS (SELECT 1 FROM json_each(submissions.review_reasons) AS reason WHERE reason.value = ",
        )
        .then_text(reason.to_owned())
        .and_sql(")"),
    };
    among.and_sql(" AND submissions.blind <> 'awaited'")
}

fn graded(grade: &GradeFilter) -> Vec<Condition> {
    let by = grade.by.map(|by| {
        let word = by.as_str();
        let length = word.len();
        Condition::steady(format!(
            "substr(submissions.grader, 1, {length}) = '{word}'"
        ))
    });
    let decided_by = grade.decided_by.map(|user| {
        Condition::steady("submissions.grader IN (")
            .then_text(by_member(GradeSource::Ai, user))
            .and_sql(", ")
            .then_text(by_member(GradeSource::Human, user))
            .and_sql(")")
    });
    let is_out = SubmissionStatus::ALL
        .iter()
        .filter(|status| grade.is_out && !status.shows_grade());
    let is_out =
        is_out.map(|hidden| Condition::steady(format!("submissions.status <> '{hidden}'")));
    by.into_iter().chain(decided_by).chain(is_out).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_for_who_judged_begins_another() {
        for one in GradeSource::ALL {
            let others = GradeSource::ALL.iter().filter(|other| *other != one);
            assert_eq!(
                others
                    .filter(|other| other.as_str().starts_with(one.as_str()))
                    .count(),
                0
            );
        }
    }
}
