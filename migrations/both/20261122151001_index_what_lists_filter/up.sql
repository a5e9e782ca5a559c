-- Lists by what few rows have of the tables that grow with every learner are found without reading the rest.
CREATE INDEX users_of_role ON users (workspace_id, role, id);
CREATE INDEX enrollments_by_age ON enrollments (workspace_id, cohort_id, id);
CREATE INDEX submissions_of_status ON submissions (workspace_id, status, id);
CREATE INDEX submissions_of_ai_status ON submissions (workspace_id, ai_status, id) WHERE ai_status IS NOT NULL;
CREATE INDEX submissions_of_review ON submissions (workspace_id, review_status, id) WHERE review_status IS NOT NULL;
CREATE INDEX events_of_kind ON events (workspace_id, kind, id);
