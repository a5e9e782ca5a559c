DROP TABLE storage_use;
