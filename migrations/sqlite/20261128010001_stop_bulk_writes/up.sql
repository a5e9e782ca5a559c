-- Behind how many rows many writes end that somebody stopped.
ALTER TABLE bulk_writes ADD COLUMN stop_after INTEGER;
