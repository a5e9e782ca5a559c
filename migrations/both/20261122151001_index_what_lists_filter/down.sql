DROP INDEX events_of_kind;
DROP INDEX submissions_of_review;
DROP INDEX submissions_of_ai_status;
DROP INDEX submissions_of_status;
DROP INDEX enrollments_by_age;
DROP INDEX users_of_role;
