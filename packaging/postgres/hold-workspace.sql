-- Keeps everybody from taking up work of a workspace (`platform`: its uuid), and says how much of it is still going on.
\ir find-workspace.sql
\set jobs jobs
\set deliveries webhook_deliveries
\set mails mails
\set by '365000 days'
\ir put-off.sql
SELECT (SELECT count(*) FROM jobs WHERE workspace_id = :'workspace' AND state = 'running' AND lease_until > now())
    + (SELECT count(*) FROM webhook_deliveries WHERE workspace_id = :'workspace' AND lease_until > now())
    + (SELECT count(*) FROM mails WHERE workspace_id = :'workspace' AND lease_until > now());
