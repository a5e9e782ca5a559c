-- What AI was asked for one by one. The result is there until it has landed; what it took stays.
CREATE TABLE generation_steps (
    workspace_id text COLLATE "C" NOT NULL,
    generation_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    task_hash text COLLATE "C" NOT NULL,
    result jsonb,
    model text,
    prompt_version text,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    cost_micro_usd bigint,
    latency_ms bigint NOT NULL,
    attempts bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, generation_id, key),
    FOREIGN KEY (workspace_id, generation_id) REFERENCES generations (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX generation_steps_by_task ON generation_steps (workspace_id, task_hash) WHERE result IS NOT NULL;
