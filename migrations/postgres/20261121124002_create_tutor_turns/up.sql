CREATE TABLE tutor_turns (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    thread_id text COLLATE "C" NOT NULL,
    lesson_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    message text COLLATE "C" NOT NULL,
    reply text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX tutor_turns_of_thread ON tutor_turns (workspace_id, thread_id, id);
CREATE INDEX tutor_turns_of_lesson ON tutor_turns (workspace_id, lesson_id);
CREATE INDEX tutor_turns_of_user ON tutor_turns (workspace_id, user_id);
