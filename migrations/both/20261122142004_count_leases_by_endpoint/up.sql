-- How many deliveries are under way is counted by endpoint, without reading those that wait.
DROP INDEX webhook_deliveries_leased;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (endpoint_id, lease_until)
    WHERE status = 'pending' AND lease_until IS NOT NULL;
