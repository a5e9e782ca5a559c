-- How each attempt at a delivery ended: when, with which status, and how the answer began.
ALTER TABLE webhook_deliveries ADD COLUMN attempt_log TEXT NOT NULL DEFAULT '[]';
