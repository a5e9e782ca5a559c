DROP INDEX jobs_given_up;
