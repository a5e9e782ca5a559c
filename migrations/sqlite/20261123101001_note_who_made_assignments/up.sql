-- Who made an assignment was not noted before.
ALTER TABLE assignments ADD COLUMN origin TEXT NOT NULL DEFAULT 'human';
ALTER TABLE assignments ADD COLUMN model TEXT;
ALTER TABLE assignments ADD COLUMN generation_id TEXT;
ALTER TABLE assignments ADD COLUMN source_hash TEXT;
-- What was made in one moment with a unit that a generation made for this course, and never changed since, is of the same
-- generation. Everything else is taken for a person's, which no draft replaces.
UPDATE assignments SET origin = 'ai', generation_id = (
    SELECT units.generation_id FROM units
    WHERE units.workspace_id = assignments.workspace_id AND units.id = assignments.unit_id
), model = (
    SELECT units.model FROM units
    WHERE units.workspace_id = assignments.workspace_id AND units.id = assignments.unit_id
)
WHERE version = 1 AND lesson_id IS NULL AND EXISTS (
    SELECT 1 FROM units
    JOIN generations ON generations.workspace_id = units.workspace_id AND generations.id = units.generation_id
    WHERE units.workspace_id = assignments.workspace_id AND units.id = assignments.unit_id
        AND units.created_at = assignments.created_at AND generations.target_id = assignments.course_id
);
