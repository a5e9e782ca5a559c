DROP INDEX tutor_turns_of_talk;
ALTER TABLE tutor_turns DROP COLUMN handoff_to_teacher;
ALTER TABLE tutor_turns DROP COLUMN citations;
ALTER TABLE tutor_turns DROP COLUMN model;
ALTER TABLE tutor_turns DROP COLUMN act;
ALTER TABLE tutor_turns DROP COLUMN hint_level;
