DROP TABLE counters;
DROP TABLE workspaces;
