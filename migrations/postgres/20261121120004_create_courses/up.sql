CREATE TABLE courses (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    language text COLLATE "C" NOT NULL,
    description text COLLATE "C" NOT NULL,
    hours bigint NOT NULL,
    minutes_generated bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    ai_instructions text COLLATE "C" NOT NULL,
    ai_evaluator jsonb NOT NULL,
    tutor jsonb NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
