CREATE TABLE scorm_learners (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    package_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    identity TEXT NOT NULL,
    trust TEXT NOT NULL,
    proof TEXT NOT NULL,
    nonce TEXT NOT NULL,
    created_at TEXT NOT NULL,
    launched_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, package_id) REFERENCES scorm_packages (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
-- Of two who come first at once, one is the first.
CREATE UNIQUE INDEX scorm_learners_first ON scorm_learners (workspace_id, package_id, identity) WHERE trust = 'first_use';
CREATE INDEX scorm_learners_of_package ON scorm_learners (workspace_id, package_id, identity);
CREATE UNIQUE INDEX scorm_learners_user ON scorm_learners (workspace_id, user_id);
