DROP TABLE scorm_packages;
