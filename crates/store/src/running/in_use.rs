//! Counting what learners did below a thing, without reading more of it than is counted.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use lyceum_domain::running::in_use::{Subject, Uses};
use lyceum_ports::running::in_use::InUseRepository;

use crate::prelude::*;
use crate::running::shared_limits::spelt;

#[derive(QueryableByName)]
struct UseCount {
    #[diesel(sql_type = BigInt)]
    submissions: i64,
    #[diesel(sql_type = BigInt)]
    attempts: i64,
    #[diesel(sql_type = BigInt)]
    completions: i64,
    #[diesel(sql_type = BigInt)]
    grades: i64,
}

/// Which rows of each kind are below a subject: what follows `FROM`, or nothing where there can be none.
struct Below {
    submissions: &'static str,
    attempts: &'static str,
    completions: &'static str,
    grades: &'static str,
}

const NONE: &str = "";

const OF_WORKSPACE: Below = Below {
    submissions: "submissions WHERE workspace_id = $1 AND workspace_id = $2",
    attempts: "attempts WHERE workspace_id = $1 AND workspace_id = $2",
    completions: "lesson_completions WHERE workspace_id = $1 AND workspace_id = $2",
    grades: "grades WHERE workspace_id = $1 AND workspace_id = $2",
};

const OF_COURSE: Below = Below {
    submissions: "assignments JOIN submissions ON submissions.workspace_id = $1 \
        AND submissions.assignment_id = assignments.id \
        WHERE assignments.workspace_id = $1 AND assignments.course_id = $2",
    attempts: "attempts WHERE workspace_id = $1 AND course_id = $2",
    completions: "lesson_completions WHERE workspace_id = $1 AND course_id = $2",
    grades: "assignments JOIN grades ON grades.workspace_id = $1 \
        AND grades.assignment_id = assignments.id \
        WHERE assignments.workspace_id = $1 AND assignments.course_id = $2",
};

const OF_UNIT: Below = Below {
    submissions: "assignments JOIN submissions ON submissions.workspace_id = $1 \
        AND submissions.assignment_id = assignments.id \
        WHERE assignments.workspace_id = $1 AND assignments.unit_id = $2",
    attempts: "lessons JOIN activities ON activities.workspace_id = $1 \
        AND activities.lesson_id = lessons.id \
        JOIN attempts ON attempts.workspace_id = $1 AND attempts.activity_id = activities.id \
        WHERE lessons.workspace_id = $1 AND lessons.unit_id = $2",
    completions: "lessons JOIN lesson_completions ON lesson_completions.workspace_id = $1 \
        AND lesson_completions.lesson_id = lessons.id \
        WHERE lessons.workspace_id = $1 AND lessons.unit_id = $2",
    grades: "assignments JOIN grades ON grades.workspace_id = $1 \
        AND grades.assignment_id = assignments.id \
        WHERE assignments.workspace_id = $1 AND assignments.unit_id = $2",
};

const OF_LESSON: Below = Below {
    submissions: "assignments JOIN submissions ON submissions.workspace_id = $1 \
        AND submissions.assignment_id = assignments.id \
        WHERE assignments.workspace_id = $1 AND assignments.lesson_id = $2",
    attempts: "activities JOIN attempts ON attempts.workspace_id = $1 \
        AND attempts.activity_id = activities.id \
        WHERE activities.workspace_id = $1 AND activities.lesson_id = $2",
    completions: "lesson_completions WHERE workspace_id = $1 AND lesson_id = $2",
    grades: "assignments JOIN grades ON grades.workspace_id = $1 \
        AND grades.assignment_id = assignments.id \
        WHERE assignments.workspace_id = $1 AND assignments.lesson_id = $2",
};

const OF_ACTIVITY: Below = Below {
    submissions: NONE,
    attempts: "attempts WHERE workspace_id = $1 AND activity_id = $2",
    completions: NONE,
    grades: NONE,
};

const OF_ASSIGNMENT: Below = Below {
    submissions: "submissions WHERE workspace_id = $1 AND assignment_id = $2",
    attempts: NONE,
    completions: NONE,
    grades: "grades WHERE workspace_id = $1 AND assignment_id = $2",
};

/// What its students did in its course hangs on the course, and is nowhere to be seen without a cohort.
const OF_COHORT: Below = Below {
    submissions: "submissions WHERE workspace_id = $1 AND cohort_id = $2",
    attempts: "cohorts JOIN enrollments ON enrollments.workspace_id = $1 \
        AND enrollments.cohort_id = cohorts.id \
        JOIN attempts ON attempts.workspace_id = $1 AND attempts.user_id = enrollments.user_id \
        AND attempts.course_id = cohorts.course_id \
        WHERE cohorts.workspace_id = $1 AND cohorts.id = $2",
    completions: "cohorts JOIN enrollments ON enrollments.workspace_id = $1 \
        AND enrollments.cohort_id = cohorts.id \
        JOIN lesson_completions ON lesson_completions.workspace_id = $1 \
        AND lesson_completions.user_id = enrollments.user_id \
        AND lesson_completions.course_id = cohorts.course_id \
        WHERE cohorts.workspace_id = $1 AND cohorts.id = $2",
    grades: "submissions JOIN grades ON grades.workspace_id = $1 \
        AND grades.submission_id = submissions.id \
        WHERE submissions.workspace_id = $1 AND submissions.cohort_id = $2",
};

const OF_SUBMISSION: Below = Below {
    submissions: "submissions WHERE workspace_id = $1 AND id = $2 AND status <> 'draft'",
    attempts: NONE,
    completions: NONE,
    grades: "grades WHERE workspace_id = $1 AND submission_id = $2",
};

const OF_USER: Below = Below {
    submissions: "submissions WHERE workspace_id = $1 AND user_id = $2",
    attempts: "attempts WHERE workspace_id = $1 AND user_id = $2",
    completions: "lesson_completions WHERE workspace_id = $1 AND user_id = $2",
    grades: "submissions JOIN grades ON grades.workspace_id = $1 \
        AND grades.submission_id = submissions.id \
        WHERE submissions.workspace_id = $1 AND submissions.user_id = $2",
};

const fn below(subject: Subject) -> &'static Below {
    match subject {
        Subject::Workspace => &OF_WORKSPACE,
        Subject::Course(_) => &OF_COURSE,
        Subject::Unit(_) => &OF_UNIT,
        Subject::Lesson(_) => &OF_LESSON,
        Subject::Activity(_) => &OF_ACTIVITY,
        Subject::Assignment(_) => &OF_ASSIGNMENT,
        Subject::Cohort(_) => &OF_COHORT,
        Subject::Submission(_) => &OF_SUBMISSION,
        Subject::User(_) => &OF_USER,
    }
}

/// One statement that counts each kind as far as `most`.
fn statement(below: &Below, most: u32) -> String {
    let count = |rows: &str, kind: &str| {
        if rows.is_empty() {
            format!("CAST(0 AS BIGINT) AS {kind}")
        } else {
            format!(
                "(SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT {most}) AS counted) AS {kind}"
            )
        }
    };
    format!(
        "SELECT {}, {}, {}, {}",
        count(below.submissions, "submissions"),
        count(below.attempts, "attempts"),
        count(below.completions, "completions"),
        count(below.grades, "grades"),
    )
}

impl InUseRepository for Session<'_> {
    fn uses(
        &mut self,
        workspace: WorkspaceId,
        subject: Subject,
        most: u32,
    ) -> Result<Uses, StoreError> {
        let workspace = workspace.to_string();
        let id = subject.id().unwrap_or_else(|| workspace.clone());
        let statement = spelt(self.conn, &statement(below(subject), most));
        let counted: UseCount = self.run(|conn| {
            let query = diesel::sql_query(statement)
                .bind::<Text, _>(workspace)
                .bind::<Text, _>(id);
            on_either!(conn, query.get_result(conn))
        })?;
        Ok(Uses {
            submissions: rows::number(counted.submissions)?,
            attempts: rows::number(counted.attempts)?,
            completions: rows::number(counted.completions)?,
            grades: rows::number(counted.grades)?,
        })
    }
}
