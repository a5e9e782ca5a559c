-- What every course is shown with: its newest cohorts, 100 at most, and the newest generation of it, kept beside it instead of being looked for
-- with every read. Triggers keep it, so that whatever changes a cohort or a generation changes this in the same transaction.
ALTER TABLE courses ADD COLUMN shown_cohorts text NOT NULL DEFAULT '', ADD COLUMN shown_generation text NOT NULL DEFAULT '';
CREATE VIEW courses_show AS SELECT c.workspace_id, c.id,
    coalesce((SELECT string_agg(newest.id, ',' ORDER BY newest.id DESC) FROM (SELECT o.id FROM cohorts AS o
        WHERE o.workspace_id = c.workspace_id AND o.course_id = c.id ORDER BY o.id DESC LIMIT 100) AS newest), '') AS cohorts,
    coalesce((SELECT g.id || ' ' || g.status FROM generations AS g
        WHERE g.workspace_id = c.workspace_id AND g.target_id = c.id ORDER BY g.id DESC LIMIT 1), '') AS generation
    FROM courses AS c;
-- Whoever comes second waits for the first, and then sees what that one kept: under REPEATABLE READ as in a transaction that is run again.
CREATE FUNCTION show_course(workspace text, course text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM courses WHERE workspace_id = workspace AND id = course FOR NO KEY UPDATE;
    UPDATE courses SET (shown_cohorts, shown_generation) =
        (SELECT s.cohorts, s.generation FROM courses_show AS s WHERE s.workspace_id = workspace AND s.id = course)
    WHERE workspace_id = workspace AND id = course;
END
$$;
CREATE FUNCTION show_course_of_cohort() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed cohorts := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
    PERFORM show_course(changed.workspace_id, changed.course_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION show_course_of_generation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed generations := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
    PERFORM show_course(changed.workspace_id, changed.target_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER cohorts_are_shown AFTER INSERT OR DELETE ON cohorts FOR EACH ROW EXECUTE FUNCTION show_course_of_cohort();
CREATE TRIGGER generations_are_shown AFTER INSERT OR DELETE ON generations FOR EACH ROW EXECUTE FUNCTION show_course_of_generation();
CREATE TRIGGER generations_changed_are_shown AFTER UPDATE OF status ON generations FOR EACH ROW
    WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION show_course_of_generation();
