//! What is told: one event for each thing that happened, one delivery for each endpoint that wanted to hear of it.
//!
//! An event carries the moment of the change that it was written with: that ties the two together.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::always(
        "I8.grade_without_one_event",
        "An AI grade was told by one event, written with it.",
        Sql::Both(
            "SELECT g.id AS id FROM grades g WHERE g.run > 0 AND g.created_at > $unswept AND 1 <> (\
             SELECT count(*) FROM events e WHERE e.workspace_id = g.workspace_id \
             AND e.object_id = g.submission_id AND e.kind = 'submission.graded' \
             AND e.created_at = g.created_at)",
        ),
    ),
    Invariant::always(
        "I8.event_without_grade",
        "No grade was told that there is not.",
        Sql::Both(
            "SELECT e.id AS id FROM events e JOIN submissions s \
             ON s.workspace_id = e.workspace_id AND s.id = e.object_id \
             WHERE e.kind = 'submission.graded' AND NOT EXISTS (\
             SELECT 1 FROM grades g WHERE g.workspace_id = s.workspace_id AND g.submission_id = s.id \
             AND g.run > 0 AND g.created_at = e.created_at)",
        ),
    ),
    Invariant::always(
        "I8.failure_without_event",
        // What ended because its student was erased is not told.
        "A grading that failed for good was told.",
        Sql::Both(
            "SELECT s.id AS id FROM submissions s WHERE s.ai_status = 'error' AND s.updated_at > $unswept \
             AND s.created_at > $unswept AND s.content <> '' AND NOT EXISTS (\
             SELECT 1 FROM events e WHERE e.workspace_id = s.workspace_id AND e.object_id = s.id \
             AND e.kind = 'submission.grading_failed')",
        ),
    ),
    Invariant::always(
        "I8.generation_without_event",
        "A generation that landed was told by one event, and one that failed was told.",
        Sql::Both(
            "SELECT g.id AS id FROM generations g WHERE g.created_at > $unswept AND (\
             g.status = 'ready' AND 1 <> (SELECT count(*) FROM events e \
             WHERE e.workspace_id = g.workspace_id AND e.object_id = g.id AND e.kind = 'generation.ready') \
             OR g.status = 'error' AND NOT EXISTS (SELECT 1 FROM events e \
             WHERE e.workspace_id = g.workspace_id AND e.object_id = g.id AND e.kind = 'generation.failed'))",
        ),
    ),
    Invariant::always(
        "I8.package_without_event",
        "A package that was made was told by one event, and one that could not be made was told.",
        Sql::Both(
            "SELECT p.id AS id FROM scorm_packages p WHERE p.created_at > $unswept AND (\
             p.status IN ('ready', 'revoked') AND 1 <> (SELECT count(*) FROM events e \
             WHERE e.workspace_id = p.workspace_id AND e.object_id = p.id AND e.kind = 'scorm.ready') \
             OR p.status = 'error' AND NOT EXISTS (SELECT 1 FROM events e \
             WHERE e.workspace_id = p.workspace_id AND e.object_id = p.id AND e.kind = 'scorm.failed'))",
        ),
    ),
    Invariant::always(
        "I8.media_without_event",
        "An upload that was looked at was told by one event, whatever came of it.",
        Sql::Both(
            "SELECT m.id AS id FROM media_files m WHERE m.created_at > $unswept AND m.status <> 'pending' \
             AND 1 <> (SELECT count(*) FROM events e WHERE e.workspace_id = m.workspace_id \
             AND e.object_id = m.id AND e.kind IN ('media_file.ready', 'media_file.failed'))",
        ),
    ),
    Invariant::always(
        "I9.event_without_delivery",
        "Every event has a delivery for each endpoint that wanted to hear of it when it happened.",
        // Of an endpoint that was changed since nobody knows what it wanted, and who asked within a minute of the
        // change may have been answered before it.
        Sql::Each {
            sqlite: "SELECT e.id AS id FROM events e JOIN webhook_endpoints w ON w.workspace_id = e.workspace_id \
                     WHERE e.kind <> 'ping' AND e.created_at > $unswept AND w.status = 'enabled' \
                     AND unixepoch(w.updated_at) + 60 < unixepoch(e.created_at) AND EXISTS (\
                     SELECT 1 FROM json_each(w.enabled_events) AS m WHERE m.value = '*' OR m.value = e.kind \
                     OR m.value = substr(e.kind, 1, instr(e.kind, '.')) || '*') AND NOT EXISTS (\
                     SELECT 1 FROM webhook_deliveries d WHERE d.workspace_id = e.workspace_id \
                     AND d.event_id = e.id AND d.endpoint_id = w.id)",
            postgres: "SELECT e.id AS id FROM events e JOIN webhook_endpoints w ON w.workspace_id = e.workspace_id \
                       WHERE e.kind <> 'ping' AND e.created_at > $unswept AND w.status = 'enabled' \
                       AND w.updated_at + interval '60 s' < e.created_at AND EXISTS (\
                       SELECT 1 FROM jsonb_array_elements_text(w.enabled_events) AS m(value) \
                       WHERE m.value = '*' OR m.value = e.kind \
                       OR m.value = split_part(e.kind, '.', 1) || '.*') AND NOT EXISTS (\
                       SELECT 1 FROM webhook_deliveries d WHERE d.workspace_id = e.workspace_id \
                       AND d.event_id = e.id AND d.endpoint_id = w.id)",
        },
    ),
    Invariant::always(
        "I9.delivered_in_two_rows",
        "An event has one delivery for an endpoint.",
        Sql::Both(
            "SELECT event_id AS id FROM webhook_deliveries \
             GROUP BY workspace_id, event_id, endpoint_id HAVING count(*) > 1",
        ),
    ),
    Invariant::always(
        "I9.delivery_never_due",
        "A delivery is scheduled, or it ended.",
        Sql::Both(
            "SELECT id FROM webhook_deliveries WHERE status NOT IN ('delivered', 'failed') \
             AND (status <> 'pending' OR next_attempt_at IS NULL)",
        ),
    ),
];
