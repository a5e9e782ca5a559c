-- Lets a workspace (`platform`: its uuid) that was held go on with its work.
\ir find-workspace.sql
\set jobs jobs
\set deliveries webhook_deliveries
\set mails mails
\set by '-365000 days'
\ir put-off.sql
