DROP TABLE units;
