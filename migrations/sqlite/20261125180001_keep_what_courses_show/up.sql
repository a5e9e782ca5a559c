-- What every course is shown with: its newest cohorts, 100 at most, and the newest generation of it, kept beside it instead of being looked for
-- with every read. Triggers keep it, so that whatever changes a cohort or a generation changes this in the same transaction.
ALTER TABLE courses ADD COLUMN shown_cohorts TEXT NOT NULL DEFAULT '';
ALTER TABLE courses ADD COLUMN shown_generation TEXT NOT NULL DEFAULT '';
CREATE VIEW courses_show AS SELECT c.workspace_id, c.id,
    coalesce((SELECT group_concat(newest.id, ',') FROM (SELECT o.id FROM cohorts AS o
        WHERE o.workspace_id = c.workspace_id AND o.course_id = c.id ORDER BY o.id DESC LIMIT 100) AS newest), '') AS cohorts,
    coalesce((SELECT g.id || ' ' || g.status FROM generations AS g
        WHERE g.workspace_id = c.workspace_id AND g.target_id = c.id ORDER BY g.id DESC LIMIT 1), '') AS generation
    FROM courses AS c;
CREATE TRIGGER cohorts_inserted_are_shown AFTER INSERT ON cohorts BEGIN
    UPDATE courses SET shown_cohorts = (SELECT s.cohorts FROM courses_show AS s
        WHERE s.workspace_id = NEW.workspace_id AND s.id = NEW.course_id)
    WHERE workspace_id = NEW.workspace_id AND id = NEW.course_id;
END;
CREATE TRIGGER cohorts_deleted_are_not_shown AFTER DELETE ON cohorts BEGIN
    UPDATE courses SET shown_cohorts = (SELECT s.cohorts FROM courses_show AS s
        WHERE s.workspace_id = OLD.workspace_id AND s.id = OLD.course_id)
    WHERE workspace_id = OLD.workspace_id AND id = OLD.course_id;
END;
CREATE TRIGGER generations_inserted_are_shown AFTER INSERT ON generations BEGIN
    UPDATE courses SET shown_generation = (SELECT s.generation FROM courses_show AS s
        WHERE s.workspace_id = NEW.workspace_id AND s.id = NEW.target_id)
    WHERE workspace_id = NEW.workspace_id AND id = NEW.target_id;
END;
CREATE TRIGGER generations_changed_are_shown AFTER UPDATE OF status ON generations
WHEN NEW.status <> OLD.status BEGIN
    UPDATE courses SET shown_generation = (SELECT s.generation FROM courses_show AS s
        WHERE s.workspace_id = NEW.workspace_id AND s.id = NEW.target_id)
    WHERE workspace_id = NEW.workspace_id AND id = NEW.target_id;
END;
CREATE TRIGGER generations_deleted_are_not_shown AFTER DELETE ON generations BEGIN
    UPDATE courses SET shown_generation = (SELECT s.generation FROM courses_show AS s
        WHERE s.workspace_id = OLD.workspace_id AND s.id = OLD.target_id)
    WHERE workspace_id = OLD.workspace_id AND id = OLD.target_id;
END;
