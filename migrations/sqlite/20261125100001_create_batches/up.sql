-- AI at work on many answers of an assignment at once: regrades, bulk gradings, red teams; and what each is about. Rows have ids
-- of their own, so that they can go into the trash and come back.
CREATE TABLE batches (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX batches_of_assignment ON batches (workspace_id, assignment_id, kind, id);
CREATE UNIQUE INDEX batches_one_busy ON batches (workspace_id, assignment_id, kind)
    WHERE state IN ('running', 'committing', 'undoing');
-- With a rowid: what AI said of an answer is longer than a key's page holds well.
CREATE TABLE batch_items (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    submission_id TEXT,
    state TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, batch_id) REFERENCES batches (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX batch_items_places ON batch_items (workspace_id, batch_id, place);
CREATE INDEX batch_items_by_submission ON batch_items (workspace_id, batch_id, submission_id);
CREATE INDEX batch_items_in_state ON batch_items (workspace_id, batch_id, state, place);
CREATE INDEX batch_items_of_submission ON batch_items (workspace_id, submission_id);
