CREATE TABLE attempts (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    activity_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    answers TEXT NOT NULL,
    score INTEGER NOT NULL,
    max_score INTEGER NOT NULL,
    percent INTEGER,
    passed BOOLEAN,
    results TEXT NOT NULL,
    shows_answers BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE UNIQUE INDEX attempts_number ON attempts (workspace_id, activity_id, user_id, number);
CREATE INDEX attempts_of_activity ON attempts (workspace_id, activity_id, id);
CREATE INDEX attempts_of_user ON attempts (workspace_id, user_id, course_id, activity_id);
CREATE INDEX attempts_of_course ON attempts (workspace_id, course_id);
