DROP TABLE trash_rows;
DROP TABLE trash;
