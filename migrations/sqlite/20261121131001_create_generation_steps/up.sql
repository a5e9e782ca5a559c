-- What AI was asked for one by one. The result is there until it has landed; what it took stays.
CREATE TABLE generation_steps (
    workspace_id TEXT NOT NULL,
    generation_id TEXT NOT NULL,
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    status TEXT NOT NULL,
    task_hash TEXT NOT NULL,
    result TEXT,
    model TEXT,
    prompt_version TEXT,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    cost_micro_usd INTEGER,
    latency_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, generation_id, key),
    FOREIGN KEY (workspace_id, generation_id) REFERENCES generations (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX generation_steps_by_task ON generation_steps (workspace_id, task_hash) WHERE result IS NOT NULL;
