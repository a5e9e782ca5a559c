-- On SQLite the store does this itself, table by table (upkeep/long_rows.rs): rows of a kilobyte do not lie well in the tree of a key.
-- On PostgreSQL they lie in a heap of their own anyhow.
SELECT 1;
