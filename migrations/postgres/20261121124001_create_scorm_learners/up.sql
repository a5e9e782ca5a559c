CREATE TABLE scorm_learners (
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    package_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    trust text COLLATE "C" NOT NULL,
    proof text COLLATE "C" NOT NULL,
    nonce text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    launched_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, package_id) REFERENCES scorm_packages (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
);
-- Of two who come first at once, one is the first.
CREATE UNIQUE INDEX scorm_learners_first ON scorm_learners (workspace_id, package_id, identity) WHERE trust = 'first_use';
CREATE INDEX scorm_learners_of_package ON scorm_learners (workspace_id, package_id, identity);
CREATE UNIQUE INDEX scorm_learners_user ON scorm_learners (workspace_id, user_id);
