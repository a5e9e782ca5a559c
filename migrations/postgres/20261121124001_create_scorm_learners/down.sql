DROP TABLE scorm_learners;
