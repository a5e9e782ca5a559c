-- What a teacher shows before AI's grades of an assignment go out unseen: each try for a certificate, the answers it is
-- about, and the chain of what happened. Rows have ids of their own, so that they can go into the trash and come back.
CREATE TABLE certificates (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    assignment_id text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    document jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX certificates_of_assignment ON certificates (workspace_id, assignment_id, id);
CREATE UNIQUE INDEX certificates_one_open ON certificates (workspace_id, assignment_id)
    WHERE state IN ('grading', 'testing', 'refused', 'valid', 'paused');
CREATE TABLE certificate_answers (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    certificate_id text COLLATE "C" NOT NULL,
    submission_id text COLLATE "C" NOT NULL,
    confidence bigint NOT NULL,
    place bigint,
    arrived bigint,
    fate text COLLATE "C",
    test jsonb,
    audit bigint,
    gone boolean NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, certificate_id) REFERENCES certificates (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX certificate_answers_once ON certificate_answers (workspace_id, certificate_id, submission_id);
CREATE TABLE certificate_records (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    assignment_id text COLLATE "C" NOT NULL,
    certificate_id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    content text NOT NULL,
    hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, certificate_id) REFERENCES certificates (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX certificate_records_sequence ON certificate_records (workspace_id, assignment_id, sequence);
CREATE INDEX certificate_records_of_certificate ON certificate_records (workspace_id, certificate_id);
ALTER TABLE assignments ADD COLUMN release_terms jsonb;
