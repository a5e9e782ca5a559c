//! What belongs together: ways up the tree that must meet.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::always(
        "I13.lesson_in_another_course",
        "A lesson is in the course of its unit.",
        Sql::Both(
            "SELECT l.id AS id FROM lessons l JOIN units u \
             ON u.workspace_id = l.workspace_id AND u.id = l.unit_id WHERE u.course_id <> l.course_id",
        ),
    ),
    Invariant::always(
        "I13.activity_in_another_course",
        "An activity is in the course of its lesson.",
        Sql::Both(
            "SELECT a.id AS id FROM activities a JOIN lessons l \
             ON l.workspace_id = a.workspace_id AND l.id = a.lesson_id WHERE l.course_id <> a.course_id",
        ),
    ),
    Invariant::always(
        "I13.submission_in_another_course",
        "A submission is found by the course of its assignment.",
        Sql::Both(
            "SELECT s.id AS id FROM submissions s JOIN assignments a \
             ON a.workspace_id = s.workspace_id AND a.id = s.assignment_id WHERE a.course_id <> s.course_id",
        ),
    ),
    Invariant::always(
        "I13.course_shown_otherwise",
        "A course is shown with its newest cohorts and its newest generation.",
        Sql::Each {
            // No aggregate of SQLite's promises an order: the newest and how much there is of them tell as much.
            sqlite: "SELECT c.id AS id FROM courses c JOIN courses_show s \
                     ON s.workspace_id = c.workspace_id AND s.id = c.id \
                     WHERE s.generation <> c.shown_generation OR length(s.cohorts) <> length(c.shown_cohorts) \
                     OR EXISTS (SELECT 1 FROM cohorts o WHERE o.workspace_id = c.workspace_id AND o.course_id = c.id \
                     AND instr(s.cohorts, o.id) > 0 AND instr(c.shown_cohorts, o.id) = 0)",
            postgres: "SELECT c.id AS id FROM courses c JOIN courses_show s \
                       ON s.workspace_id = c.workspace_id AND s.id = c.id \
                       WHERE (s.cohorts, s.generation) <> (c.shown_cohorts, c.shown_generation)",
        },
    ),
    Invariant::always(
        "I13.job_in_another_workspace",
        "A job works on what is in its own workspace.",
        Sql::Both(
            "SELECT j.id AS id FROM jobs j JOIN submissions s ON s.id = j.subject_id \
             WHERE s.workspace_id <> j.workspace_id AND NOT EXISTS (SELECT 1 FROM submissions o \
             WHERE o.id = j.subject_id AND o.workspace_id = j.workspace_id) \
             UNION ALL SELECT j.id AS id FROM jobs j JOIN scorm_packages p ON p.id = j.subject_id \
             WHERE p.workspace_id <> j.workspace_id AND NOT EXISTS (SELECT 1 FROM scorm_packages o \
             WHERE o.id = j.subject_id AND o.workspace_id = j.workspace_id)",
        ),
    ),
];
