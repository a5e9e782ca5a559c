DROP TABLE grades;
DROP TABLE submissions;
