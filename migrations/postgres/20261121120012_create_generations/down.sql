DROP TABLE generations;
