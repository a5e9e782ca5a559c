DROP INDEX events_by_time;
