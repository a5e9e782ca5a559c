DROP INDEX generation_steps_kept;
DROP INDEX api_keys_expiring;
DROP INDEX webhook_deliveries_ended;
DROP INDEX jobs_dead;
