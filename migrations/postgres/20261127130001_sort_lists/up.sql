-- Lists in the order of names, and of the last change. As `store/src/mapping/sorting.rs` spells it, or no list uses it.
CREATE INDEX courses_by_name ON courses (workspace_id, lower(name COLLATE "C"), id);
CREATE INDEX courses_by_change ON courses (workspace_id, updated_at, id);
CREATE INDEX cohorts_by_name ON cohorts (workspace_id, lower(name COLLATE "C"), id);
CREATE INDEX cohorts_by_change ON cohorts (workspace_id, updated_at, id);
CREATE INDEX units_by_name ON units (workspace_id, lower(name COLLATE "C"), id);
CREATE INDEX units_by_change ON units (workspace_id, updated_at, id);
CREATE INDEX lessons_by_name ON lessons (workspace_id, lower(name COLLATE "C"), id);
CREATE INDEX lessons_by_change ON lessons (workspace_id, updated_at, id);
CREATE INDEX activities_by_name ON activities (workspace_id, lower(name COLLATE "C"), id);
CREATE INDEX activities_by_change ON activities (workspace_id, updated_at, id);
CREATE INDEX assignments_by_name ON assignments (workspace_id, lower(name COLLATE "C"), id);
CREATE INDEX assignments_by_change ON assignments (workspace_id, updated_at, id);
CREATE INDEX users_by_name ON users (workspace_id, lower(coalesce(name, email) COLLATE "C"), id);
CREATE INDEX users_by_change ON users (workspace_id, updated_at, id);
