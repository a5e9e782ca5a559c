-- What a teacher shows before AI's grades of an assignment go out unseen: each try for a certificate, the answers it is
-- about, and the chain of what happened. Rows have ids of their own, so that they can go into the trash and come back.
CREATE TABLE certificates (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    state TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX certificates_of_assignment ON certificates (workspace_id, assignment_id, id);
CREATE UNIQUE INDEX certificates_one_open ON certificates (workspace_id, assignment_id)
    WHERE state IN ('grading', 'testing', 'refused', 'valid', 'paused');
CREATE TABLE certificate_answers (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    certificate_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    confidence INTEGER NOT NULL,
    place INTEGER,
    arrived INTEGER,
    fate TEXT,
    test TEXT,
    audit INTEGER,
    gone BOOLEAN NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, certificate_id) REFERENCES certificates (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE UNIQUE INDEX certificate_answers_once ON certificate_answers (workspace_id, certificate_id, submission_id);
CREATE TABLE certificate_records (
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    certificate_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    content TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, certificate_id) REFERENCES certificates (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE UNIQUE INDEX certificate_records_sequence ON certificate_records (workspace_id, assignment_id, sequence);
CREATE INDEX certificate_records_of_certificate ON certificate_records (workspace_id, certificate_id);
ALTER TABLE assignments ADD COLUMN release_terms TEXT;
