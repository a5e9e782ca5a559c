ALTER TABLE bulk_writes DROP COLUMN stop_after;
