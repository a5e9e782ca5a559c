//! Grades: one per run, within bounds.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::always(
        "I7.run_graded_twice",
        "A grading run has one result.",
        Sql::Both(
            "SELECT submission_id AS id FROM grades WHERE run > 0 \
             GROUP BY workspace_id, submission_id, run HAVING count(*) > 1",
        ),
    ),
    Invariant::always(
        "I7.run_not_asked_for",
        "No result is of a run that was not asked for.",
        Sql::Both(
            "SELECT g.id AS id FROM grades g JOIN submissions s \
             ON s.workspace_id = g.workspace_id AND s.id = g.submission_id WHERE g.run > s.run",
        ),
    ),
    Invariant::always(
        "I7.ready_without_grade",
        // Whose student was erased has no text any more, and asks for a run that nobody makes.
        "A run that landed has its record.",
        Sql::Both(
            "SELECT s.id AS id FROM submissions s WHERE s.ai_status = 'ready' AND s.content <> '' AND NOT EXISTS (\
             SELECT 1 FROM grades g WHERE g.workspace_id = s.workspace_id AND g.submission_id = s.id \
             AND g.run = s.run)",
        ),
    ),
    Invariant::always(
        "I7.grade_of_another_assignment",
        "A grade is found by the assignment that its submission was handed in for.",
        Sql::Both(
            "SELECT g.id AS id FROM grades g JOIN submissions s \
             ON s.workspace_id = g.workspace_id AND s.id = g.submission_id \
             WHERE g.assignment_id <> s.assignment_id",
        ),
    ),
    Invariant::always(
        "I10.grade_out_of_bounds",
        "A score is between nothing and the most there is.",
        Sql::Both("SELECT id FROM grades WHERE score < 0 OR score > max_score"),
    ),
    Invariant::always(
        "I10.standing_grade_out_of_bounds",
        "The grade that stands is between nothing and the most there is.",
        Sql::Each {
            sqlite: "SELECT id FROM submissions WHERE grade IS NOT NULL \
                     AND (json_extract(grade, '$.score') < 0 OR json_extract(grade, '$.score') > max_score)",
            postgres: "SELECT id FROM submissions WHERE grade IS NOT NULL \
                       AND ((grade ->> 'score')::bigint < 0 OR (grade ->> 'score')::bigint > max_score)",
        },
    ),
    Invariant::always(
        "I10.criterion_out_of_bounds",
        "The points of a criterion are between nothing and the most that it can give.",
        Sql::Each {
            sqlite: "SELECT DISTINCT g.id AS id FROM grades g, json_each(g.criteria) c \
                     WHERE json_extract(c.value, '$.score') < 0 \
                     OR json_extract(c.value, '$.score') > json_extract(c.value, '$.max_score')",
            postgres: "SELECT DISTINCT g.id AS id FROM grades g, jsonb_array_elements(g.criteria) AS c(value) \
                       WHERE (c.value ->> 'score')::bigint < 0 \
                       OR (c.value ->> 'score')::bigint > (c.value ->> 'max_score')::bigint",
        },
    ),
];
