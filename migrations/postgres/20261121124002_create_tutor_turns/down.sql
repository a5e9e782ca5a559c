DROP TABLE tutor_turns;
