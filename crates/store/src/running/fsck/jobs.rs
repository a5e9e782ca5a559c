//! Work: whoever waits has a job, and whoever does not has none.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::while_running(
        "I5.job_abandoned",
        "A running job's lease is renewed, or the job is taken up again, within two minutes.",
        Sql::Both(
            "SELECT id FROM jobs WHERE state = 'running' \
             AND (lease_until IS NULL OR lease_until < $lease)",
        ),
    ),
    Invariant::always(
        "I6.pending_without_job",
        "Every submission that waits for an AI grade has a live job for its run.",
        Sql::Each {
            sqlite: "SELECT s.id AS id FROM submissions s WHERE s.ai_status = 'pending' AND NOT EXISTS (\
                     SELECT 1 FROM jobs j WHERE j.workspace_id = s.workspace_id AND j.subject_id = s.id \
                     AND j.kind = 'grade_submission' AND j.state IN ('queued', 'running') \
                     AND json_extract(j.payload, '$.run') = s.run)",
            postgres: "SELECT s.id AS id FROM submissions s WHERE s.ai_status = 'pending' AND NOT EXISTS (\
                       SELECT 1 FROM jobs j WHERE j.workspace_id = s.workspace_id AND j.subject_id = s.id \
                       AND j.kind = 'grade_submission' AND j.state IN ('queued', 'running') \
                       AND j.payload -> 'run' = to_jsonb(s.run))",
        },
    ),
    Invariant::always(
        "I6.graded_with_job",
        "No live job grades a run that has ended.",
        Sql::Each {
            sqlite: "SELECT s.id AS id FROM submissions s JOIN jobs j \
                     ON j.workspace_id = s.workspace_id AND j.subject_id = s.id \
                     WHERE j.kind = 'grade_submission' AND j.state IN ('queued', 'running') \
                     AND json_extract(j.payload, '$.run') = s.run \
                     AND (s.ai_status IS NULL OR s.ai_status <> 'pending')",
            postgres: "SELECT s.id AS id FROM submissions s JOIN jobs j \
                       ON j.workspace_id = s.workspace_id AND j.subject_id = s.id \
                       WHERE j.kind = 'grade_submission' AND j.state IN ('queued', 'running') \
                       AND j.payload -> 'run' = to_jsonb(s.run) \
                       AND (s.ai_status IS NULL OR s.ai_status <> 'pending')",
        },
    ),
    Invariant::always(
        "I6.explanation_without_job",
        "Every explanation that was asked for in the last day has, or had, its job.",
        Sql::Each {
            sqlite: "SELECT s.id AS id FROM submissions s \
                     WHERE json_extract(s.ai, '$.explanation_awaited') IS NOT NULL \
                     AND s.updated_at > $day AND NOT EXISTS (\
                     SELECT 1 FROM jobs j WHERE j.workspace_id = s.workspace_id AND j.subject_id = s.id \
                     AND j.kind = 'explain_grade' \
                     AND json_extract(j.payload, '$.name') = json_extract(s.ai, '$.explanation_awaited'))",
            postgres: "SELECT s.id AS id FROM submissions s WHERE s.ai ->> 'explanation_awaited' IS NOT NULL \
                       AND s.updated_at > $day AND NOT EXISTS (\
                       SELECT 1 FROM jobs j WHERE j.workspace_id = s.workspace_id AND j.subject_id = s.id \
                       AND j.kind = 'explain_grade' \
                       AND j.payload ->> 'name' = s.ai ->> 'explanation_awaited')",
        },
    ),
    Invariant::always(
        "I6.generation_without_job",
        "Every generation that is under way has a live job.",
        Sql::Both(
            "SELECT g.id AS id FROM generations g WHERE g.status = 'pending' AND NOT EXISTS (\
             SELECT 1 FROM jobs j WHERE j.workspace_id = g.workspace_id AND j.subject_id = g.id \
             AND j.kind IN ('generate_syllabus', 'generate_content') AND j.state IN ('queued', 'running'))",
        ),
    ),
    Invariant::always(
        "I6.generation_done_with_job",
        "No generation that landed or failed has a live job.",
        Sql::Both(
            "SELECT g.id AS id FROM generations g JOIN jobs j \
             ON j.workspace_id = g.workspace_id AND j.subject_id = g.id \
             WHERE g.status IN ('ready', 'error') \
             AND j.kind IN ('generate_syllabus', 'generate_content') AND j.state IN ('queued', 'running')",
        ),
    ),
    Invariant::always(
        "I6.package_without_job",
        "Every package that is being made has a live job.",
        Sql::Both(
            "SELECT p.id AS id FROM scorm_packages p WHERE p.status = 'pending' AND NOT EXISTS (\
             SELECT 1 FROM jobs j WHERE j.workspace_id = p.workspace_id AND j.subject_id = p.id \
             AND j.kind = 'export_scorm' AND j.state IN ('queued', 'running'))",
        ),
    ),
    Invariant::always(
        "I6.package_done_with_job",
        "No package that is ready, failed or revoked is still being made.",
        Sql::Both(
            "SELECT p.id AS id FROM scorm_packages p JOIN jobs j \
             ON j.workspace_id = p.workspace_id AND j.subject_id = p.id \
             WHERE p.status <> 'pending' AND j.kind = 'export_scorm' AND j.state IN ('queued', 'running')",
        ),
    ),
    Invariant::always(
        "I6.media_without_job",
        "Every upload that waits to be looked at has a live job.",
        Sql::Both(
            "SELECT m.id AS id FROM media_files m WHERE m.status = 'pending' AND NOT EXISTS (\
             SELECT 1 FROM jobs j WHERE j.workspace_id = m.workspace_id AND j.subject_id = m.id \
             AND j.kind = 'inspect_media' AND j.state IN ('queued', 'running'))",
        ),
    ),
    Invariant::always(
        "I6.job_in_no_state",
        "A job is queued, running, done or dead.",
        Sql::Both("SELECT id FROM jobs WHERE state NOT IN ('queued', 'running', 'done', 'dead')"),
    ),
];
