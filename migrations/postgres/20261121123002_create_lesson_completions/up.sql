CREATE TABLE lesson_completions (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    lesson_id text COLLATE "C" NOT NULL,
    course_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX lesson_completions_once ON lesson_completions (workspace_id, user_id, lesson_id);
CREATE INDEX lesson_completions_of_user ON lesson_completions (workspace_id, user_id, course_id);
CREATE INDEX lesson_completions_of_lesson ON lesson_completions (workspace_id, lesson_id);
CREATE INDEX lesson_completions_of_course ON lesson_completions (workspace_id, course_id);
