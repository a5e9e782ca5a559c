CREATE TABLE tutor_turns (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    lesson_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    message TEXT NOT NULL,
    reply TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX tutor_turns_of_thread ON tutor_turns (workspace_id, thread_id, id);
CREATE INDEX tutor_turns_of_lesson ON tutor_turns (workspace_id, lesson_id);
CREATE INDEX tutor_turns_of_user ON tutor_turns (workspace_id, user_id);
