CREATE TABLE attempts (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    activity_id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    answers jsonb NOT NULL,
    score bigint NOT NULL,
    max_score bigint NOT NULL,
    percent bigint,
    passed boolean,
    results jsonb NOT NULL,
    shows_answers boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX attempts_number ON attempts (workspace_id, activity_id, user_id, number);
CREATE INDEX attempts_of_activity ON attempts (workspace_id, activity_id, id);
CREATE INDEX attempts_of_user ON attempts (workspace_id, user_id, course_id, activity_id);
CREATE INDEX attempts_of_course ON attempts (workspace_id, course_id);
