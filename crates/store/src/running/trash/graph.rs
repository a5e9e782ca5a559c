//! What hangs on what: the one list by which things go into the trash and come back.
//!
//! A test holds it against the references of both databases: whoever adds a table that hangs on one of these decides
//! whether it goes along.

use lyceum_domain::running::trash::TrashPart;

/// A table whose rows go into the trash.
pub struct Node {
    pub part: TrashPart,
    /// What its rows hang on.
    pub parents: &'static [Edge],
    /// The column that says whose work a row is, if it says so; else it is that of what the row hangs on.
    pub owner: Option<&'static str>,
    /// The column that names a file.
    pub file: Option<&'static str>,
    /// Which rows go along; empty for all of them.
    pub only: &'static str,
}

/// By which column a row hangs on which part.
pub struct Edge {
    pub column: &'static str,
    pub parent: TrashPart,
    pub kind: EdgeKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// The way by which rows are found.
    Way,
    /// A way that leads to no row that another way does not.
    Implied,
    /// A way that the database does not know of: rows may lead nowhere by it.
    Loose,
}

use EdgeKind::{Implied, Loose, Way};
use TrashPart::{
    Activities, Assignments, Attempts, BatchItems, Batches, CertificateAnswers, CertificateRecords,
    Certificates, Cohorts, Courses, DueOverrides, Enrollments, GenerationPieces, Grades, Jobs,
    LessonCompletions, Lessons, MediaFiles, PinnedContents, ScormLearners, ScormPackages,
    Submissions, TutorTurns, Units, Users, Versions, WaitingChanges,
};

const fn edge(column: &'static str, parent: TrashPart, kind: EdgeKind) -> Edge {
    Edge {
        column,
        parent,
        kind,
    }
}

const fn node(part: TrashPart, parents: &'static [Edge]) -> Node {
    Node {
        part,
        parents,
        owner: None,
        file: None,
        only: "",
    }
}

const fn work(part: TrashPart, parents: &'static [Edge]) -> Node {
    Node {
        owner: Some("user_id"),
        ..node(part, parents)
    }
}

/// Parents before what hangs on them, as the parts stand.
pub const NODES: &[Node] = &[
    node(Courses, &[]),
    node(Units, &[edge("course_id", Courses, Way)]),
    node(
        Lessons,
        &[
            edge("unit_id", Units, Way),
            edge("course_id", Courses, Implied),
        ],
    ),
    Node {
        file: Some("recording"),
        ..node(
            Activities,
            &[
                edge("lesson_id", Lessons, Way),
                edge("course_id", Courses, Implied),
            ],
        )
    },
    node(Cohorts, &[edge("course_id", Courses, Way)]),
    Node {
        owner: Some("id"),
        ..node(Users, &[])
    },
    node(
        Assignments,
        &[
            edge("course_id", Courses, Way),
            edge("unit_id", Units, Way),
            edge("lesson_id", Lessons, Way),
        ],
    ),
    work(
        Enrollments,
        &[edge("cohort_id", Cohorts, Way), edge("user_id", Users, Way)],
    ),
    node(
        Versions,
        &[
            edge("lesson_id", Lessons, Way),
            edge("activity_id", Activities, Way),
            edge("assignment_id", Assignments, Way),
        ],
    ),
    node(
        GenerationPieces,
        &[
            edge("course_id", Courses, Way),
            edge("unit_id", Units, Way),
            edge("lesson_id", Lessons, Way),
            edge("activity_id", Activities, Way),
        ],
    ),
    node(
        WaitingChanges,
        &[
            edge("course_id", Courses, Way),
            edge("unit_id", Units, Way),
            edge("lesson_id", Lessons, Way),
            edge("activity_id", Activities, Way),
            edge("assignment_id", Assignments, Way),
        ],
    ),
    node(
        PinnedContents,
        &[
            edge("cohort_id", Cohorts, Way),
            edge("unit_id", Units, Way),
            edge("lesson_id", Lessons, Way),
            edge("activity_id", Activities, Way),
            edge("assignment_id", Assignments, Way),
        ],
    ),
    work(
        DueOverrides,
        &[
            edge("assignment_id", Assignments, Way),
            edge("cohort_id", Cohorts, Way),
            edge("user_id", Users, Way),
        ],
    ),
    Node {
        file: Some("origin_id"),
        ..node(ScormPackages, &[edge("cohort_id", Cohorts, Way)])
    },
    // The package they came with may be gone: its learners come back with the next one.
    work(
        ScormLearners,
        &[edge("cohort_id", Cohorts, Way), edge("user_id", Users, Way)],
    ),
    work(
        Submissions,
        &[
            edge("assignment_id", Assignments, Way),
            edge("cohort_id", Cohorts, Way),
            edge("user_id", Users, Way),
        ],
    ),
    node(Grades, &[edge("submission_id", Submissions, Way)]),
    node(Certificates, &[edge("assignment_id", Assignments, Way)]),
    node(
        CertificateAnswers,
        &[edge("certificate_id", Certificates, Way)],
    ),
    node(
        CertificateRecords,
        &[edge("certificate_id", Certificates, Way)],
    ),
    node(Batches, &[edge("assignment_id", Assignments, Way)]),
    node(
        BatchItems,
        &[
            edge("batch_id", Batches, Way),
            edge("submission_id", Submissions, Way),
        ],
    ),
    work(
        Attempts,
        &[
            edge("activity_id", Activities, Way),
            edge("course_id", Courses, Implied),
            edge("user_id", Users, Way),
        ],
    ),
    work(
        LessonCompletions,
        &[
            edge("lesson_id", Lessons, Way),
            edge("course_id", Courses, Implied),
            edge("user_id", Users, Way),
        ],
    ),
    work(
        TutorTurns,
        &[edge("lesson_id", Lessons, Way), edge("user_id", Users, Way)],
    ),
    Node {
        file: Some("id"),
        ..node(MediaFiles, &[])
    },
    // What was to be done goes on when it comes back; what has been done is told by its subject.
    Node {
        only: "t.state IN ('queued', 'running')",
        ..node(
            Jobs,
            &[
                edge("subject_id", Submissions, Loose),
                edge("subject_id", ScormPackages, Loose),
                edge("subject_id", Certificates, Loose),
                edge("subject_id", Batches, Loose),
                edge("subject_id", MediaFiles, Loose),
            ],
        )
    },
];

/// Tables that refer to one of the parts, or name one, and do not go along: why.
#[cfg(test)]
pub const STAYING: &[(&str, &str)] = &[
    ("access_stamps", "of the service"),
    ("ai_calls", "what was spent is spent"),
    ("ai_budget_turns", "of workspaces"),
    ("ai_reservations", "of calls that are being made"),
    (
        "api_keys",
        "sessions and keys made for a member end; other keys are their person's",
    ),
    ("audit_entries", "who did what is kept for ever"),
    (
        "bulk_writes",
        "what was asked for by the hundred, and what came of it, forgotten within a week",
    ),
    ("counters", "of the service"),
    (
        "digests",
        "a setting: whoever is a member again asks for mails anew",
    ),
    ("events", "what happened has happened"),
    ("generation_steps", "of generations"),
    (
        "generations",
        "what was asked for, and what it took; one that is under way is called off",
    ),
    (
        "idempotency_replies",
        "an answer that was given stays given",
    ),
    ("limit_buckets", "of the service"),
    (
        "login_tokens",
        "good for ten minutes, and sessions end with a membership",
    ),
    ("mails", "sent or given up within a day"),
    (
        "media_uploads",
        "files that are not whole yet, forgotten within a day",
    ),
    ("nodes", "of the service"),
    ("people", "a person is more than a membership"),
    ("passkey_ceremonies", "of people, and good for five minutes"),
    ("passkeys", "of people"),
    ("service_secrets", "of the service"),
    (
        "sign_in_links",
        "of people, and good for a quarter of an hour",
    ),
    ("sso_connections", "settings"),
    ("sso_domains", "of workspaces"),
    (
        "sso_identities",
        "of people: whoever is a member again signs in as before",
    ),
    ("sso_sessions", "of sessions, which end by themselves"),
    ("sso_sign_ins", "of nobody yet, and good for ten minutes"),
    ("storage_use", "of workspaces"),
    ("trash", "the trash itself"),
    ("trash_rows", "the trash itself"),
    ("unwanted_files", "of workspaces that are gone"),
    ("user_erasures", "the receipt outlives what it is about"),
    ("webhook_deliveries", "of events"),
    ("webhook_endpoints", "settings"),
    ("workspaces", "what everything is in"),
];

/// The node of a part.
pub fn node_of(part: TrashPart) -> Option<&'static Node> {
    NODES.iter().find(|node| node.part == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use diesel::prelude::*;
    use diesel::sql_types::Text;

    use crate::upkeep::migrate;

    #[test]
    fn parents_stand_before_what_hangs_on_them() {
        let parts: Vec<TrashPart> = NODES.iter().map(|node| node.part).collect();
        assert_eq!(parts, TrashPart::ALL);
        for (at, node) in NODES.iter().enumerate() {
            for edge in node.parents {
                let parent = parts.iter().position(|part| *part == edge.parent);
                assert!(parent.unwrap() < at, "{} {}", node.part, edge.column);
            }
        }
    }

    #[derive(QueryableByName)]
    struct Reference {
        #[diesel(sql_type = Text)]
        child: String,
        #[diesel(sql_type = Text)]
        columns: String,
        #[diesel(sql_type = Text)]
        parent: String,
    }

    #[derive(QueryableByName)]
    struct Named {
        #[diesel(sql_type = Text)]
        name: String,
    }

    fn empty() -> (tempfile::TempDir, SqliteConnection) {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("lyceum.db");
        let mut connection = crate::database::sqlite::connect(&file, false).unwrap();
        migrate::sqlite(&mut connection).unwrap();
        (folder, connection)
    }

    #[test]
    fn every_table_goes_along_or_is_said_to_stay() {
        let (_folder, mut connection) = empty();
        let tables = diesel::sql_query(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
             AND name NOT LIKE '\\_\\_%' ESCAPE '\\'",
        );
        let tables = tables.load::<Named>(&mut connection).unwrap();
        let tables: BTreeSet<String> = tables.into_iter().map(|table| table.name).collect();
        let going = NODES.iter().map(|node| node.part.as_str().to_owned());
        let staying = STAYING.iter().map(|(table, _)| (*table).to_owned());
        let known: Vec<String> = going.chain(staying).collect();
        assert_eq!(
            tables,
            known.iter().cloned().collect(),
            "say in the graph of the trash whether this table goes along"
        );
        assert_eq!(tables.len(), known.len(), "a table is named twice");
    }

    #[test]
    fn every_reference_to_what_goes_is_a_way() {
        let (_folder, mut connection) = empty();
        let references = diesel::sql_query(
            "SELECT m.name AS child, group_concat(f.\"from\", ' ') AS columns, f.\"table\" AS parent \
             FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' \
             GROUP BY m.name, f.id",
        );
        let references = references.load::<Reference>(&mut connection).unwrap();
        assert!(references.len() > 40, "{}", references.len());
        let parts: BTreeSet<&str> = NODES.iter().map(|node| node.part.as_str()).collect();
        let mut known = 0;
        for Reference {
            child,
            columns,
            parent,
        } in references
        {
            if !parts.contains(parent.as_str()) || STAYING.iter().any(|(name, _)| *name == child) {
                continue;
            }
            let column = columns.split(' ').find(|name| *name != "workspace_id");
            let node = NODES.iter().find(|node| node.part.as_str() == child);
            let edges = node.map(|node| node.parents).unwrap_or_default();
            let known_way = edges.iter().any(|edge| {
                Some(edge.column) == column && edge.parent.as_str() == parent && edge.kind != Loose
            });
            assert!(known_way, "{child} hangs on {parent} by {columns}");
            known += 1;
        }
        let ways = NODES.iter().flat_map(|node| node.parents);
        assert_eq!(ways.filter(|edge| edge.kind != Loose).count(), known);
    }
}
