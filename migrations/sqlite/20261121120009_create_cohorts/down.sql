DROP TABLE enrollments;
DROP TABLE cohorts;
