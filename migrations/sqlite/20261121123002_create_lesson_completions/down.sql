DROP TABLE lesson_completions;
