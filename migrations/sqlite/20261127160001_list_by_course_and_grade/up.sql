-- Submissions are listed by their course, which is that of their assignment and never another, and by the grade that stands.
ALTER TABLE submissions ADD COLUMN course_id TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN graded_at TEXT;
-- Who judged, in a word, and behind it the member who gave the grade or let it stand.
ALTER TABLE submissions ADD COLUMN grader TEXT;
-- What counts of it, in hundredths.
ALTER TABLE submissions ADD COLUMN score INTEGER;

UPDATE submissions SET course_id = (
    SELECT a.course_id FROM assignments AS a WHERE a.workspace_id = submissions.workspace_id AND a.id = submissions.assignment_id
);
-- In the trash as well. What was handed in for an assignment that is gone for good never comes back, and is of no course.
UPDATE trash_rows SET body = json_set(body, '$.course_id', coalesce(
    (SELECT a.course_id FROM assignments AS a
        WHERE a.workspace_id = trash_rows.workspace_id AND a.id = json_extract(trash_rows.body, '$.assignment_id')),
    (SELECT json_extract(r.body, '$.course_id') FROM trash_rows AS r
        WHERE r.workspace_id = trash_rows.workspace_id AND r.id = json_extract(trash_rows.body, '$.assignment_id')
        AND r.part = 'assignments' LIMIT 1),
    'crs_00000000000000000000000000'
)) WHERE part = 'submissions';

-- Who decided is what the history says last.
UPDATE submissions SET grade = json_set(grade, '$.decided_by', (
    SELECT json_extract(g.grader, '$.user_id') FROM grades AS g
    WHERE g.workspace_id = submissions.workspace_id AND g.submission_id = submissions.id AND g.run = 0
    AND json_extract(g.grader, '$.user_id') IS NOT NULL ORDER BY g.id DESC LIMIT 1
)) WHERE grade IS NOT NULL AND (json_extract(grade, '$.by') = 'human' OR review_status = 'done');
UPDATE submissions SET
    graded_at = json_extract(grade, '$.at'),
    grader = json_extract(grade, '$.by') || coalesce(' ' || json_extract(grade, '$.decided_by'), ''),
    score = json_extract(grade, '$.score')
    WHERE grade IS NOT NULL AND blind <> 'awaited';
-- What is taken off for coming late: so much for each day begun since the end of the grace period, and nothing below the floor.
UPDATE submissions SET score = score - max(0, min(
    max_score * min(100, json_extract(due_terms, '$.late_policy.percent_per_day') * max(0, (86399999
        + 1000 * CAST(strftime('%s', submitted_at) AS INTEGER) + CAST(substr(submitted_at, 21, 3) AS INTEGER)
        - 1000 * CAST(strftime('%s', json_extract(due_terms, '$.due_at')) AS INTEGER)
        - CAST(substr(json_extract(due_terms, '$.due_at'), 21, 3) AS INTEGER)
        - 60000 * json_extract(due_terms, '$.late_policy.grace_minutes')) / 86400000)) / 100,
    score - max_score * json_extract(due_terms, '$.late_policy.floor_percent') / 100
)) WHERE score IS NOT NULL AND submitted_at IS NOT NULL AND json_extract(due_terms, '$.late_policy.percent_per_day') IS NOT NULL;
-- Of what lies in the trash it is not looked up who decided; late work costs nothing there yet.
UPDATE trash_rows SET body = json_set(body,
    '$.graded_at', json_extract(body, '$.grade') ->> '$.at',
    '$.grader', json_extract(body, '$.grade') ->> '$.by',
    '$.score', json_extract(body, '$.grade') ->> '$.score'
) WHERE part = 'submissions' AND json_extract(body, '$.grade') IS NOT NULL AND json_extract(body, '$.blind') IS NOT 'awaited';

CREATE INDEX submissions_of_course ON submissions (workspace_id, course_id, id);
CREATE INDEX submissions_by_grading ON submissions (workspace_id, graded_at, id) WHERE graded_at IS NOT NULL;
CREATE INDEX submissions_by_score ON submissions (workspace_id, score, id) WHERE score IS NOT NULL;
