-- Apart from the columns: on PostgreSQL, whoever reads courses meanwhile waits for no table. What a trigger has filled already is newer.
UPDATE courses SET shown_cohorts = s.cohorts, shown_generation = s.generation FROM courses_show AS s
    WHERE s.workspace_id = courses.workspace_id AND s.id = courses.id
    AND courses.shown_cohorts = '' AND courses.shown_generation = ''
    AND (courses.workspace_id, courses.id) IN (
        SELECT workspace_id, course_id FROM cohorts UNION SELECT workspace_id, target_id FROM generations);
