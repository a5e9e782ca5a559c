ALTER TABLE webhook_deliveries DROP COLUMN attempt_log;
