CREATE TABLE workspaces (
    id TEXT NOT NULL PRIMARY KEY,
    platform_number INTEGER NOT NULL,
    platform_uuid TEXT NOT NULL,
    platform_code TEXT,
    name TEXT NOT NULL,
    domain TEXT,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX workspaces_platform_number ON workspaces (platform_number);
CREATE UNIQUE INDEX workspaces_platform_uuid ON workspaces (platform_uuid);
CREATE UNIQUE INDEX workspaces_platform_code ON workspaces (platform_code);

CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
