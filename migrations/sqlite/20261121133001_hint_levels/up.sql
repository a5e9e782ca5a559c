ALTER TABLE tutor_turns ADD COLUMN hint_level INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tutor_turns ADD COLUMN act TEXT NOT NULL DEFAULT 'hint';
ALTER TABLE tutor_turns ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE tutor_turns ADD COLUMN citations TEXT NOT NULL DEFAULT '[]';
ALTER TABLE tutor_turns ADD COLUMN handoff_to_teacher BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX tutor_turns_of_talk ON tutor_turns (workspace_id, lesson_id, user_id, id);
