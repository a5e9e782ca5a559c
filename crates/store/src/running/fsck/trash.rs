//! What is in the trash is whole, and nowhere else at the same time.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::always(
        "I14.trash_not_whole",
        "What may come back from the trash is all there.",
        // One whose time is over is taken apart a little at a time.
        Sql::Each {
            sqlite: "SELECT t.id AS id FROM trash t WHERE t.restorable_until > $now AND (\
                     SELECT coalesce(sum(c.value), 0) FROM json_each(t.counts) AS c) <> (\
                     SELECT count(*) FROM trash_rows r WHERE r.workspace_id = t.workspace_id AND r.trash_id = t.id)",
            postgres: "SELECT t.id AS id FROM trash t WHERE t.restorable_until > $now AND (\
                       SELECT coalesce(sum(c.value::bigint), 0) FROM jsonb_each_text(t.counts) AS c) <> (\
                       SELECT count(*) FROM trash_rows r WHERE r.workspace_id = t.workspace_id AND r.trash_id = t.id)",
        },
    ),
    Invariant::always(
        "I14.trash_without_its_thing",
        "What may come back from the trash has the thing that was deleted.",
        Sql::Both(
            "SELECT t.id AS id FROM trash t WHERE t.restorable_until > $now AND NOT EXISTS (\
             SELECT 1 FROM trash_rows r WHERE r.workspace_id = t.workspace_id AND r.trash_id = t.id \
             AND r.id = t.object_id)",
        ),
    ),
    Invariant::always(
        "I14.trash_row_unreadable",
        "A row in the trash is the row that it says it is.",
        Sql::Each {
            sqlite: "SELECT r.id AS id FROM trash_rows r WHERE NOT json_valid(r.body) \
                     OR coalesce(json_extract(r.body, '$.id'), '') <> r.id \
                     OR coalesce(json_extract(r.body, '$.workspace_id'), '') <> r.workspace_id",
            postgres: "SELECT r.id AS id FROM trash_rows r WHERE coalesce(r.body ->> 'id', '') <> r.id \
                       OR coalesce(r.body ->> 'workspace_id', '') <> r.workspace_id",
        },
    ),
    Invariant::always(
        "I14.deleted_and_there",
        "What is in the trash is nowhere else.",
        Sql::Both(
            "SELECT r.id AS id FROM trash_rows r JOIN courses t ON t.workspace_id = r.workspace_id AND t.id = r.id \
             UNION ALL SELECT r.id FROM trash_rows r JOIN lessons t ON t.workspace_id = r.workspace_id AND t.id = r.id \
             UNION ALL SELECT r.id FROM trash_rows r JOIN submissions t ON t.workspace_id = r.workspace_id AND t.id = r.id \
             UNION ALL SELECT r.id FROM trash_rows r JOIN grades t ON t.workspace_id = r.workspace_id AND t.id = r.id",
        ),
    ),
];
