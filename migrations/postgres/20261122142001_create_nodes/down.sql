DROP INDEX webhook_deliveries_leased;
ALTER TABLE webhook_deliveries DROP COLUMN node_id;
ALTER TABLE jobs DROP COLUMN node_id;
DROP TABLE nodes;
