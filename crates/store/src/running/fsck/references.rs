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
