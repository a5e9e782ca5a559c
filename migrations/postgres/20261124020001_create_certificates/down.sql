ALTER TABLE assignments DROP COLUMN release_terms;
DROP TABLE certificate_records;
DROP TABLE certificate_answers;
DROP TABLE certificates;
