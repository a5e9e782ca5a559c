-- Who came to several packages stays at the first that is still there.
ALTER TABLE scorm_learners RENAME TO scorm_learners_after;
DROP INDEX scorm_learners_first;
DROP INDEX scorm_learners_of_cohort;
DROP INDEX scorm_learners_of_package;
DROP INDEX scorm_learners_user;
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
INSERT INTO scorm_learners
SELECT workspace_id, id, package_id, user_id, identity, CASE WHEN trust = 'proven' THEN 'unverified' ELSE trust END,
    proof, nonce, created_at, launched_at
FROM scorm_learners_after kept
WHERE EXISTS (
    SELECT 1 FROM scorm_packages
    WHERE scorm_packages.workspace_id = kept.workspace_id AND scorm_packages.id = kept.package_id
) AND NOT EXISTS (
    SELECT 1 FROM scorm_learners_after earlier
    JOIN scorm_packages ON scorm_packages.workspace_id = earlier.workspace_id AND scorm_packages.id = earlier.package_id
    WHERE earlier.workspace_id = kept.workspace_id AND earlier.user_id = kept.user_id AND earlier.id < kept.id
);
DROP TABLE scorm_learners_after;
