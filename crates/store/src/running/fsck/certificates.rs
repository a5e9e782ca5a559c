//! What a certificate says agrees with its chain and with the answers that it is about. Whether the chain itself follows from them is for
//! `lyceum verify-grades` to say.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::always(
        "I15.certificate_head",
        "The newest try of an assignment notes the newest record of its chain.",
        Sql::Each {
            sqlite: "SELECT c.id AS id FROM certificates c WHERE NOT EXISTS (\
                     SELECT 1 FROM certificates n WHERE n.workspace_id = c.workspace_id \
                     AND n.assignment_id = c.assignment_id AND n.id > c.id) \
                     AND (json_extract(c.document, '$.head_sequence') <> (\
                     SELECT coalesce(max(r.sequence), 0) FROM certificate_records r \
                     WHERE r.workspace_id = c.workspace_id AND r.assignment_id = c.assignment_id) \
                     OR EXISTS (SELECT 1 FROM certificate_records r WHERE r.workspace_id = c.workspace_id \
                     AND r.assignment_id = c.assignment_id \
                     AND r.sequence = json_extract(c.document, '$.head_sequence') \
                     AND r.hash <> json_extract(c.document, '$.head_hash')))",
            postgres: "SELECT c.id AS id FROM certificates c WHERE NOT EXISTS (\
                       SELECT 1 FROM certificates n WHERE n.workspace_id = c.workspace_id \
                       AND n.assignment_id = c.assignment_id AND n.id > c.id) \
                       AND ((c.document ->> 'head_sequence')::bigint <> (\
                       SELECT coalesce(max(r.sequence), 0) FROM certificate_records r \
                       WHERE r.workspace_id = c.workspace_id AND r.assignment_id = c.assignment_id) \
                       OR EXISTS (SELECT 1 FROM certificate_records r WHERE r.workspace_id = c.workspace_id \
                       AND r.assignment_id = c.assignment_id \
                       AND r.sequence = (c.document ->> 'head_sequence')::bigint \
                       AND r.hash <> c.document ->> 'head_hash'))",
        },
    ),
    Invariant::always(
        "I15.certificate_state",
        "A try stands where its newest record says.",
        // Records are canonical JSON, so that what happened is found by its words alone.
        Sql::Both(
            "SELECT c.id AS id FROM certificates c LEFT JOIN certificate_records r \
             ON r.workspace_id = c.workspace_id AND r.certificate_id = c.id AND NOT EXISTS (\
             SELECT 1 FROM certificate_records n WHERE n.workspace_id = r.workspace_id \
             AND n.certificate_id = r.certificate_id AND n.sequence > r.sequence) \
             WHERE NOT CASE c.state \
             WHEN 'grading' THEN r.id IS NULL \
             WHEN 'testing' THEN coalesce(r.content, '') LIKE '%\"kind\":\"drawn\"%' OR coalesce(r.content, '') LIKE '%\"kind\":\"left\"%' \
             WHEN 'refused' THEN coalesce(r.content, '') LIKE '%\"kind\":\"looked\"%' \
             WHEN 'valid' THEN coalesce(r.content, '') LIKE '%\"kind\":\"issued\"%' OR coalesce(r.content, '') LIKE '%\"kind\":\"audited\"%' \
             WHEN 'paused' THEN coalesce(r.content, '') LIKE '%\"kind\":\"paused\"%' OR coalesce(r.content, '') LIKE '%\"kind\":\"audited\"%' \
             ELSE r.id IS NULL OR r.content LIKE '%\"kind\":\"ended\"%' END",
        ),
    ),
    Invariant::always(
        "I15.certificate_counts",
        "A try counts the answers that it is about, and those that came later.",
        Sql::Each {
            sqlite: "SELECT c.id AS id FROM certificates c \
                     WHERE json_extract(c.document, '$.declared.size') <> (\
                     SELECT count(*) FROM certificate_answers a WHERE a.workspace_id = c.workspace_id \
                     AND a.certificate_id = c.id AND a.arrived IS NULL) \
                     OR json_extract(c.document, '$.declared.issued.arrived') <> (\
                     SELECT count(*) FROM certificate_answers a WHERE a.workspace_id = c.workspace_id \
                     AND a.certificate_id = c.id AND a.arrived IS NOT NULL)",
            postgres: "SELECT c.id AS id FROM certificates c \
                       WHERE (c.document #>> '{declared,size}')::bigint <> (\
                       SELECT count(*) FROM certificate_answers a WHERE a.workspace_id = c.workspace_id \
                       AND a.certificate_id = c.id AND a.arrived IS NULL) \
                       OR (c.document #>> '{declared,issued,arrived}')::bigint <> (\
                       SELECT count(*) FROM certificate_answers a WHERE a.workspace_id = c.workspace_id \
                       AND a.certificate_id = c.id AND a.arrived IS NOT NULL)",
        },
    ),
    Invariant::always(
        "I15.drawn_without_test",
        "Every answer that was drawn or audited keeps what AI gave, to be held against a blind grade.",
        Sql::Both(
            "SELECT id FROM certificate_answers \
             WHERE (place IS NOT NULL OR fate = 'audited') AND test IS NULL",
        ),
    ),
    Invariant::always(
        "I15.released_without_grade",
        "Whatever went out by a certificate has a grade that says so.",
        // Of a person who was erased nothing says why.
        Sql::Both(
            "SELECT a.id AS id FROM certificate_answers a JOIN submissions s \
             ON s.workspace_id = a.workspace_id AND s.id = a.submission_id \
             WHERE a.fate = 'goes_out' AND NOT EXISTS (\
             SELECT 1 FROM grades g WHERE g.workspace_id = a.workspace_id AND g.submission_id = a.submission_id \
             AND (g.reason = 'released by ' || a.certificate_id OR g.tombstone IS NOT NULL))",
        ),
    ),
];
