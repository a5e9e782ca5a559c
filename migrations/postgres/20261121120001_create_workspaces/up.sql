CREATE TABLE workspaces (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    platform_number bigint NOT NULL,
    platform_uuid text COLLATE "C" NOT NULL,
    platform_code text COLLATE "C",
    name text COLLATE "C" NOT NULL,
    domain text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);
CREATE UNIQUE INDEX workspaces_platform_number ON workspaces (platform_number);
CREATE UNIQUE INDEX workspaces_platform_uuid ON workspaces (platform_uuid);
CREATE UNIQUE INDEX workspaces_platform_code ON workspaces (platform_code);

CREATE TABLE counters (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    value bigint NOT NULL
);
