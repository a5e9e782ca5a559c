DROP INDEX webhook_deliveries_leased;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until)
    WHERE status = 'pending' AND lease_until IS NOT NULL;
