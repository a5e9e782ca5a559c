-- Puts what is to be done for a workspace (`workspace`: its id) off `by` a millennium, or back again by less than nothing: nobody
-- takes it up meanwhile. `jobs`, `deliveries` and `mails` are the tables. Done twice, it is done once.
UPDATE :"jobs" SET run_at = run_at + :'by'::interval
WHERE workspace_id = :'workspace' AND state = 'queued'
    AND (run_at > now() + interval '180000 days') = (:'by'::interval < interval '0');
UPDATE :"deliveries" SET next_attempt_at = next_attempt_at + :'by'::interval
WHERE workspace_id = :'workspace' AND status = 'pending'
    AND (next_attempt_at > now() + interval '180000 days') = (:'by'::interval < interval '0');
UPDATE :"mails" SET next_attempt_at = next_attempt_at + :'by'::interval
WHERE workspace_id = :'workspace' AND status = 'pending'
    AND (next_attempt_at > now() + interval '180000 days') = (:'by'::interval < interval '0');
