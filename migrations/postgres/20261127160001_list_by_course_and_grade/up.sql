-- Submissions are listed by their course, which is that of their assignment and never another, and by the grade that stands.
ALTER TABLE submissions ADD COLUMN course_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN graded_at timestamptz;
-- Who judged, in a word, and behind it the member who gave the grade or let it stand.
ALTER TABLE submissions ADD COLUMN grader text COLLATE "C";
-- What counts of it, in hundredths.
ALTER TABLE submissions ADD COLUMN score bigint;

UPDATE submissions SET course_id = (
    SELECT a.course_id FROM assignments AS a WHERE a.workspace_id = submissions.workspace_id AND a.id = submissions.assignment_id
);
-- A node of the version before, which goes on meanwhile, knows no course of what it takes in.
CREATE FUNCTION find_course_of_submission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.course_id := coalesce((SELECT a.course_id FROM assignments AS a
        WHERE a.workspace_id = NEW.workspace_id AND a.id = NEW.assignment_id), '');
    RETURN NEW;
END
$$;
CREATE TRIGGER submissions_know_their_course BEFORE INSERT ON submissions FOR EACH ROW
    WHEN (NEW.course_id = '') EXECUTE FUNCTION find_course_of_submission();
-- In the trash as well. What was handed in for an assignment that is gone for good never comes back, and is of no course.
UPDATE trash_rows SET body = body || jsonb_build_object('course_id', coalesce(
    (SELECT a.course_id FROM assignments AS a
        WHERE a.workspace_id = trash_rows.workspace_id AND a.id = trash_rows.body ->> 'assignment_id'),
    (SELECT r.body ->> 'course_id' FROM trash_rows AS r
        WHERE r.workspace_id = trash_rows.workspace_id AND r.id = trash_rows.body ->> 'assignment_id'
        AND r.part = 'assignments' LIMIT 1),
    'crs_00000000000000000000000000'
)) WHERE part = 'submissions';

-- Who decided is what the history says last.
UPDATE submissions SET grade = grade || jsonb_build_object('decided_by', (
    SELECT g.grader ->> 'user_id' FROM grades AS g
    WHERE g.workspace_id = submissions.workspace_id AND g.submission_id = submissions.id AND g.run = 0
    AND g.grader ->> 'user_id' IS NOT NULL ORDER BY g.id DESC LIMIT 1
)) WHERE grade IS NOT NULL AND (grade ->> 'by' = 'human' OR review_status = 'done');
UPDATE submissions SET
    graded_at = (grade ->> 'at')::timestamptz,
    grader = (grade ->> 'by') || coalesce(' ' || (grade ->> 'decided_by'), ''),
    score = (grade ->> 'score')::bigint
    WHERE grade IS NOT NULL AND blind <> 'awaited';
-- What is taken off for coming late: so much for each day begun since the end of the grace period, and nothing below the floor.
UPDATE submissions SET score = score - greatest(0, least(
    max_score * least(100, (due_terms #>> '{late_policy,percent_per_day}')::bigint * greatest(0, ceil(extract(epoch FROM
        submitted_at - (due_terms ->> 'due_at')::timestamptz
        - (due_terms #>> '{late_policy,grace_minutes}')::int * interval '1 minute') / 86400)::bigint)) / 100,
    score - max_score * (due_terms #>> '{late_policy,floor_percent}')::bigint / 100
)) WHERE score IS NOT NULL AND submitted_at IS NOT NULL AND due_terms #>> '{late_policy,percent_per_day}' IS NOT NULL;
-- Of what lies in the trash it is not looked up who decided; late work costs nothing there yet.
UPDATE trash_rows SET body = body || jsonb_build_object(
    'graded_at', body #> '{grade,at}', 'grader', body #> '{grade,by}', 'score', body #> '{grade,score}'
) WHERE part = 'submissions' AND body #> '{grade,at}' IS NOT NULL AND body ->> 'blind' IS DISTINCT FROM 'awaited';

CREATE INDEX submissions_of_course ON submissions (workspace_id, course_id, id);
CREATE INDEX submissions_by_grading ON submissions (workspace_id, graded_at, id) WHERE graded_at IS NOT NULL;
CREATE INDEX submissions_by_score ON submissions (workspace_id, score, id) WHERE score IS NOT NULL;
