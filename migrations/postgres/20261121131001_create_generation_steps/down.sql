DROP TABLE generation_steps;
