-- What caused a job or a delivery, where that is traced: a `traceparent` of W3C Trace Context.
ALTER TABLE jobs ADD COLUMN trace_context TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN trace_context TEXT;
