DROP INDEX jobs_done;
