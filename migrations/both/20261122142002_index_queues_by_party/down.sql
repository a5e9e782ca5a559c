DROP INDEX webhook_endpoints_by_id;
DROP INDEX webhook_deliveries_waiting;
DROP INDEX jobs_waiting;
