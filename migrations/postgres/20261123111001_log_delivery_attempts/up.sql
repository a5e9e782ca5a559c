-- How each attempt at a delivery ended: when, with which status, and how the answer began.
ALTER TABLE webhook_deliveries ADD COLUMN attempt_log jsonb NOT NULL DEFAULT '[]';
