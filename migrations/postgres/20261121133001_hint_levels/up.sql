ALTER TABLE tutor_turns ADD COLUMN hint_level bigint NOT NULL DEFAULT 1;
ALTER TABLE tutor_turns ADD COLUMN act text COLLATE "C" NOT NULL DEFAULT 'hint';
ALTER TABLE tutor_turns ADD COLUMN model text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tutor_turns ADD COLUMN citations jsonb NOT NULL DEFAULT '[]';
ALTER TABLE tutor_turns ADD COLUMN handoff_to_teacher boolean NOT NULL DEFAULT FALSE;
CREATE INDEX tutor_turns_of_talk ON tutor_turns (workspace_id, lesson_id, user_id, id);
