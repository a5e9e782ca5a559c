-- AI at work on many answers of an assignment at once: regrades, bulk gradings, red teams; and what each is about. Rows have ids
-- of their own, so that they can go into the trash and come back.
CREATE TABLE batches (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    assignment_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    document jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX batches_of_assignment ON batches (workspace_id, assignment_id, kind, id);
CREATE UNIQUE INDEX batches_one_busy ON batches (workspace_id, assignment_id, kind)
    WHERE state IN ('running', 'committing', 'undoing');
CREATE TABLE batch_items (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    batch_id text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    submission_id text COLLATE "C",
    state text COLLATE "C" NOT NULL,
    document jsonb NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, batch_id) REFERENCES batches (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX batch_items_places ON batch_items (workspace_id, batch_id, place);
CREATE INDEX batch_items_by_submission ON batch_items (workspace_id, batch_id, submission_id);
CREATE INDEX batch_items_in_state ON batch_items (workspace_id, batch_id, state, place);
CREATE INDEX batch_items_of_submission ON batch_items (workspace_id, submission_id);
