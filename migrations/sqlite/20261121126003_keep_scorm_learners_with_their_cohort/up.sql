-- Deleting a package forgets none of its learners: the proof that their LMS keeps brings them back to the next one.
ALTER TABLE scorm_learners RENAME TO scorm_learners_before;
DROP INDEX scorm_learners_first;
DROP INDEX scorm_learners_of_package;
DROP INDEX scorm_learners_user;
CREATE TABLE scorm_learners (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    cohort_id TEXT NOT NULL,
    package_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    identity TEXT NOT NULL,
    claimed_id TEXT NOT NULL,
    lms_origin TEXT NOT NULL,
    lms_title TEXT NOT NULL,
    lms_version TEXT NOT NULL,
    trust TEXT NOT NULL,
    proof TEXT NOT NULL,
    nonce TEXT NOT NULL,
    created_at TEXT NOT NULL,
    launched_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
-- Who was the first at a second package of a cohort is somebody else who uses the id of the first.
INSERT INTO scorm_learners
SELECT old.workspace_id, old.id, scorm_packages.cohort_id, old.package_id, old.user_id, old.identity,
    COALESCE(substr(users.external_id, 7), ''), '', '', '',
    CASE WHEN EXISTS (
        SELECT 1 FROM scorm_learners_before earlier
        JOIN scorm_packages other ON other.workspace_id = earlier.workspace_id AND other.id = earlier.package_id
        WHERE earlier.workspace_id = old.workspace_id AND other.cohort_id = scorm_packages.cohort_id
            AND earlier.identity = old.identity AND earlier.id < old.id
    ) THEN 'unverified' ELSE old.trust END,
    old.proof, old.nonce, old.created_at, old.launched_at
FROM scorm_learners_before old
JOIN scorm_packages ON scorm_packages.workspace_id = old.workspace_id AND scorm_packages.id = old.package_id
JOIN users ON users.workspace_id = old.workspace_id AND users.id = old.user_id;
DROP TABLE scorm_learners_before;
-- Of two who come first at once, one is the first.
CREATE UNIQUE INDEX scorm_learners_first ON scorm_learners (workspace_id, cohort_id, identity) WHERE trust = 'first_use';
CREATE INDEX scorm_learners_of_cohort ON scorm_learners (workspace_id, cohort_id, identity);
CREATE INDEX scorm_learners_of_package ON scorm_learners (workspace_id, package_id, id);
CREATE UNIQUE INDEX scorm_learners_user ON scorm_learners (workspace_id, user_id, package_id);
