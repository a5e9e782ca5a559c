ALTER TABLE webhook_deliveries DROP COLUMN trace_context;
ALTER TABLE jobs DROP COLUMN trace_context;
