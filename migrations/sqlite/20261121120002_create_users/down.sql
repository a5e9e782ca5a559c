DROP TABLE users;
DROP TABLE people;
